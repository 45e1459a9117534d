/** A customer’s account, from registration to a forgotten password and deletion. */
import { readFileSync } from 'node:fs';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import {
  cards,
  chooseMethod,
  expectConfirmed,
  fillAddress,
  fillCard,
  goToPayment,
  shopper,
} from './checkout.ts';
import {
  expectPath,
  fillLogin,
  mailedPassword,
  newEmail,
  password,
  register,
  registered,
  secret,
} from './customer.ts';
import { expect, once, test } from './fixtures.ts';

test('a customer registers, orders, changes the password, forgets it, and signs in again', async ({
  shop,
  page,
  browser,
}) => {
  test.slow();
  const { t } = shop;
  const email = newEmail();
  const changed = 'three kites over the lake';
  const fresh = 'seven lanterns by the gate';

  await test.step('the customer registers, and the cart stays', async () => {
    await shop.call('addToCart', { params: { itemName: 'MC-CM-01-OAT' }, body: { quantity: 1 } });
    await register(shop, email);
    await expect(shop.main.getByText(shop.like('account.menu.greeting'))).toBeVisible();
    await expect(shop.cartLink(1)).toBeVisible();
  });

  await test.step('the customer orders and saves the address', async () => {
    await shop.open('/checkout');
    await chooseMethod(shop, 'shipping');
    await fillAddress(shop);
    await shop.main.getByRole('checkbox', { name: t('checkout.address.save') }).check();
    await expect(shop.field('checkout.contact.email')).toHaveValue(email);
    await shop.field('checkout.contact.phone').fill(shopper.phone);
    await goToPayment(shop);
    await fillCard(shop, cards.approved);
    await shop.button(shop.like('payment.pay')).click();
    await expectConfirmed(shop);
  });

  await test.step('the customer sees the order among their orders', async () => {
    await shop.open('/account/menu');
    await shop.main.getByRole('link', { name: new RegExp(`^${t('account.orders.title')}`) }).click();
    await shop.main.getByRole('link', { name: /MC-?\d+/ }).click();
    await expect(shop.heading).toHaveText(shop.like('account.order.heading'));
    await expect(
      shop.main.getByRole('listitem').filter({ hasText: t('account.state.placed') }),
    ).toBeVisible();
    await shop.open('/account/address/shipping');
    await expect(shop.main.getByText(/Dundas/)).toBeVisible();
  });

  await test.step('the customer changes the password, and another browser is signed out', async () => {
    const context = await browser.newContext({ baseURL: process.env.SHOP_ADDRESS ?? '' });
    const other = await context.newPage();
    await other.goto(shop.url('/account/orders'));
    await fillLogin(shop, other, email, password);
    await expectPath(other, shop, '/account/orders');
    await shop.open('/account/resetpassword');
    await secret(shop, 'account.password.current').fill(password);
    await secret(shop, 'account.password.new').fill(changed);
    await secret(shop, 'account.password.again').fill(changed);
    await shop.button(t('account.resetPassword.submit')).click();
    await expectPath(page, shop, '/account/menu');
    await other.goto(shop.url('/account/orders'));
    await expectPath(other, shop, '/account/login');
    await context.close();
  });

  await test.step('the customer signs out and asks for a temporary password', async () => {
    await shop.button(t('account.logout')).click();
    await expectPath(page, shop, '/account/login');
    await shop.link(t('account.login.forgot')).click();
    // Both screens have a field of this name: what was typed before the new one is there went into the old one.
    await expectPath(page, shop, '/account/forgotpassword');
    await expect(shop.heading).toHaveText(t('account.forgot.title'));
    await shop.field('account.email').fill(email);
    await shop.button(t('account.forgot.submit')).click();
    await expect(page.getByText(t('account.forgot.sentText'))).toBeVisible();
    await expectPath(page, shop, '/account/verifypassword');
  });

  await test.step('the customer sets a new password with the emailed one and signs in', async () => {
    await expect(shop.field('account.email')).toHaveValue(email);
    await secret(shop, 'account.verify.temporary').fill(await mailedPassword(email));
    await secret(shop, 'account.password.new').fill(fresh);
    await secret(shop, 'account.password.again').fill(fresh);
    await shop.button(t('account.verify.submit')).click();
    await expect(page.getByText(t('account.verify.doneText'))).toBeVisible();
    await expectPath(page, shop, '/account/login');
    await fillLogin(shop, page, email, fresh);
    await expectPath(page, shop, '/account/menu');
  });
});

