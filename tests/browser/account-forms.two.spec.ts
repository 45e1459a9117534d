/** Account forms: autofill, help with passwords, and alerts that stay long enough to read. */
import type { Locator } from '@playwright/test';
import type { MessageKey } from '#contract/locales.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { registered, secret } from './customer.ts';
import { expect, once, quick, test } from './fixtures.ts';
import type { Shop } from './shop.ts';

test('the account fields tell browsers and password managers what they are for', { tag: once }, async ({
  shop,
  page,
}) => {
  const filledAs = (field: Locator) => field.getAttribute('autocomplete');
  const kinds: Record<string, [MessageKey, string][]> = {
    '/account/signup': [
      ['account.firstName', 'given-name'],
      ['account.lastName', 'family-name'],
      ['account.email', 'username'],
      ['account.password', 'new-password'],
      ['account.password.again', 'new-password'],
    ],
    '/account/login': [
      ['account.email', 'username'],
      ['account.password', 'current-password'],
    ],
    '/account/verifypassword': [
      ['account.email', 'username'],
      ['account.verify.temporary', 'one-time-code'],
      ['account.password.new', 'new-password'],
    ],
  };
  for (const [path, fields] of Object.entries(kinds)) {
    await shop.open(path);
    for (const [label, kind] of fields)
      expect(await filledAs(shop.main.getByLabel(shop.t(label), { exact: true })), label).toBe(kind);
  }

  const email = await registered(shop);
  await shop.open('/account/profile');
  // Its label says that it is optional, too.
  expect(await filledAs(shop.main.getByLabel(shop.t('account.phone')))).toBe('tel');
  await shop.open('/account/resetpassword');
  // Which account the new password belongs to: a manager reads it here, the customer does not see it.
  await expect(page.locator('main form input[autocomplete=username]')).toHaveValue(email);
  for (const type of ['shipping', 'billing']) {
    await shop.open(`/account/address/${type}`);
    await shop.button(shop.t('account.address.add')).click();
    expect(await filledAs(shop.field('checkout.address.street'))).toBe(`${type} address-line1`);
    expect(await filledAs(shop.field('checkout.address.city'))).toBe(`${type} address-level2`);
    expect(await filledAs(shop.field('checkout.address.postCode.CA'))).toBe(`${type} postal-code`);
    expect(await filledAs(shop.field('checkout.address.country'))).toBe(`${type} country`);
  }
});

test('a password can be shown, gets advice, and warns of caps lock', { tag: once }, async ({ shop }) => {
  const { t } = shop;
  await shop.open('/account/signup');
  const field = secret(shop, 'account.password');
  await field.pressSequentially('kettle');
  await expect(shop.main.getByText(t('account.password.advice.longer'))).toBeVisible();
  await field.fill('');
  await field.pressSequentially('seven lanterns by the gate');
  await expect(shop.main.getByText(t('account.password.advice.great'))).toBeVisible();

  await expect(field).toHaveAttribute('type', 'password');
  const show = shop.main.getByRole('button', { name: t('account.password.show') }).first();
  await show.click();
  await expect(field).toHaveAttribute('type', 'text');
  await expect(show).toHaveAttribute('aria-pressed', 'true');
  await show.click();
  await expect(field).toHaveAttribute('type', 'password');

  const press = (capsLock: boolean) =>
    field.evaluate((input, modifierCapsLock) => {
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, modifierCapsLock }));
    }, capsLock);
  await press(true);
  await expect(shop.main.getByText(t('account.password.capsLock'))).toBeVisible();
  await press(false);
  await expect(shop.main.getByText(t('account.password.capsLock'))).toHaveCount(0);
});

test('an alert closes after two seconds, but waits for the pointer and for focus', {
  tag: [once, quick],
}, async ({ shop, page }) => {
  await page.clock.install();
  await shop.open('/account/forgotpassword');
  // From here on time passes as the test says: on a busy machine a look at the page may take a second.
  await page.clock.pauseAt(Date.now() + 60_000);
  const alert = page.getByRole('alert');
  const say = async () => {
    await shop.button(shop.t('account.forgot.submit')).click();
    await expect(alert).toBeVisible();
  };

  await say();
  await page.clock.runFor(1_900);
  await expect(alert).toBeVisible();
  await page.clock.runFor(200);
  await expect(alert).toHaveCount(0);

  // It appears below a pointer that rests there.
  await say();
  const box = await alert.boundingBox();
  await page.clock.runFor(2_100);
  await expect(alert).toHaveCount(0);
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 10);
  await shop.field('account.email').press('Enter');
  await expect(alert).toBeVisible();
  await page.clock.runFor(2_100);
  await expect(alert).toHaveCount(0);

  await say();
  await alert.hover();
  await page.clock.runFor(10_000);
  await expect(alert).toBeVisible();
  await page.mouse.move(0, 0);
  await expect
    .poll(async () => {
      await page.clock.runFor(2_100);
      return alert.count();
    })
    .toBe(0);

  await say();
  await alert.getByRole('button').focus();
  await page.clock.runFor(10_000);
  await expect(alert).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(alert).toHaveCount(0);
});

