/** Payments by the house gateway: every outcome of a card, and interruptions of the shopper. */
import { groupCardNumber } from '#payment-providers/house/browser/card-text.ts';
import { houseCards, houseChallengeCode, houseChallengeTries } from '#payment-providers/house/values.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expectConfirmed, fillCard } from './checkout.ts';
import { expectPath, fillLogin, password, registered } from './customer.ts';
import { expect, once, quick, test } from './fixtures.ts';
import { cartOf, closePopup, expectPopup, fillCart, mug, openPayment, payButton } from './paying.ts';
import type { Shop } from './shop.ts';

async function payWith(shop: Shop, number: string): Promise<void> {
  await fillCard(shop, groupCardNumber(number));
  await payButton(shop).click();
}

const challenge = (shop: Shop) =>
  shop.page.getByRole('alertdialog', { name: shop.t('payment.challenge.title') });

async function answerChallenge(shop: Shop, code: string): Promise<void> {
  await challenge(shop)
    .getByRole('textbox', { name: shop.t('payment.challenge.code') })
    .fill(code);
  await challenge(shop)
    .getByRole('button', { name: shop.t('payment.challenge.confirm') })
    .click();
}

const numberField = (shop: Shop) => shop.field('payment.card.number');

test('one button fills in a test card that pays', { tag: once }, async ({ shop }) => {
  await openPayment(shop);
  await shop.button(shop.t('payment.demo.fill')).click();
  await expect(shop.main.getByRole('img', { name: 'Visa' })).toBeVisible();
  await expect(shop.field('payment.card.expiry')).toHaveValue(/^12 \/ \d\d$/);
  await payButton(shop).click();
  await expectConfirmed(shop);
});

test('a guest at a table pays by card without an address', { tag: [once, quick] }, async ({ shop }) => {
  await shop.call('addToCart', { params: { itemName: mug }, body: { quantity: 1 } });
  const query = { methodName: 'instore', localStoreName: 'toronto-queen-west', tableNumber: '7' };
  await shop.call('orderContactInfo', { query, body: { contact: {} } });
  await shop.open('/payment');
  await shop.main.getByRole('radio', { name: new RegExp(`^${shop.t('payment.method.online')}`) }).check();
  await shop.button(shop.t('payment.demo.fill')).click();
  await expect(shop.main.getByRole('heading', { name: shop.t('payment.billing.title') })).toBeHidden();
  await payButton(shop).click();
  await expect(shop.heading).toHaveText(shop.t('confirm.title'));
});

test('a declined card, a wrong code and a failing gateway are each reported, and what was typed stays', {
  tag: [once, quick],
}, async ({ shop }) => {
  for (const status of [402, 422, 503]) shop.watch.allowStatus(status);
  await openPayment(shop);

  await payWith(shop, houseCards.decline);
  await closePopup(shop, await expectPopup(shop, 'transaction', 'payment.declined'));
  await expect(numberField(shop)).toHaveValue(groupCardNumber(houseCards.decline));

  await payWith(shop, houseCards.codeInvalid);
  await closePopup(shop, await expectPopup(shop, 'validation', 'rule.cardCodeInvalid'));
  await expect(shop.field('payment.card.code')).toBeFocused();
  await expect(shop.field('payment.card.code')).toHaveAttribute('aria-invalid', 'true');

  // The check digit is wrong, which the form does not know.
  await payWith(shop, '4242424242424241');
  await closePopup(shop, await expectPopup(shop, 'validation', 'rule.cardNumberInvalid'));
  await expect(numberField(shop)).toBeFocused();

  await payWith(shop, houseCards.unavailable);
  await closePopup(shop, await expectPopup(shop, 'system'));
  await expect(numberField(shop)).toHaveValue(groupCardNumber(houseCards.unavailable));

  await payWith(shop, houseCards.approve);
  await expectConfirmed(shop);
});

test('a missing answer is a system error, a strange one a network error; and paying again pays once', {
  tag: once,
}, async ({ shop, page }) => {
  shop.watch.allowStatus(502);
  shop.watch.allow(/billing\/%7Bhost%7D|ERR_FAILED/);
  await openPayment(shop);
  const billing = '**/shoppingManagement4/billing/**';

  await page.route(billing, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 502 }) : route.fallback(),
  );
  await payWith(shop, houseCards.approve);
  await closePopup(shop, await expectPopup(shop, 'network'));
  await page.unroute(billing);

  await loseAnswer(shop);
  await payButton(shop).click();
  await closePopup(shop, await expectPopup(shop, 'system'));
  await expect(shop.main.getByText(shop.t('payment.undecided.again'))).toBeVisible();
  await shop.button(shop.t('payment.askAgain')).click();
  await expectConfirmed(shop);
});

test('an order whose answer was lost is found by a reloaded page', { tag: once }, async ({ shop, page }) => {
  shop.watch.allow(/billing\/%7Bhost%7D|ERR_FAILED/);
  await openPayment(shop);
  await loseAnswer(shop);
  await payWith(shop, houseCards.approve);
  await closePopup(shop, await expectPopup(shop, 'system'));
  await page.reload();
  await expectConfirmed(shop);
});