test('signing out leaves nothing in the tab of what was typed, the billing address included', {
  tag: once,
}, async ({ shop, page }) => {
  await registered(shop);
  await shop.call('addToCart', { params: { itemName: 'MC-CM-01-OAT' }, body: { quantity: 1 } });
  await shop.open('/checkout');
  await chooseMethod(shop, 'shipping');
  await fillAddress(shop);
  await shop.field('checkout.contact.phone').fill(shopper.phone);
  await goToPayment(shop);
  const kept = () =>
    page.evaluate(() => ['billing', 'checkout'].filter((key) => sessionStorage.getItem(key) !== null));
  await expect.poll(kept).toEqual(['billing', 'checkout']);
  await shop.open('/account/menu');
  await shop.button(shop.t('account.logout')).click();
  await expectPath(page, shop, '/account/login');
  await expect.poll(kept).toEqual([]);
});

test('a customer sees where they are signed in and signs another browser out', { tag: once }, async ({
  shop,
  browser,
}) => {
  const { t } = shop;
  const email = await registered(shop);
  const context = await browser.newContext({ baseURL: process.env.SHOP_ADDRESS ?? '' });
  const other = await context.newPage();
  await other.goto(shop.url('/account/orders'));
  await fillLogin(shop, other, email, password);
  await expectPath(other, shop, '/account/orders');
  await shop.open('/account/resetpassword');
  await expect(shop.main.getByText(t('account.sessions.current'))).toBeVisible();
  await expectNoSeriousAxe(shop.page);
  await shop.main.getByRole('button', { name: shop.like('account.sessions.endNamed') }).click();
  await expect(shop.main.getByText(shop.like('account.sessions.started'))).toHaveCount(1);
  await other.goto(shop.url('/account/orders'));
  await expectPath(other, shop, '/account/login');
  await context.close();
});

test('a guest’s cart joins the customer’s, line by line', { tag: once }, async ({ shop, page }) => {
  await shop.call('addToCart', { params: { itemName: 'MC-CM-01-OAT' }, body: { quantity: 1 } });
  const email = await registered(shop);
  await shop.call('logout');
  await shop.call('addToCart', { params: { itemName: 'MC-TP-02' }, body: { quantity: 2 } });
  await shop.open('/cart');
  await expect(shop.cartLink(2)).toBeVisible();
  await shop.open('/account/login?referFrom=/cart');
  await fillLogin(shop, page, email, password);
  await expectPath(page, shop, '/cart');
  await expect(shop.cartLink(3)).toBeVisible();
  await page.reload();
  await expect(shop.cartLink(3)).toBeVisible();

  await shop.open('/account/menu');
  await shop.button(shop.t('account.logout')).click();
  await expectPath(page, shop, '/account/login');
  await expect(shop.cartLink(3)).toBeHidden();
  expect(await shop.call('userInfo2')).toMatchObject({ user: null });
});

test('a guest keeps the details of an order in an account with one password', { tag: once }, async ({
  shop,
}) => {
  const { t } = shop;
  const email = newEmail();
  const { firstName, lastName, phone: phoneNumber } = shopper;
  await shop.call('addToCart', { params: { itemName: 'MC-DR-01' }, body: { quantity: 1 } });
  await shop.call('orderContactInfo', {
    query: { methodName: 'instore', localStoreName: 'toronto-queen-west', tableNumber: '4' },
    body: { contact: { firstName, lastName, email, phoneNumber } },
  });
  const { orderID } = (await shop.call('reserve', { body: {} })) as { orderID: string };
  await shop.open(`/cart/confirm?oid=${orderID}`);
  await secret(shop, 'confirm.save.password').fill('short');
  await shop.button(t('confirm.save.action')).click();
  await expect(secret(shop, 'confirm.save.password')).toHaveAttribute('aria-invalid', 'true');
  await secret(shop, 'confirm.save.password').fill(password);
  await shop.button(t('confirm.save.action')).click();
  await expect(shop.main.getByText(t('confirm.save.done'))).toBeVisible();
  expect(await shop.call('userInfo')).toMatchObject({
    user: { email, firstName, lastName, acceptNewsletter: false },
  });
  await shop.open(`/account/orders/${orderID}`);
  await expect(shop.heading).toHaveText(shop.like('account.order.heading'));
});

