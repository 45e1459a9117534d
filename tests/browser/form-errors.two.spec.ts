/** Form errors: each is shown at its field and says how to fix it. */
import {
  cards,
  chooseMethod,
  expectConfirmed,
  fillAddress,
  fillCard,
  fillContact,
  goToPayment,
  shopper,
} from './checkout.ts';
import { productName } from './demo.ts';
import { expect, once, test } from './fixtures.ts';
import { mug, openPayment, payButton } from './paying.ts';

test.describe('errors in the forms of checkout', () => {
  test.beforeEach(async ({ shop }) => {
    await shop.call('addToCart', { params: { itemName: 'MC-CM-01-OAT' }, body: { quantity: 1 } });
  });

  test('every missing field is named, the first one has the focus, and what was typed stays', async ({
    shop,
  }) => {
    const { t } = shop;
    await shop.open('/checkout');
    await chooseMethod(shop, 'shipping');
    await shop.field('checkout.contact.firstName').fill(shopper.firstName);
    await shop.button(t('checkout.continue')).click();
    for (const rule of [
      'rule.addressMissing',
      'rule.cityMissing',
      'rule.zipcodeMissing',
      'rule.emailMissing',
    ] as const) {
      await expect(shop.main.getByText(t(rule), { exact: true })).toBeVisible();
    }
    await expect(shop.field('checkout.contact.email')).toBeFocused();
    await expect(shop.field('checkout.contact.firstName')).toHaveValue(shopper.firstName);
  });

  test('a pickup needs a store, and a table its number', { tag: once }, async ({ shop }) => {
    const { t } = shop;
    // One store alone has the mug, and it would be chosen.
    await shop.call('deleteCartItem', { body: { itemName: 'MC-CM-01-OAT' } });
    await shop.call('addToCart', { params: { itemName: 'MC-OT-01-50' }, body: { quantity: 1 } });
    await shop.open('/checkout');
    await chooseMethod(shop, 'pickup');
    await shop.button(t('checkout.continue')).click();
    await expect(shop.main.getByText(t('rule.pickupStoreMissing'))).toBeVisible();
    await shop.call('addToCart', { params: { itemName: 'MC-DR-02-REG' }, body: { quantity: 1 } });
    await shop.open('/checkout');
    await chooseMethod(shop, 'instore');
    await shop.button(t('checkout.continue')).click();
    await expect(shop.main.getByText(t('rule.tableMissing'))).toBeVisible();
  });

  test('an invalid card is reported at its field, and a declined one can be replaced', async ({
    shop,
    page,
  }) => {
    const { t } = shop;
    await shop.open('/checkout');
    await chooseMethod(shop, 'shipping');
    await fillAddress(shop);
    await fillContact(shop);
    await goToPayment(shop);
    const pay = shop.button(shop.like('payment.pay'));
    await fillCard(shop, '4242');
    await pay.click();
    await expect(shop.main.getByText(t('rule.cardNumberInvalid'))).toBeVisible();
    await expect(shop.field('payment.card.number')).toBeFocused();

    shop.watch.allowStatus(402);
    await shop.field('payment.card.number').fill(cards.declined);
    await pay.click();
    const popup = page.getByRole('alertdialog', { name: t('payment.error.transaction.title') });
    await expect(popup).toBeVisible();
    await popup.getByRole('button', { name: t('payment.ok') }).click();
    await expect(shop.field('payment.card.holder')).toHaveValue(`${shopper.firstName} ${shopper.lastName}`);
    await shop.field('payment.card.number').fill(cards.approved);
    await pay.click();
    await expectConfirmed(shop);
  });

  test('a removed line can be put back', { tag: once }, async ({ shop, lang }) => {
    const { t } = shop;
    const product = productName('speckled-mug', lang);
    await shop.open('/cart');
    await shop.button(t('cart.line.removeNamed', { product })).click();
    await expect(shop.main.getByText(t('cart.removed', { product }))).toBeVisible();
    await expect(shop.cartLink(0)).toBeVisible();
    await shop.button(t('cart.undo')).click();
    await expect(shop.cartLink(1)).toBeVisible();
  });
});

test('a sold-out product says so and cannot be added to the cart', { tag: once }, async ({ shop }) => {
  const { t } = shop;
  await shop.open('/product/moon-jar');
  await expect(shop.main.getByText(t('product.outOfStock'), { exact: true })).toBeVisible();
  await expect(shop.main.getByText(t('rule.outOfStock'))).toBeVisible();
  await expect(shop.button(t('card.soldOut'))).toHaveAttribute('aria-disabled', 'true');
});

test('a quantity is at least 1 and at most 98', { tag: once }, async ({ shop }) => {
  const { t } = shop;
  await shop.open('/product/kyusu-side-handle');
  const quantity = shop.main.getByRole('spinbutton', { name: t('ui.quantity') });
  const more = shop.button(`${t('ui.quantity.more')} (${t('ui.quantity')})`);
  const fewer = shop.button(`${t('ui.quantity.less')} (${t('ui.quantity')})`);
  await expect(fewer).toHaveAttribute('aria-disabled', 'true');
  await quantity.fill('98');
  await quantity.press('Tab');
  await expect(more).toHaveAttribute('aria-disabled', 'true');
  await quantity.fill('0');
  await shop.button(t('product.add')).click();
  await expect(shop.main.getByText(t('rule.quantityInvalid'))).toBeVisible();
});

test('an empty cart cannot be checked out', { tag: once }, async ({ shop, page }) => {
  await shop.open('/checkout');
  await expect(page).toHaveURL(/\/cart$/);
  await expect(shop.heading).toHaveText(shop.t('cart.empty.title'));
});

test('a payment rejected for lack of stock shows the cart with its reason and blocks checkout', {
  tag: once,
}, async ({ shop, page }) => {
  const { t } = shop;
  shop.watch.allowStatus(409);
  await openPayment(shop);
  await fillCard(shop, cards.approved);
  const product = productName('speckled-mug', shop.lang);
  const text = t('rule.outOfStockLine', { product });
  await page.route('**/shoppingManagement4/billing/**', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 409,
          json: { errorType: 'CONFLICT', errors: { [`lineItems.${mug}`]: text } },
        })
      : route.fallback(),
  );
  await page.route(/\/myCart(\?|$)/, async (route) => {
    const answer = await route.fetch();
    const cart = (await answer.json()) as { lineItems: object[] };
    const lineItems = cart.lineItems.map((line) => ({
      ...line,
      inventoryProcessingStatus: 'notAvailable',
      obtainable: 0,
    }));
    await route.fulfill({ response: answer, json: { ...cart, lineItems } });
  });
  await payButton(shop).click();
  const dialog = page.getByRole('alertdialog', { name: t('payment.changed.title') });
  await expect(dialog).toContainText(text);
  await dialog.getByRole('link', { name: t('payment.changed.back') }).click();
  await expect(shop.heading).toHaveText(new RegExp(t('cart.title')));
  await expect(shop.main.getByText(text)).toBeVisible();
  await expect(shop.button(t('cart.checkout'))).toHaveAttribute('aria-disabled', 'true');
});
