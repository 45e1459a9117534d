/** What people type without a blank stays within a phone's screen, wherever the office shows it. */
import { randomUUID } from 'node:crypto';
import { clientTokenHeader, requestKeyHeader, staffBase, staffToken } from '#contract/limits.ts';
import { address, card } from '#tests/shop-actions.ts';
import { shopper } from './checkout.ts';
import { newEmail, password } from './customer.ts';
import { expect, once, test } from './fixtures.ts';
import { enterAs } from './office.ts';
import type { Shop } from './shop.ts';

const long = (letter: string) => letter.repeat(70);
const store = 'toronto-queen-west';

/** Their account, and an order of theirs to be sent and one for a table. */
async function orderedBy(shop: Shop): Promise<string> {
  const name = { firstName: long('W'), lastName: long('M') };
  const email = newEmail();
  await shop.call('clientRegistration', { body: { ...name, email, password } });
  const contact = { ...name, email, phoneNumber: shopper.phone };
  const body = { paymentInstrucment: card(), billingAddress: address };
  await shop.call('addToCart', { params: { itemName: 'MC-TP-01' }, body: { quantity: 1 } });
  await shop.call('updateCustomerComment', { body: { value: long('Q') } });
  const home = { ...address, addressDescription: long('U') };
  await shop.call('orderDeliverInfo', { body: { contact, shippingContact: contact, address: home } });
  const sent = (await shop.call('postBilling', { params: { gatewayName: '{host}' }, body })) as {
    orderID: string;
  };
  await shop.call('addToCart', { params: { itemName: 'MC-DR-03' }, body: { quantity: 1, note: long('N') } });
  const query = { methodName: 'instore', localStoreName: store, tableNumber: '4' };
  await shop.call('orderContactInfo', { query, body: { contact } });
  await shop.call('postBilling', { params: { gatewayName: '{host}' }, body });
  return ((await shop.call('order', { params: { id: sent.orderID } })) as { orderNumber: string })
    .orderNumber;
}

test('a name or a note of seventy letters without a blank widens no page of the office on a phone', {
  tag: once,
}, async ({ shop, page, watch }) => {
  test.setTimeout(120_000);
  const number = await orderedBy(shop);
  await page.setViewportSize({ width: 360, height: 740 });
  await enterAs({ page, watch }, 'Mei Chen', 'orders');
  await page.getByRole('main').getByRole('link', { name: number }).waitFor();
  const headers = { [clientTokenHeader]: staffToken, [requestKeyHeader]: randomUUID() };
  const product = { id: 'long-name', name: { en: long('P'), zh: long('P') }, like: null };
  expect((await page.request.post(`${staffBase}products?lang=en`, { headers, data: product })).status()).toBe(
    200,
  );
  const beyond = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const widths: Record<string, number> = { orders: await beyond() };
  for (const [room, text] of [
    [`orders/${number}`, long('W')],
    ['desk', long('W')],
    ['kitchen', long('N')],
    ['customers', long('W')],
    [`orders/print?numbers=${number}`, long('W')],
    ['goods', long('P')],
    ['goods/long-name', long('P')],
  ] as const) {
    await page.goto(`/office/${room}`);
    await page.getByRole('main').getByText(text).first().waitFor();
    widths[room] = await beyond();
  }
  await page.goto('/office/customers');
  await page
    .getByRole('main')
    .getByRole('link', { name: long('W') })
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name: long('W') }).waitFor();
  widths.customer = await beyond();
  expect(Object.entries(widths).filter(([, wider]) => wider > 0)).toEqual([]);
});
