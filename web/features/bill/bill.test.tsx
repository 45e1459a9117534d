import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { sampleBill } from '#tests/sample-bill.ts';
import { I18nProvider } from '#ui/i18n.tsx';
import { loadI18n } from '#web/i18n/messages.ts';
import { BillView } from './bill.tsx';

it.each([
  ['en', 'May 19, 2026'],
  ['zh', '2026年5月19日'],
] as const)('the bill dates a refund by the clock of the store: %s', async (locale, day) => {
  // Late in the evening in Toronto, and the next day in Greenwich.
  const refunds = [{ amount: 1000, tip: 0, done: true, at: Date.UTC(2026, 4, 20, 2) }];
  const order = {
    bill: sampleBill,
    method: 'pickup',
    tips: null,
    tipRate: 0,
    tipAmount: null,
    refunds,
    timeZone: 'America/Toronto',
  } as const;
  const i18n = await loadI18n(locale);
  const view = <BillView order={order} />;
  expect(renderToStaticMarkup(<I18nProvider i18n={i18n}>{view}</I18nProvider>)).toContain(day);
});
