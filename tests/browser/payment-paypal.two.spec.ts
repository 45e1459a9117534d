/** Payments by PayPal: button, window, declines, cancellation, outages and webhooks. */
import type { Page } from '@playwright/test';
import { type PayPalBeside, startPayPalBeside } from '#tests/fakes/paypal/with-fake.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expectConfirmed } from './checkout.ts';
import { expectPath } from './customer.ts';
import { expect, once } from './fixtures.ts';
import { cartOf, closePopup, expectPopup, openPayment } from './paying.ts';
import { testBeside } from './payment-shop.ts';
import type { Shop } from './shop.ts';

const test = testBeside(startPayPalBeside);

/** The button is PayPal's, and speaks the shop's language. */
const label = { en: 'Pay with PayPal', zh: '使用 PayPal 付款' };
const invalid = 'payment.paypal.invalid';

const payPalButton = (shop: Shop) => shop.button(label[shop.lang]);

async function openPayPal(shop: Shop): Promise<void> {
  await openPayment(shop);
  await shop.main.getByRole('radio', { name: new RegExp(`^${shop.t('payment.method.payPal')}`) }).check();
}

async function openWindow(shop: Shop): Promise<Page> {
  await expect(payPalButton(shop)).toBeVisible();
  const opened = shop.page.waitForEvent('popup');
  await payPalButton(shop).click();
  const window = await opened;
  await expect(window.getByRole('heading', { name: 'PayPal' })).toBeVisible();
  return window;
}

/** Clicks a button in PayPal's window. A button that closes the window can end it before the click is acknowledged. */
async function press(window: Page, name: string): Promise<void> {
  const click = window.getByRole('button', { name, exact: true }).click();
  await click.catch((error: unknown) => {
    if (!window.isClosed()) throw error;
  });
}

/** The order at PayPal that was made last. */
function latest(fake: PayPalBeside) {
  const order = [...fake.orders.values()].at(-1);
  if (!order) throw new Error('No order at PayPal');
  return order;
}

test('approval in the window pays the total, and no request goes to PayPal before it is chosen', async ({
  shop,
  fake,
  page,
}) => {
  await openPayment(shop);
  expect(fake.visited).toEqual([]);
  await openPayPal(shop);
  await expect(payPalButton(shop)).toBeVisible();
  await expectNoSeriousAxe(page);
  await press(await openWindow(shop), 'Pay now');
  await expectConfirmed(shop);
  const oid = new URL(page.url()).searchParams.get('oid') ?? '';
  const { bill } = (await shop.call('order', { params: { id: oid } })) as { bill: { total: number } };
  expect(fake.taken(latest(fake).customId)).toBe(bill.total);
});

test('a payment that PayPal declines is reported, and another approval pays', { tag: once }, async ({
  shop,
}) => {
  shop.watch.allowStatus(402);
  await openPayPal(shop);
  await press(await openWindow(shop), 'Pay with an account that is declined');
  await closePopup(shop, await expectPopup(shop, 'transaction', 'payment.paypal.declined'));
  await press(await openWindow(shop), 'Pay now');
  await expectConfirmed(shop);
});

test('a shopper whose card is declined chooses another one in PayPal’s window, which opens again', {
  tag: once,
}, async ({ shop, fake }) => {
  await openPayPal(shop);
  const window = await openWindow(shop);
  await press(window, 'Pay with a card that is declined');
  const { id, customId } = latest(fake);
  await expect.poll(() => fake.orders.get(id)?.declined).toBe(true);
  await press(window, 'Pay now');
  await expectConfirmed(shop);
  expect([fake.orders.size > 0, latest(fake).id]).toEqual([true, id]);
  expect(fake.taken(customId)).toBeGreaterThan(0);
});

for (const how of ['by its button', 'by closing it'] as const) {
  test(`the shopper who leaves the window ${how} is back at checkout with the cart, and nothing can be charged any more`, {
    tag: once,
  }, async ({ shop, fake, page }) => {
    await openPayPal(shop);
    const window = await openWindow(shop);
    if (how === 'by its button') await press(window, 'Cancel and return');
    else await window.close();
    await expectPath(page, shop, '/checkout');
    const order = latest(fake);
    expect(await cartOf(shop)).toMatchObject({ state: 'cart', lineItems: [{ sku: 'MC-CM-01-OAT' }] });
    // Whoever agrees late, in a window that was left open.
    fake.approve(order.id);
    expect(await fake.send(fake.webhook(order.id, 'CHECKOUT.ORDER.APPROVED'))).toBe(200);
    expect(fake.taken(order.customId)).toBe(0);
  });
}

test('a PayPal payment without a token reports that its settings are invalid, and the cart can be paid later', {
  tag: once,
}, async ({ shop, fake }) => {
  shop.watch.allowStatus(503);
  await openPayPal(shop);
  for (const fail of [() => fake.revoke(), () => void fake.fail('error', /orders$/)]) {
    await expect(payPalButton(shop)).toBeVisible();
    fail();
    // Its window opens and closes; were it not awaited here, `openWindow` could take it for its own.
    const opened = shop.page.waitForEvent('popup');
    await payPalButton(shop).click();
    const window = await opened;
    await expect(shop.main.getByText(shop.t(invalid), { exact: true })).toBeVisible();
    await expect.poll(() => window.isClosed()).toBe(true);
    expect((await cartOf(shop)).state).toBe('cart');
    fake.restore();
    fake.lift();
  }
  await press(await openWindow(shop), 'Pay now');
  await expectConfirmed(shop);
});

for (const delivery of ['first', 'twice'] as const) {
  test(`one order is placed whatever happens to PayPal’s webhook (${delivery})`, { tag: once }, async ({
    shop,
    fake,
  }) => {
    fake.delivery = delivery;
    await openPayPal(shop);
    await press(await openWindow(shop), 'Pay now');
    await expectConfirmed(shop);
    const { customId, capture } = latest(fake);
    expect(fake.taken(customId)).toBe(Math.round(Number(capture?.amount.value) * 100));
  });
}

test('a shopper who approved and lost the page finds the order placed on return, even without a webhook', {
  tag: once,
}, async ({ shop, fake, page }) => {
  await openPayPal(shop);
  await openWindow(shop);
  const { id, customId } = latest(fake);
  await page.goto('about:blank');
  fake.approve(id);
  await shop.open('/payment');
  await expectConfirmed(shop);
  expect(fake.taken(customId)).toBeGreaterThan(0);
});

test('a payment under review by PayPal is awaited and placed when it completes', { tag: once }, async ({
  shop,
  fake,
}) => {
  shop.watch.allowStatus(503);
  await openPayPal(shop);
  await press(await openWindow(shop), 'Pay with what is reviewed');
  await closePopup(shop, await expectPopup(shop, 'system'));
  await expect(shop.main.getByText(shop.t('payment.undecided.again'))).toBeVisible();
  const { id } = latest(fake);
  fake.review(id, 'COMPLETED');
  expect(await fake.send(fake.webhook(id, 'PAYMENT.CAPTURE.COMPLETED'))).toBe(200);
  await shop.button(shop.t('payment.askAgain')).click();
  await expectConfirmed(shop);
});

test('a blocked PayPal script is reported and can be retried', { tag: once }, async ({ shop, fake }) => {
  shop.watch.allow(/www\.paypal\.com/);
  fake.script = false;
  await openPayPal(shop);
  const retry = shop.button(shop.t('payment.script.retry'));
  await expect(retry).toBeVisible();
  fake.script = true;
  await retry.click();
  await expect(payPalButton(shop)).toBeVisible();
});