/** The shop takes the money, and its answer is lost on the way. */
async function loseAnswer({ page }: Shop): Promise<void> {
  await page.route('**/shoppingManagement4/billing/**', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    await route.abort();
  });
}

test('an authorization error ends the session, leads to sign-in, and then back to the payment', {
  tag: once,
}, async ({ shop, page }) => {
  shop.watch.allowStatus(401);
  const email = await registered(shop);
  await openPayment(shop);
  await payWith(shop, houseCards.notAuthorized);
  await closePopup(shop, await expectPopup(shop, 'authorization', 'payment.notAuthorized'));
  await expectPath(page, shop, '/account/login');
  expect(await shop.call('userInfo')).toMatchObject({ user: null });

  await fillLogin(shop, page, email, password);
  await expect(shop.heading).toHaveText(shop.t('payment.title'));
  await payWith(shop, houseCards.approve);
  await expectConfirmed(shop);
});

test.describe('bank verification', () => {
  test.beforeEach(async ({ shop }) => {
    await openPayment(shop);
    await payWith(shop, houseCards.challenge);
    await expect(challenge(shop)).toBeVisible();
  });

  test('a wrong bank code is reported, and the right one pays', { tag: [once, quick] }, async ({
    shop,
    page,
  }) => {
    shop.watch.allowStatus(400);
    await expect(challenge(shop).getByRole('textbox')).toBeFocused();
    await expect(challenge(shop)).toContainText(houseChallengeCode);
    await expectNoSeriousAxe(page);
    await challenge(shop)
      .getByRole('button', { name: shop.t('payment.challenge.confirm') })
      .click();
    await expect(challenge(shop)).toContainText(shop.t('payment.challenge.codeMissing'));
    await answerChallenge(shop, '000000');
    await expect(challenge(shop)).toContainText(shop.t('payment.challengeWrong'));
    await expect(challenge(shop).getByRole('textbox')).toBeFocused();
    await answerChallenge(shop, houseChallengeCode);
    await expectConfirmed(shop);
  });

  test('a card with too many wrong bank codes is given up, and another card can be tried', {
    tag: once,
  }, async ({ shop }) => {
    shop.watch.allowStatus(400);
    shop.watch.allowStatus(402);
    for (let tries = 1; tries <= houseChallengeTries; tries++) {
      await answerChallenge(shop, '000000');
      if (tries < houseChallengeTries)
        await expect(challenge(shop)).toContainText(shop.t('payment.challengeWrong'));
    }
    await closePopup(shop, await expectPopup(shop, 'transaction', 'payment.notVerified'));
    await expect(numberField(shop)).toHaveValue(groupCardNumber(houseCards.challenge));
    await payWith(shop, houseCards.approve);
    await expectConfirmed(shop);
  });

  test('an abandoned bank verification gives the cart back', { tag: once }, async ({ shop }) => {
    await challenge(shop)
      .getByRole('button', { name: shop.t('payment.challenge.cancel') })
      .click();
    await expect(shop.main.getByText(shop.t('payment.cancelled'))).toBeVisible();
    expect(await cartOf(shop)).toMatchObject({ state: 'cart' });
    await payWith(shop, houseCards.approve);
    await expectConfirmed(shop);
  });

  test('a reloaded page continues the bank verification', { tag: once }, async ({ shop, page }) => {
    await page.reload();
    await expect(challenge(shop)).toBeVisible();
    await answerChallenge(shop, houseChallengeCode);
    await expectConfirmed(shop);
  });

  test('a return to the cart ends the bank verification, and the cart can be changed', { tag: once }, async ({
    shop,
    page,
  }) => {
    await shop.open('/cart');
    await expect.poll(async () => (await cartOf(shop)).state).toBe('cart');
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('paying'))).toBeNull();
    await expect(shop.link(shop.t('cart.checkout'))).toBeVisible();
    await shop.call('updateCartItem', { params: { itemName: mug }, body: { quantity: 2 } });
  });
});

test('changes from another tab are shown for review before anything is paid', { tag: once }, async ({
  shop,
}) => {
  shop.watch.allowStatus(409);
  await openPayment(shop);
  await fillCard(shop, groupCardNumber(houseCards.approve));
  await shop.call('updateCartItem', { params: { itemName: mug }, body: { quantity: 2 } });
  await payButton(shop).click();

  const dialog = shop.page.getByRole('alertdialog', { name: shop.t('payment.changed.title') });
  await expect(dialog.getByRole('listitem').filter({ hasText: /2/ }).first()).toBeVisible();
  await expect(dialog.getByText(shop.like('payment.changed.total'))).toBeVisible();
  await expectNoSeriousAxe(shop.page);
  await dialog.getByRole('button', { name: shop.like('payment.changed.accept') }).click();
  await expectConfirmed(shop);
});

