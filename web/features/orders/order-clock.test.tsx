import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Order } from '#contract/schemas/order.ts';
import { sampleOrder } from '#tests/sample-order.ts';
import { I18nProvider, loadI18n } from '#web/i18n/i18n.tsx';
import { OrderDetail } from './order-detail.tsx';

/** Thursday morning in Auckland, and Wednesday evening in Greenwich. */
const placedAt = Date.UTC(2026, 4, 20, 21, 30);

const order: Order = { ...sampleOrder, timeZone: 'Pacific/Auckland', placedAt };

it('an order page shows times in the time zone that the server gives, even if no store is displayed', async () => {
  const view = <OrderDetail order={order} stores={[]} actions={null} receipt={null} />;
  const html = renderToStaticMarkup(<I18nProvider i18n={await loadI18n('en')}>{view}</I18nProvider>);
  expect(html).toMatch(/May 21, 2026.*09:30/);
});
