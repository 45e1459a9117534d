import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TicketMark } from './seal.tsx';

const lettersOf = (seal: string) =>
  [...renderToStaticMarkup(<TicketMark shop={{ extras: { seal } }} />).matchAll(/<text[^>]*>(\p{Script=Han})<\/text>/gu)].map(
    ([, letter]) => letter,
  );

test('a ticket has the shop’s seal in Chinese characters', () => {
  for (const seal of ['枫', '枫土', '河边的', '河边的杯']) expect(lettersOf(seal).join('')).toBe(seal);
});

test('a ticket of a shop without a Chinese name has no seal', () => {
  expect(renderToStaticMarkup(<TicketMark shop={{ extras: { seal: '' } }} />)).toBe('');
  expect(renderToStaticMarkup(<TicketMark shop={undefined} />)).toBe('');
});
