import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { sampleOrder } from '#tests/sample-order.ts';
import { I18nProvider } from '#ui/i18n.tsx';
import { loadI18n } from '#web/i18n/messages.ts';
import { Ticket } from './ticket.tsx';

async function ticketOf(seal: string): Promise<string> {
  return renderToStaticMarkup(
    <I18nProvider i18n={await loadI18n('en')}>
      <Ticket order={sampleOrder} store={undefined} shop={{ shopName: 'Maple & Clay', seal }}>
        {null}
      </Ticket>
    </I18nProvider>,
  );
}

it('a ticket has the shop’s seal in Chinese characters, in English too', async () => {
  expect(
    [...(await ticketOf('枫土')).matchAll(/<text[^>]*>(\p{Script=Han})<\/text>/gu)].map(([, letter]) => letter).join(''),
  ).toBe('枫土');
});

it('a ticket of a shop without a Chinese name has no seal', async () => {
  expect(await ticketOf('')).not.toContain('<svg');
});
