/** Payments by Braintree’s drop-in: cards, declines, bank verification, and lost answers. */
import { type BraintreeBeside, dropinCards, startBraintreeBeside } from '#tests/fakes/braintree/with-fake.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expectConfirmed } from './checkout.ts';
import { expect, once } from './fixtures.ts';
import { cartOf, closePopup, expectPopup, fillCart, pay } from './paying.ts';
import { testBeside } from './payment-shop.ts';
import type { Shop } from './shop.ts';

const test = testBeside(startBraintreeBeside);

/** The words of the form, which are Braintree's. */
const words = {
  en: {
    number: 'Card Number',
    expiry: 'Expiration Date',
    error: 'Please fill out a card number.',
    code: 'Code',
    ok: 'Submit',
    no: 'Cancel',
  },
  zh: { number: '卡号', expiry: '有效期', error: '请填写卡号。', code: '验证码', ok: '提交', no: '取消' },
};

const number = (shop: Shop) => shop.main.getByRole('textbox', { name: words[shop.lang].number });
const bank = (shop: Shop) => shop.page.getByRole('dialog', { name: '3D Secure' });

async function openForm(shop: Shop): Promise<void> {
  await fillCart(shop);
  await shop.open('/payment');
  await expect(number(shop)).toBeVisible();
}

async function payWith(shop: Shop, card: string): Promise<void> {
  await number(shop).fill(card);
  await shop.main.getByRole('textbox', { name: words[shop.lang].expiry }).fill('12/34');
  await pay(shop);
}

async function answerBank(shop: Shop, code: string): Promise<void> {
  await bank(shop).getByRole('textbox', { name: words[shop.lang].code }).fill(code);
  await bank(shop).getByRole('button', { name: words[shop.lang].ok }).click();
}

/** The sale at Braintree that was made last. */
function latest(fake: BraintreeBeside) {
  const sale = [...fake.transactions.values()].at(-1);
  if (!sale) throw new Error('No sale at Braintree');
  return sale;
}

test('a card pays the order’s total in Braintree’s own form', async ({ shop, fake, page }) => {
  await shop.open('/cart');
  expect(fake.visited).toEqual([]);
  await openForm(shop);
  await expectNoSeriousAxe(page);
  await pay(shop);
  await expect(shop.main.getByText(words[shop.lang].error)).toBeVisible();
  await expect(number(shop)).toBeFocused();

  await payWith(shop, dropinCards.good);
  await expectConfirmed(shop);
  const oid = new URL(page.url()).searchParams.get('oid') ?? '';
  const { bill } = (await shop.call('order', { params: { id: oid } })) as { bill: { total: number } };
  expect(fake.taken(latest(fake).orderId)).toBe(bill.total);
  expect(latest(fake).deviceData).toContain('fake-device-session');
});

test('a declined card is reported, the form is empty for another one, and that one pays', {
  tag: once,
}, async ({ shop }) => {
  shop.watch.allowStatus(402);
  await openForm(shop);
  for (const card of [dropinCards.declined, dropinCards.fraud]) {
    await payWith(shop, card);
    await closePopup(shop, await expectPopup(shop, 'transaction', 'payment.declined'));
    await expect(number(shop)).toHaveValue('');
  }
  await payWith(shop, dropinCards.good);
  await expectConfirmed(shop);
});

test('a right answer to the bank pays, and a wrong one or none leaves the cart', { tag: once }, async ({
  shop,
  fake,
  page,
}) => {
  fake.threeDSecure = true;
  // The shop gives all shoppers one token for some minutes, which may be from before the account had 3-D Secure.
  await page.route(/btToken/, async (route) => {
    const answer = await route.fetch();
    const { token } = (await answer.json()) as { token: string };
    const said = JSON.parse(Buffer.from(token, 'base64').toString('utf8')) as object;
    const verified = Buffer.from(JSON.stringify({ ...said, threeDSecureEnabled: true })).toString('base64');
    await route.fulfill({ response: answer, json: { token: verified } });
  });
  await openForm(shop);
  await payWith(shop, dropinCards.asksHolder);
  await answerBank(shop, '0000');
  await expect(shop.main.getByText(shop.t('payment.notVerified'))).toBeVisible();

  await payWith(shop, dropinCards.asksHolder);
  await bank(shop).getByRole('button', { name: words[shop.lang].no }).click();
  await expect(bank(shop)).toBeHidden();
  await expect(number(shop)).toHaveValue('');
  expect(await cartOf(shop)).toMatchObject({ state: 'cart', lineItems: [{ sku: 'MC-CM-01-OAT' }] });

  await payWith(shop, dropinCards.asksHolder);
  await answerBank(shop, '1234');
  await expectConfirmed(shop);
});

test('a sale whose answer is lost is found and placed once', { tag: once }, async ({ shop, fake }) => {
  await openForm(shop);
  const before = fake.transactions.size;
  fake.fail('lost', /\/transactions$/, 1);
  await payWith(shop, dropinCards.good);
  await expectConfirmed(shop);
  expect(fake.transactions.size).toBe(before + 1);
});

test('a shopper whose sale gets no answer waits and tries again, and the order is placed', {
  tag: once,
}, async ({ shop, fake }) => {
  shop.watch.allowStatus(503);
  await openForm(shop);
  const lift = fake.fail('lost', /\/transactions/);
  await payWith(shop, dropinCards.good);
  await closePopup(shop, await expectPopup(shop, 'system'));
  await expect(shop.main.getByText(shop.t('payment.undecided.again'))).toBeVisible();
  lift();
  await shop.button(shop.t('payment.askAgain')).click();
  await expectConfirmed(shop);
});

test('a form that fails to load is reported and can be retried', { tag: once }, async ({
  shop,
  fake,
  page,
}) => {
  shop.watch.allow(/js\.braintreegateway\.com/);
  shop.watch.allowStatus(503);
  fake.script = false;
  await fillCart(shop);
  const token = page.waitForResponse(/btToken/);
  await shop.open('/payment');
  const retry = shop.button(shop.t('payment.script.retry'));
  await expect(retry).toBeVisible();
  // The token was asked for beside the script; else that call could be the one to fail below.
  await token;

  fake.script = true;
  // Now its script is there, but no token for it.
  await page.route(
    /btToken/,
    (route) => route.fulfill({ status: 503, json: { errorKey: 'error.provider' } }),
    { times: 1 },
  );
  await retry.click();
  await expect(retry).toBeVisible();
  await retry.click();
  await expect(number(shop)).toBeVisible();
});
