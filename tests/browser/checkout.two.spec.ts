/** Errors at checkout and payment: each is named, and nothing typed is lost. */
import type { MessageKey } from '#contract/locales.ts';
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
import { productName, store } from './demo.ts';
import { expect, once, test } from './fixtures.ts';
import type { Shop } from './shop.ts';

async function putMugInCart(shop: Shop): Promise<void> {
  await shop.call('addToCart', { params: { itemName: 'MC-CM-01-OAT' }, body: { quantity: 1 } });
}

async function expectErrors(shop: Shop, keys: MessageKey[]): Promise<void> {
  for (const key of keys) await expect(shop.main.getByText(shop.t(key), { exact: true })).toBeVisible();
}

test('the checkout names what is missing by its field and keeps what was typed', async ({
  shop,
  page,
  lang,
}) => {
  const { t } = shop;
  await putMugInCart(shop);
  await shop.open('/checkout');
  const goOn = shop.button(t('checkout.continue'));

  await test.step('the shopper finds shipping chosen, and the tax in the summary', async () => {
    await expect(
      shop.main.getByRole('radio', { name: new RegExp(`^${t('checkout.method.shipping')}`) }),
    ).toBeChecked();
    if (shop.phone) await shop.main.getByText(t('bill.title')).first().click();
    await expect(shop.main.getByText('HST 13%')).toBeVisible();
  });
  await goOn.click();
  await expectErrors(shop, [
    'rule.addressMissing',
    'rule.firstNameMissing',
    'rule.lastNameMissing',
    'rule.emailMissing',
  ]);
  await expect(shop.field('checkout.contact.email')).toBeFocused();

  await chooseMethod(shop, 'pickup');
  // The only store that has the mug is chosen.
  await expect(
    shop.main.getByRole('radio', { name: new RegExp(store('toronto-queen-west', lang).name) }),
  ).toBeChecked();

  // A mug is not served at a table.
  await expect(
    shop.main.getByRole('radio', { name: new RegExp(`^${t('checkout.method.instore')}`) }),
  ).toHaveCount(0);

  await chooseMethod(shop, 'shipping');
  await shop.field('checkout.contact.firstName').fill(shopper.firstName);
  await shop.field('checkout.contact.lastName').fill(shopper.lastName);
  await shop.field('checkout.contact.email').fill(shopper.email);
  await shop.field('checkout.contact.phone').fill(shopper.phone);
  await shop.field('checkout.address.province.CA').selectOption('');
  await goOn.click();
  await expectErrors(shop, [
    'rule.addressMissing',
    'rule.cityMissing',
    'rule.zipcodeMissing',
    'rule.provinceMissing',
  ]);
  await expect(shop.field('checkout.address.street')).toBeFocused();

  await fillAddress(shop);
  // The postal code fills the province.
  await expect(shop.field('checkout.address.province.CA')).toHaveValue('Ontario');
  await expect(shop.main.getByText(t('rule.addressMissing'))).toBeHidden();
  await page.reload();
  await expect(shop.field('checkout.address.street')).toHaveValue('18 Dundas Street West');
});

test('an invalid or declined card is reported, and what was typed stays', { tag: once }, async ({ shop }) => {
  const { t } = shop;
  shop.watch.allowStatus(402);
  await putMugInCart(shop);
  await shop.open('/checkout');
  await chooseMethod(shop, 'shipping');
  await fillAddress(shop);
  await fillContact(shop);
  await goToPayment(shop);
  const pay = shop.button(shop.like('payment.pay'));

  await test.step('the shopper fills in nothing', async () => {
    await pay.click();
    await expectErrors(shop, [
      'rule.cardNumberMissing',
      'rule.cardHolderMissing',
      'rule.cardMonthMissing',
      'rule.cardYearMissing',
      'rule.cardCodeMissing',
    ]);
    await expect(shop.field('payment.card.number')).toBeFocused();
  });

  await test.step('the shopper types a number that is too short', async () => {
    await shop.field('payment.card.number').fill('4242');
    await shop.field('payment.card.code').fill('12');
    await pay.click();
    await expectErrors(shop, ['rule.cardNumberInvalid', 'rule.cardCodeInvalid']);
  });

  await test.step('the shopper’s card is declined', async () => {
    await fillCard(shop, cards.declined);
    await pay.click();
    const popup = shop.page.getByRole('alertdialog', { name: t('payment.error.transaction.title') });
    await expect(popup).toContainText(t('payment.declined'));
    await popup.getByRole('button', { name: t('payment.ok') }).click();
    await expect(shop.field('payment.card.number')).toHaveValue(cards.declined);
  });

  await test.step('the shopper pays with another card', async () => {
    await shop.field('payment.card.number').fill(cards.approved);
    await pay.dblclick();
    await expectConfirmed(shop);
    const kept = await shop.page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    expect(kept).not.toMatch(/4242|4000/);
  });
});