test('a promo code that no longer applies is shown with its effect on the bill', { tag: once }, async ({
  shop,
}) => {
  shop.watch.allowStatus(409);
  await fillCart(shop);
  await shop.call('couponVerification', { params: { code: 'WELCOME10' } });
  await shop.open('/payment');
  await fillCard(shop, groupCardNumber(houseCards.approve));
  await shop.call('removeCoupon', { body: {} });
  await payButton(shop).click();

  const dialog = shop.page.getByRole('alertdialog', { name: shop.t('payment.changed.title') });
  await expect(dialog).toContainText(shop.t('payment.changed.couponGone', { code: 'WELCOME10' }));
  await expect(dialog.getByText(shop.like('payment.changed.discount'))).toBeVisible();
  await expect(dialog.getByText(shop.like('payment.changed.tax'))).toBeVisible();
  await dialog.getByRole('button', { name: shop.like('payment.changed.accept') }).click();
  await expectConfirmed(shop);
});

test('a shop without payment methods says so in their place', { tag: once }, async ({ shop, page }) => {
  await fillCart(shop);
  let config = {};
  await page.route('**/shoppingManagement4/paymentConfig*', (route) => route.fulfill({ json: config }));
  const none = {
    payAtStoreEnabled: false,
    paymentOnline: false,
    payPalEnabled: false,
    defaultGateWayProviderName: '',
  };

  config = none;
  await shop.open('/payment');
  await expect(shop.main.getByText(shop.t('rule.paymentMethodsNone'))).toBeVisible();
  await expect(payButton(shop)).toBeHidden();

  config = { ...none, paymentOnline: true };
  await shop.open('/payment');
  await expect(shop.main.getByText(shop.t('rule.gatewayNotSetUp'))).toBeVisible();

  // Nothing online, and what is shipped cannot be paid at the store.
  config = { ...none, payAtStoreEnabled: true };
  await shop.open('/payment');
  await expect(shop.main.getByText(shop.t('rule.paymentMethodNotSetUp'))).toBeVisible();
});

test('a form that fails to load says what to do, and works after a retry', { tag: once }, async ({
  shop,
  page,
}) => {
  shop.watch.allow(/panel-|ERR_FAILED/);
  const chunk = /\/assets\/panel-[^/]*\.js$/;
  await page.route(chunk, (route) => route.abort());
  await openPaymentWithout(shop);
  await expect(shop.main.getByText(shop.t('payment.script.title'))).toBeVisible();
  await expect(payButton(shop)).toBeHidden();
  await page.unroute(chunk);
  await shop.button(shop.t('payment.script.retry')).click();
  await payWith(shop, houseCards.approve);
  await expectConfirmed(shop);
});

async function openPaymentWithout(shop: Shop): Promise<void> {
  await fillCart(shop);
  await shop.open('/payment');
}

test('the pages of a shop with the house gateway allow no other hosts but the video players', {
  tag: once,
}, async ({ shop }) => {
  await fillCart(shop);
  for (const path of ['/', '/checkout', '/payment']) {
    const policy = (await shop.open(path))?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'self'");
    const others = policy.split('; ').filter((directive) => !directive.startsWith('frame-src'));
    expect(others.join()).not.toContain('http');
    // Other tests publish films meanwhile.
    const framed = policy.match(/https?:[^ ;]*/g) ?? [];
    expect(['https://player.vimeo.com', 'https://www.youtube-nocookie.com']).toEqual(
      expect.arrayContaining(framed),
    );
  }
});

test('the payment page names the rule of checkout that an order breaks, and leads to checkout', {
  tag: once,
}, async ({ shop }) => {
  shop.watch.allowStatus(400);
  await fillCart(shop);
  await shop.call('addToCart', { params: { itemName: 'MC-DR-01' }, body: { quantity: 1 } });
  await shop.open('/payment');
  await expect(shop.main.getByRole('alert')).toContainText(
    shop.t('rule.onlyDeliveredNearby', { product: '' }).trim(),
  );
  await expectNoSeriousAxe(shop.page);
  await shop.link(shop.t('payment.incomplete.action')).click();
  await expect(shop.heading).toHaveText(shop.t('checkout.title'));
});

test('a card is billed in a country the shop does not ship to', { tag: once }, async ({ shop, page }) => {
  const { t } = shop;
  await openPayment(shop);
  await fillCard(shop, groupCardNumber(houseCards.approve));
  await shop.main.getByRole('checkbox', { name: t('payment.billing.same') }).uncheck();
  await shop.field('checkout.address.country').selectOption('FR');
  await expect(shop.field('checkout.address.country').locator('option:checked')).toHaveText(
    shop.lang === 'zh' ? '法国' : 'France',
  );
  await shop.field('checkout.address.street').fill('1 rue de Rivoli');
  await shop.field('checkout.address.city').fill('Paris');
  await shop.field('checkout.address.postCode.CN').fill('75001');
  await expectNoSeriousAxe(page);
  await payButton(shop).click();
  await expectConfirmed(shop);
});
