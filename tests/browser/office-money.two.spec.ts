/** The money of an order in the office: refunds by line, and other lines for the difference. */
import { staffTranslate } from '#contract/staff/messages.ts';
import { address, card } from '#tests/shop-actions.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { shopper } from './checkout.ts';
import { expect, once, quick, test } from './fixtures.ts';
import { enterAs } from './office.ts';

const contact = {
  firstName: shopper.firstName,
  lastName: shopper.lastName,
  email: shopper.email,
  phoneNumber: shopper.phone,
};
/** What a line of money says, in cents. */
const cents = (text: string | null) =>
  Math.round(Number(/\d[\d,]*\.\d\d/.exec(text ?? '')?.[0]?.replace(',', '')) * 100);

test('a unit of a line is refunded with its tax, and a paid order gets more and less for the difference', {
  tag: [once, quick],
}, async ({ shop, page, lang, watch }) => {
  const t = staffTranslate(lang);
  await shop.call('addToCart', { params: { itemName: 'MC-GT-01-250' }, body: { quantity: 3 } });
  await shop.call('orderDeliverInfo', { body: { contact, address } });
  const body = { paymentInstrucment: card(), billingAddress: address };
  const { orderID: id } = (await shop.call('postBilling', { params: { gatewayName: '{host}' }, body })) as {
    orderID: string;
  };
  const order = () =>
    shop.call('order', { params: { id } }) as Promise<{
      orderNumber: string;
      due: number;
      bill: { total: number };
      payment: { refunded: number };
      lineItems: { productName: string; quantity: number }[];
    }>;
  const before = await order();
  const product = before.lineItems[0]?.productName ?? '';
  await enterAs({ page, watch }, 'Mei Chen', `orders/${before.orderNumber}`);
  const dialog = page.getByRole('dialog');
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  const open = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click();

  await open(t('office.refund.title'));
  await press(t('office.refund.more', { product }));
  await expect(dialog.getByText(t('office.refund.of', { units: 1, most: 3 }))).toBeVisible();
  await expect(dialog.getByLabel(t('office.refund.notSent'))).toBeChecked();
  await expectNoSeriousAxe(page);
  const refund = dialog.getByRole('button', { name: t('office.refund.send', { amount: '' }).trim() });
  const refunded = cents(await refund.textContent());
  await refund.click();
  await expect(dialog).toHaveCount(0);
  expect(refunded).toBeGreaterThan(0);
  await expect.poll(async () => (await order()).payment.refunded).toBe(refunded);

  await open(t('office.change.title'));
  await press(t('office.refund.more', { product }));
  const due = cents(await dialog.getByText(t('office.change.due', { amount: '' }).slice(-30)).textContent());
  await expectNoSeriousAxe(page);
  await press(t('office.change.book'));
  await expect(dialog).toHaveCount(0);
  expect(await order()).toMatchObject({ due, lineItems: [{ quantity: 4 }] });

  await open(t('office.change.title'));
  await press(t('office.refund.fewer', { product }));
  await press(t('office.refund.fewer', { product }));
  const giveBack = dialog.getByRole('button', { name: t('office.change.bookBack', { amount: '' }).trim() });
  const back = cents(await giveBack.textContent());
  await giveBack.click();
  await expect(dialog).toHaveCount(0);
  await expect
    .poll(order)
    .toMatchObject({ due: 0, payment: { refunded: refunded + back }, lineItems: [{ quantity: 2 }] });
});
