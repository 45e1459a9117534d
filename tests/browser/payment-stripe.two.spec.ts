/** Payments by Stripe: form, outcomes, bank verification, and lost answers. */
import { testCards } from '#tests/fakes/stripe/cards.ts';
import { type StripeBeside, startStripeBeside } from '#tests/fakes/stripe/with-fake.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expectConfirmed } from './checkout.ts';
import { expect, once, type Page } from './fixtures.ts';
import { cartOf, closePopup, expectPopup, fillCart, pay, payButton, press } from './paying.ts';
import { testBeside } from './payment-shop.ts';
import type { Shop } from './shop.ts';

const test = testBeside(startStripeBeside);

/** The words of the form, which are Stripe's. */
const words = {
  en: {
    number: 'Card number',
    expiry: 'Expiration date',
    code: 'Security code',
    numberError: /card number is incomplete/,
  },
  zh: { number: '卡号', expiry: '有效期', code: '安全码', numberError: /卡号不完整/ },
};

const frame = (page: Page) => page.frameLocator('iframe[title="Secure payment input frame"]');
const bank = (page: Page) => page.frameLocator('iframe[title="3D Secure"]');
const numberField = (shop: Shop) => frame(shop.page).getByRole('textbox', { name: words[shop.lang].number });

/** The payment page, where nothing but paying by card is offered. */
async function openPage(shop: Shop): Promise<void> {
  await fillCart(shop);
  await shop.open('/payment');
}

async function openForm(shop: Shop): Promise<void> {
  await openPage(shop);
  await expect(numberField(shop)).toBeVisible();
  // Until its frame says that it is ready nothing can be typed into it.
  await expect(payButton(shop)).toBeEnabled();
}

const order = async (shop: Shop) => (await shop.call('myCart')) as { bill: { total: number } };

/** By the summary beside the form, which on a phone is a fold. */
async function applyCoupon(shop: Shop, code: string): Promise<void> {
  const summary = shop.main.getByRole('complementary');
  const field = shop.field('coupon.label');
  if (shop.phone) await summary.locator('summary').first().click();
  await summary.getByText(shop.t('coupon.title')).click();
  await field.fill(code);
  await shop.button(shop.t('coupon.apply')).click();
}

async function type(shop: Shop, number: string): Promise<void> {
  await numberField(shop).fill(number);
  await frame(shop.page).getByRole('textbox', { name: words[shop.lang].expiry }).fill('12 / 34');
  await frame(shop.page).getByRole('textbox', { name: words[shop.lang].code }).fill('123');
}

async function payWith(shop: Shop, { number }: { number: string }): Promise<void> {
  await type(shop, number);
  await pay(shop);
}

/** What Stripe has taken in this shop, cents by order. */
function takenBy(fake: StripeBeside): number[] {
  return [...fake.account.charges.values()].filter(({ paid }) => paid).map(({ amount }) => amount);
}

test('a card pays the order’s total in Stripe’s own form', async ({ shop, fake, page }) => {
  const before = takenBy(fake).length;
  await shop.open('/cart');
  expect(fake.asked).toEqual([]);
  await openForm(shop);
  await expectNoSeriousAxe(page);
  await pay(shop);
  await expect(frame(page).getByText(words[shop.lang].numberError)).toBeVisible();
  await expect(numberField(shop)).toBeFocused();

  await payWith(shop, testCards.approve);
  await expectConfirmed(shop);
  const { bill } = (await shop.call('order', { params: { id: orderIdIn(page) } })) as {
    bill: { total: number };
  };
  expect(takenBy(fake).slice(before)).toEqual([bill.total]);
  // For Radar, and for ways to pay that demand them.
  const token = [...fake.account.tokens.values()].at(-1);
  expect(token?.billing).toMatchObject({
    name: expect.stringMatching(/\S/),
    email: expect.stringContaining('@'),
  });
});

test('a declined card is reported with its reason, and another one pays', { tag: once }, async ({ shop }) => {
  for (const status of [402, 422, 503]) shop.watch.allowStatus(status);
  await openForm(shop);
  await payWith(shop, testCards.declined);
  await closePopup(shop, await expectPopup(shop, 'transaction', 'payment.declined'));
  await payWith(shop, testCards.noFunds);
  await closePopup(shop, await expectPopup(shop, 'transaction', 'payment.insufficientFunds'));
  await payWith(shop, testCards.expired);
  await closePopup(shop, await expectPopup(shop, 'validation', 'rule.cardExpired'));
  await payWith(shop, testCards.notProcessed);
  await closePopup(shop, await expectPopup(shop, 'system'));
  await payWith(shop, testCards.approve);
  await expectConfirmed(shop);
});

test('a payment that the shopper confirms with the bank is placed', { tag: once }, async ({ shop, page }) => {
  await openForm(shop);
  await payWith(shop, testCards.asksHolder);
  await press(bank(page).getByRole('button', { name: 'Complete' }));
  await expectConfirmed(shop);
});