test('an order can be placed again and prints without the shop around it', { tag: once }, async ({
  shop,
  page,
}) => {
  const { t } = shop;
  await registered(shop);
  const { firstName, lastName, email, phone: phoneNumber } = shopper;
  await shop.call('addToCart', { params: { itemName: 'MC-DR-02-REG' }, body: { quantity: 2 } });
  await shop.call('orderContactInfo', {
    query: { methodName: 'instore', localStoreName: 'toronto-queen-west', tableNumber: '4' },
    body: { contact: { firstName, lastName, email, phoneNumber } },
  });
  const { orderID } = (await shop.call('reserve', { body: {} })) as { orderID: string };
  await shop.open(`/account/orders/${orderID}`);
  await expect(shop.heading).toHaveText(shop.like('account.order.heading'));

  await page.emulateMedia({ media: 'print' });
  await expect(shop.main.getByRole('complementary', { name: t('ticket.title') })).toBeVisible();
  await expect(shop.main.getByText(t('bill.total'), { exact: true })).toBeVisible();
  for (const around of [
    page.getByRole('navigation').first(),
    page.getByRole('searchbox'),
    shop.button(t('account.order.reorder')),
  ])
    await expect(around).toBeHidden();
  await page.emulateMedia({ media: 'screen' });

  await shop.button(t('account.order.reorder')).click();
  await expectPath(page, shop, '/cart');
  await expect(shop.cartLink(2)).toBeVisible();
});

test('a customer saves several addresses, makes one the default, and picks from them at checkout', {
  tag: once,
}, async ({ shop, page }) => {
  const { t } = shop;
  await registered(shop);
  await shop.open('/account/address/shipping');
  for (const street of ['18 Dundas Street West', '7 Harbour Street']) {
    await shop.button(t('account.address.add')).click();
    await shop.button(t('account.address.save')).click();
    await expect(shop.main.getByText(t('rule.addressMissing'))).toBeVisible();
    await shop.field('checkout.address.street').fill(street);
    await shop.field('checkout.address.city').fill('Toronto');
    await shop.field('checkout.address.postCode.CA').fill('M5G 1Z8');
    await shop.button(t('account.address.save')).click();
    await expect(shop.main.getByText(street)).toBeVisible();
  }
  await shop.button(t('account.address.makeDefaultNamed', { address: '7 Harbour Street' })).click();
  const first = shop.main
    .getByRole('listitem')
    .filter({ has: page.getByText(t('account.address.default'), { exact: true }) });
  await expect(first).toContainText('7 Harbour Street');
  await shop.button(t('account.address.removeNamed', { address: '18 Dundas Street West' })).click();
  await expect(shop.main.getByText('18 Dundas Street West')).toHaveCount(0);
  await shop.button(t('account.address.undo')).click();
  await expect(shop.main.getByText('18 Dundas Street West')).toBeVisible();

  // Another tab saves one more meanwhile.
  const { user } = (await shop.call('userInfo')) as SessionInfo;
  const params = { addressType: 'shipping', id: user?.id ?? '' } as const;
  const [harbour, dundas] = user?.shippingAddresses ?? [];
  const bay = { ...harbour, streetNumberAndNameDetails: '33 Bay Street' };
  await shop.call('updateAddresses', { params, body: [harbour ?? {}, dundas ?? {}, bay] });
  shop.watch.allowStatus(409);
  await shop.button(t('account.address.makeDefaultNamed', { address: '18 Dundas Street West' })).click();
  await expect(first).toContainText('18 Dundas Street West');
  await expect(shop.main.getByText('33 Bay Street')).toBeVisible();
  await shop.button(t('account.address.makeDefaultNamed', { address: '7 Harbour Street' })).click();
  await expect(first).toContainText('7 Harbour Street');

  await shop.call('addToCart', { params: { itemName: 'MC-CM-01-OAT' }, body: { quantity: 1 } });
  await shop.open('/checkout');
  await chooseMethod(shop, 'shipping');
  await expect(shop.main.getByRole('radio', { name: /Harbour/ })).toBeChecked();
  await shop.choose(t('checkout.address.saved'), /Dundas/);
  await shop.field('checkout.contact.phone').fill(shopper.phone);
  await goToPayment(shop);
});