/** The notice over the page, which can be closed. */
const toast = ({ main, t }: Shop) =>
  main.getByRole('status').filter({ has: main.page().getByRole('button', { name: t('ui.notice.close') }) });

test('the text of an alert stays on the page once it has closed', { tag: once }, async ({ shop, page }) => {
  const { t } = shop;
  const alert = toast(shop);
  await registered(shop);
  await shop.open('/account/profile');
  await shop.button(t('account.profile.submit')).click();
  await expect(alert).toContainText(t('account.profile.saved'));
  await expect(alert).toHaveCount(0);
  const saved = shop.main.getByText(t('account.profile.saved'), { exact: true });
  await expect(saved).toBeVisible();
  await expectNoSeriousAxe(page);
  await shop.field('account.firstName').fill('Mei');
  await expect(saved).toHaveCount(0);
});

test('an alert that leads to another page is shown there, too', { tag: once }, async ({ shop }) => {
  const { t } = shop;
  const email = await registered(shop);
  await shop.call('logout');
  await shop.open('/account/forgotpassword');
  await shop.field('account.email').fill(email);
  await shop.button(t('account.forgot.submit')).click();
  await expect(toast(shop)).toContainText(t('account.forgot.sentText'));
  await expect(shop.heading).toHaveText(t('account.verify.title'));
  await expect(toast(shop)).toHaveCount(0);
  await expect(shop.main.getByText(t('account.forgot.sentText'))).toBeVisible();
  await shop.link(t('account.verify.again')).click();
  await expect(shop.heading).toHaveText(t('account.forgot.title'));
  await expect(shop.main.getByText(t('account.forgot.sentText'))).toHaveCount(0);
});

test('a temporary password that the server does not confirm is not reported as sent', { tag: once }, async ({
  shop,
  page,
}) => {
  const { t } = shop;
  await page.route('**/forgotPassword*', (route) => route.fulfill({ json: { status: 'failure' } }));
  await shop.open('/account/forgotpassword');
  await shop.field('account.email').fill('mei@example.com');
  await shop.button(t('account.forgot.submit')).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(t('account.forgot.failed'));
  await expect(alert).toContainText(t('account.forgot.failedText'));
  await expect(alert).toHaveCount(0);
  await expect(shop.heading).toHaveText(t('account.forgot.title'));
  await expect(shop.main.getByText(t('account.forgot.failedText'))).toBeVisible();
});

test('the name of each address button starts with its visible label, for each address that is not the default', {
  tag: once,
}, async ({ shop }) => {
  const { t } = shop;
  await registered(shop);
  const { userID } = (await shop.call('userInfo')) as { userID: string };
  const home = { streetNumberAndNameDetails: '18 Dundas Street West', city: 'Toronto', postCode: 'M5G 1Z8' };
  await shop.call('updateAddresses', {
    params: { addressType: 'shipping', id: userID },
    body: [home, { ...home, streetNumberAndNameDetails: '9 Ossington Avenue' }],
  });
  await shop.open('/account/address/shipping');
  const button = shop.main.getByRole('button', {
    name: new RegExp(`^${t('account.address.makeDefault')}.*9 Ossington Avenue`),
  });
  await expect(button).toHaveText(t('account.address.makeDefault'));
});

test('the list of orders fits a screen of 320 px', { tag: once }, async ({ shop, page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await registered(shop);
  const skus = ['MC-CM-01-OAT', 'MC-TP-02'];
  for (const itemName of skus) await shop.call('addToCart', { params: { itemName }, body: { quantity: 1 } });
  const { products } = (await shop.call('products', { query: { numberToLoad: 48 } })) as {
    products: { id: string; inStoreOnly: boolean }[];
  };
  for (const { id } of products.filter(({ inStoreOnly }) => !inStoreOnly)) {
    const { skus: found } = (await shop.call('product', { params: { id } })) as {
      skus: { sku: string; inStock: boolean }[];
    };
    const itemName = found.find(({ sku, inStock }) => inStock && !skus.includes(sku))?.sku;
    if (!itemName) continue;
    skus.push(itemName);
    await shop.call('addToCart', { params: { itemName }, body: { quantity: 1 } });
    if (skus.length === 6) break;
  }
  const contact = {
    firstName: 'Mei',
    lastName: 'Tremblay',
    email: 'mei@example.com',
    phoneNumber: '416-555-0199',
  };
  const address = {
    streetNumberAndNameDetails: '1 Road',
    city: 'Toronto',
    postCode: 'M5G 1Z8',
    province: 'Ontario',
    countryISOCode: 'CA',
  };
  await shop.call('orderDeliverInfo', { body: { contact, address } });
  await shop.call('postBilling', {
    params: { gatewayName: 'house' },
    body: {
      paymentInstrucment: {
        cardHolderName: 'Mei',
        creditCardNumber: '4242424242424242',
        cardCode: '123',
        expirationMonth: 12,
        expirationYear: new Date().getFullYear() + 2,
      },
      billingAddress: address,
    },
  });
  await shop.open('/account/orders');
  await expect(shop.main.getByText(/^MC-/).first()).toBeVisible();
  const beyond = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(await beyond()).toBeLessThanOrEqual(0);
});
