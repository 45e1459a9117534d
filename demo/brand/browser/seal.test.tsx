import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TicketMark } from './seal.tsx';

const lettersOf = (seal: string) =>
  [
    ...renderToStaticMarkup(<TicketMark shop={{ extras: { seal } }} />).matchAll(
      /<text[^>]*>(\p{Script=Han})<\/text>/gu,
    ),
  ].map(([, letter]) => letter);

test('a ticket has the shop’s seal in Chinese characters', () => {
  for (const seal of ['枫', '河边', '河边的', '河边的杯']) expect(lettersOf(seal).join('')).toBe(seal);
});

test('the ticket of the demo has the mark of its icon, in no font', () => {
  const icon = readFileSync(new URL('../favicon.svg', import.meta.url), 'utf8');
  const [, mark = ''] = /<path[^>]* d="([^"]+)"/.exec(icon) ?? [];
  expect(mark.length).toBeGreaterThan(300);
  const ticket = renderToStaticMarkup(<TicketMark shop={{ extras: { seal: '枫土' } }} />);
  expect(ticket).toContain(`d="${mark}"`);
  expect(ticket).not.toContain('<text');
});

test('a ticket of a shop without a Chinese name has no seal', () => {
  expect(renderToStaticMarkup(<TicketMark shop={{ extras: { seal: '' } }} />)).toBe('');
  expect(renderToStaticMarkup(<TicketMark shop={undefined} />)).toBe('');
});