test('the link on a table’s sign sets store and table', { tag: once }, async ({ shop, lang, page }) => {
  await shop.open('/checkout?table=7&store=markham-unionville');
  await expect(page).toHaveURL(/\/cart/);
  await expect(shop.main.getByText(shop.t('cart.tableSet'))).toBeVisible();
  await shop.call('addToCart', { params: { itemName: 'MC-DR-02-REG' }, body: { quantity: 1 } });
  await shop.open('/checkout');
  const { name } = store('markham-unionville', lang);
  await expect(shop.main.getByText(shop.t('table.at', { table: '7', store: name }))).toBeVisible();
  await shop.button(shop.t('table.change')).click();
  await expect(
    shop.main.getByRole('radio', { name: new RegExp(`^${shop.t('checkout.method.instore')}`) }),
  ).toBeChecked();
  await expect(shop.main.getByRole('radio', { name: new RegExp(name) })).toBeChecked();
  await expect(shop.field('checkout.table.number')).toHaveValue('7');
});

test('a method that cannot serve the cart is a line with the reason', { tag: once }, async ({
  shop,
  lang,
}) => {
  // More than the store has that delivers.
  await shop.call('addToCart', { params: { itemName: 'MC-SW-02' }, body: { quantity: 35 } });
  await shop.open('/checkout');
  const reason = shop.t('checkout.method.noShipInStoreOnly', { product: productName('egg-tart', lang) });
  await expect(shop.main.getByText(reason)).toBeVisible();
  const methods = shop.main.getByRole('radiogroup', { name: shop.t('checkout.method.title') });
  await expect(
    methods.getByRole('radio', { name: new RegExp(`^${shop.t('checkout.method.shipping')}`) }),
  ).toHaveCount(0);
  await expect(
    methods.getByRole('radio', { name: new RegExp(`^${shop.t('checkout.method.instore')}`) }),
  ).toBeChecked();
  await shop.button(shop.t('checkout.continue')).click();
  await expectErrors(shop, ['rule.tableMissing']);
  // The order is brought to the table.
  await expect(shop.main.getByText(shop.t('rule.emailMissing'))).toBeHidden();
});

test('the order of another shopper is not found', { tag: once }, async ({ shop }) => {
  shop.watch.allowStatus(404);
  await shop.open('/cart/confirm?oid=00000000-0000-4000-8000-000000000000');
  await expect(shop.heading).toHaveText(shop.t('confirm.missing.title'));
});

test('a chosen method that has been switched off gives way to the only one left', { tag: once }, async ({
  shop,
  page,
}) => {
  await putMugInCart(shop);
  await shop.open('/checkout');
  await chooseMethod(shop, 'pickup');
  await expect(shop.main.getByRole('heading', { name: shop.t('checkout.store.title') })).toBeVisible();
  await page.route('**/checkoutConfig*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      json: { ...(await answer.json()), enablePickup: false, inStoreEnabled: false },
    });
  });
  // A page that loads as a document brings the methods along.
  await shop.open('/');
  await shop.cartLink(1).click();
  await shop.link(shop.t('cart.checkout')).click();
  await expect(
    shop.main.getByRole('heading', { level: 2, name: shop.t('checkout.method.shipping'), exact: true }),
  ).toBeVisible();
  await expect(
    shop.main.getByRole('radio', { name: new RegExp(`^${shop.t('checkout.method.shipping')}`) }),
  ).toBeChecked();
  await expect(shop.field('checkout.address.street')).toBeVisible();
});

test('the way to the payment stays where it is while answers arrive, and a press on it counts though the page moves', async ({
  shop,
  page,
}) => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/localDelivery/, async (route) => {
    await answered;
    await route.continue();
  });
  await putMugInCart(shop);
  await shop.open('/checkout');
  await chooseMethod(shop, 'shipping');
  await fillContact(shop);
  const asked = page.waitForRequest(/localDelivery/);
  await fillAddress(shop);
  await asked;
  const button = shop.button(shop.t('checkout.continue'));
  await button.scrollIntoViewIfNeeded();
  const before = await button.boundingBox();
  answer();
  await expect(shop.button(shop.t('checkout.delivery.pickup'))).toBeVisible();
  const { x = 0, y = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {};
  expect(Math.abs(y - (before?.y ?? 0))).toBeLessThan(height / 2);

  const press = async (meanwhile: () => Promise<unknown>) => {
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await meanwhile();
    await page.mouse.up();
  };
  // Moved away, a press is taken back.
  await press(() => page.mouse.move(x + width / 2, y - 200, { steps: 4 }));
  await expect(shop.heading).toHaveText(shop.t('checkout.title'));
  await press(() => shop.main.evaluate((main) => main.style.setProperty('padding-top', '300px')));
  await expect(shop.heading).toHaveText(shop.t('payment.title'));
});