test('a payment that the shopper refuses at the bank leaves the cart, and another card pays', {
  tag: once,
}, async ({ shop, page }) => {
  shop.watch.allowStatus(402);
  await openForm(shop);
  await payWith(shop, testCards.asksHolder);
  await press(bank(page).getByRole('button', { name: 'Cancel' }));
  await closePopup(shop, await expectPopup(shop, 'transaction', 'payment.authenticationFailed'));
  expect((await cartOf(shop)).lineItems).toHaveLength(1);
  await payWith(shop, testCards.approve);
  await expectConfirmed(shop);
});

test('a page reloaded during the bank’s question asks again', { tag: once }, async ({ shop, page }) => {
  await openForm(shop);
  await payWith(shop, testCards.asksHolder);
  await expect(bank(page).getByRole('button', { name: 'Complete' })).toBeVisible();
  await page.reload();
  await press(bank(page).getByRole('button', { name: 'Complete' }));
  await expectConfirmed(shop);
});

for (const delivery of ['after', 'first', 'twice', 'lost'] as const) {
  test(`one order is placed whatever happens to Stripe’s webhook (${delivery})`, { tag: once }, async ({
    shop,
    fake,
    page,
  }) => {
    fake.webhooks.delivery = delivery;
    const before = takenBy(fake).length;
    await openForm(shop);
    await payWith(shop, testCards.asksHolder);
    await press(bank(page).getByRole('button', { name: 'Complete' }));
    await expectConfirmed(shop);
    await fake.webhooks.settled();
    expect(takenBy(fake)).toHaveLength(before + 1);
    expect(fake.webhooks.answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
}

test('an order is placed even if the shopper never comes back from the bank', { tag: once }, async ({
  shop,
  fake,
  page,
}) => {
  await openForm(shop);
  await payWith(shop, testCards.asksHolder);
  await expect(bank(page).getByRole('button', { name: 'Complete' })).toBeVisible();
  await page.goto('about:blank');
  const waiting = [...fake.account.intents.values()].findLast(({ status }) => status === 'requires_action');
  await fake.answer(waiting?.id ?? '', true);
  await fake.webhooks.settled();
  // The cart is an order now, and the shopper has a new one.
  expect((await cartOf(shop)).lineItems).toEqual([]);
});

test('a redirect method comes back to the payment and completes it', { tag: once }, async ({
  shop,
  page,
}) => {
  shop.watch.allowStatus(402);
  await openForm(shop);
  for (const agrees of [false, true]) {
    await frame(page).getByRole('radio').last().check();
    await pay(shop);
    await page.getByRole('link', { name: agrees ? 'Authorize' : 'Fail' }).click();
    if (agrees) await expectConfirmed(shop);
    else {
      await closePopup(shop, await expectPopup(shop, 'transaction', 'payment.declinedElsewhere'));
      // What Stripe added to it is gone from the address.
      await expect(page).toHaveURL(new RegExp(`${shop.url('/payment')}$`));
    }
  }
});

test('the Stripe form follows the bill and the dark scheme', { tag: once }, async ({ shop, page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await openForm(shop);
  const { bill: before } = await order(shop);
  const amount = frame(page).locator('html');
  await expect(amount).toHaveAttribute('data-amount', String(before.total));
  await expect(page.locator('iframe[title="Secure payment input frame"]')).toHaveCSS('color-scheme', 'light');
  await applyCoupon(shop, 'WELCOME10');
  await expect.poll(async () => (await order(shop)).bill.total).toBeLessThan(before.total);
  const { bill: after } = await order(shop);
  await expect(amount).toHaveAttribute('data-amount', String(after.total));
});

test('a blocked Stripe script is reported and can be retried', { tag: once }, async ({
  shop,
  fake,
  page,
}) => {
  shop.watch.allow(/js\.stripe\.com/);
  fake.script = false;
  await openPage(shop);
  const retry = shop.button(shop.t('payment.script.retry'));
  await expect(retry).toBeVisible();
  await expectNoSeriousAxe(page);
  fake.script = true;
  await retry.click();
  await expect(payButton(shop)).toBeEnabled();
  await payWith(shop, testCards.approve);
  await expectConfirmed(shop);
});

test('a Stripe outage is a system error, and the cart can be paid when Stripe is back', {
  tag: once,
}, async ({ shop, fake }) => {
  shop.watch.allowStatus(503);
  await openForm(shop);
  fake.faults.add({ call: 'create', kind: 'cut before' });
  await payWith(shop, testCards.approve);
  await closePopup(shop, await expectPopup(shop, 'system'));
  fake.faults.clear();
  await payWith(shop, testCards.approve);
  await expectConfirmed(shop);
});

function orderIdIn(page: Page): string {
  return new URL(page.url()).searchParams.get('oid') ?? '';
}