test('a wrong password is cleared and reported', { tag: once }, async ({ shop, page }) => {
  const { t } = shop;
  const email = await registered(shop);
  await shop.call('logout');
  shop.watch.allowStatus(401);
  await shop.open('/account/login');
  await fillLogin(shop, page, email, 'not the right one at all');
  await expect(shop.main.getByRole('alert')).toContainText(t('account.signOnFailed'));
  await expect(secret(shop, 'account.password')).toHaveValue('');
  await expect(secret(shop, 'account.password')).toBeFocused();
  await expect(shop.field('account.email')).toHaveValue(email);
});

test('an empty or malformed email is reported by an alert that closes', { tag: once }, async ({
  shop,
  page,
}) => {
  const { t } = shop;
  await shop.open('/account/forgotpassword');
  const alert = page.getByRole('alert');
  await shop.button(t('account.forgot.submit')).click();
  await expect(alert).toContainText(t('rule.userIDMissing'));
  await expect(alert).toHaveCount(0);
  await shop.field('account.email').fill('nobody');
  await shop.button(t('account.forgot.submit')).click();
  await expect(alert).toContainText(t('rule.emailInvalid'));
});

test('account pages require a sign-in and are not shown to others', { tag: once }, async ({ shop, page }) => {
  for (const path of [
    '/account/menu',
    '/account/orders',
    '/account/profile',
    '/account/address/billing',
    '/account/resetpassword',
  ]) {
    await shop.open(path);
    await expectPath(page, shop, '/account/login');
  }
  const email = await registered(shop);
  await shop.open('/account/login');
  await expectPath(page, shop, '/account/menu');
  await shop.open('/account/address/true');
  await expectPath(page, shop, '/account/menu');
  // Without a session, an answer under way would be a refusal.
  await expect(shop.main.getByRole('heading', { name: shop.t('account.orders.empty') })).toBeVisible();
  await shop.call('logout');
  await shop.open('/account/login?referFrom=//evil.example/x');
  await fillLogin(shop, page, email, password);
  await expectPath(page, shop, '/account/menu');
});

test('an account without orders offers a way to the first one, beside its links', { tag: once }, async ({
  shop,
}) => {
  const { t } = shop;
  await registered(shop);
  await shop.open('/account/menu');
  await expect(shop.main.getByRole('heading', { name: t('account.orders.empty') })).toBeVisible();
  await expect(
    shop.main.getByRole('link', { name: new RegExp(`^${t('account.profile.title')}`) }),
  ).toBeVisible();
  await shop.main.getByRole('link', { name: t('account.orders.shop') }).click();
  await expectPath(shop.page, shop, '/');
});

test('a customer downloads their data, then deletes the account', { tag: once }, async ({ shop, page }) => {
  const { t } = shop;
  const email = await registered(shop);
  await shop.open('/account/profile');
  const download = page.waitForEvent('download');
  await shop.button(t('account.data.export')).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('account.json');
  expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toMatchObject({
    user: { email },
    orders: [],
    mails: [{ kind: 'welcome' }],
  });
  await shop.button(t('account.delete.open')).click();
  const dialog = page.getByRole('dialog', { name: t('account.delete.sure') });
  await dialog.getByLabel(t('account.password.current'), { exact: true }).fill(password);
  await dialog.getByRole('button', { name: t('account.delete.submit') }).click();
  await expect(shop.heading).toHaveText(t('account.delete.done'));
  await shop.open('/account/profile');
  await expectPath(page, shop, '/account/login');
});
