/** An order opened by the link in an email, on a device that did not place it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { houseCards, houseChallengeCode } from '#payment-providers/house/values.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { address, fillAddress, fillCard, shopper } from './checkout.ts';
import { expect, once, test } from './fixtures.ts';
import { expectNoLayoutShift } from './layout-shift.ts';
import { fillCart } from './paying.ts';
import type { Shop } from './shop.ts';

/** A tea of which the store has plenty: other tests count on its few mugs. */
const tea = 'MC-GT-01-100';
const localStoreName = 'toronto-queen-west';

async function createLink(orderId: string, raisedBy = 0): Promise<string> {
  const command = [
    join(import.meta.dirname, 'link.ts'),
    process.env.SHOP_DATA ?? '',
    orderId,
    String(raisedBy),
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout;
}

/** Reserves a tea for a day of next week, and returns the path of a link to it. The browser forgets the session. */
async function reserved(shop: Shop, page: Page): Promise<string> {
  await shop.call('addToCart', { params: { itemName: tea }, body: { quantity: 1 } });
  const contact = {
    firstName: shopper.firstName,
    lastName: shopper.lastName,
    email: shopper.email,
    phoneNumber: shopper.phone,
  };
  await shop.call('orderContactInfo', { query: { methodName: 'pickup', localStoreName }, body: { contact } });
  const date = new Date(Date.now() + 6 * 86_400_000).toISOString().slice(0, 10);
  const { slots } = (await shop.call('pickupSlots', { query: { localStoreName, date } })) as {
    slots: { at: number; available: boolean }[];
  };
  const free = slots.filter(({ available }) => available);
  // Any of them: the tests run beside each other, and a time has few places.
  await shop.call('orderPickupDate', {
    body: { pickupDate: free[Math.floor(Math.random() * free.length)]?.at },
  });
  const { orderID } = (await shop.call('reserve', { body: {} })) as { orderID: string };
  const path = `/order/${await createLink(orderID)}`;
  await page.context().clearCookies();
  return path;
}

test('a buyer reads an order by its link, and changes its pickup time', async ({ shop, page }) => {
  const { t } = shop;
  await shop.open(await reserved(shop, page));
  await expect(shop.heading).toHaveText(shop.like('account.order.heading'));
  await expect(shop.main.getByText(t('account.state.reserved')).first()).toBeVisible();
  await expect(shop.main.getByText(t('confirm.pickup.hours'), { exact: true })).toBeVisible();
  await expect(shop.main.locator('.picture').first()).toBeVisible();
  for (const secret of [shopper.lastName, shopper.email, shopper.phone])
    await expect(shop.main.getByText(secret)).toHaveCount(0);
  await expectNoLayoutShift(page);
  await expectNoSeriousAxe(page);

  const file = page.waitForEvent('download');
  await shop.link(t('confirm.pickup.calendar')).click();
  expect((await file).suggestedFilename()).toMatch(/\.ics$/);

  await shop.button(t('orderLink.time.change')).click();
  await shop.button(t('orderLink.time.save')).click();
  await expect(shop.main.getByText(t('checkout.time.missing'))).toBeVisible();
  await shop.button(shop.like('checkout.time.earliest')).click();
  await expectNoSeriousAxe(page);
  const ticket = shop.main.getByRole('complementary', { name: t('ticket.title') });
  const before = await ticket.innerText();
  await shop.button(t('orderLink.time.save')).click();
  const notice = shop.main.locator('.notice');
  await expect(notice).toHaveText(t('orderLink.time.done'));
  await expect(notice).toBeFocused();
  await expect.poll(() => ticket.innerText()).not.toBe(before);
});

test('a buyer cancels a reservation by its link after a question', { tag: once }, async ({ shop, page }) => {
  const { t } = shop;
  await shop.open(await reserved(shop, page));
  await shop.button(t('orderLink.cancel')).click();
  const question = page.getByRole('alertdialog', { name: t('orderLink.cancel.title') });
  await expect(question).toBeVisible();
  await expectNoSeriousAxe(page);
  await question.getByRole('button', { name: t('orderLink.cancel.keep') }).click();
  await expect(question).toBeHidden();
  await shop.button(t('orderLink.cancel')).click();
  await question.getByRole('button', { name: t('orderLink.cancel'), exact: true }).click();
  await expect(shop.main.getByText(t('orderLink.cancel.done'))).toBeVisible();
  await expect(shop.main.getByText(t('account.state.cancelled')).first()).toBeVisible();
  await expect(shop.button(t('orderLink.time.change'))).toHaveCount(0);
  await expect(shop.button(t('orderLink.cancel'))).toHaveCount(0);
});

test('a buyer stops sharing an order with the keyboard, and the link answers 410', { tag: once }, async ({
  shop,
  page,
  watch,
}) => {
  const { t } = shop;
  const path = await reserved(shop, page);
  await shop.open(path);
  const stop = shop.button(t('orderLink.revoke'));
  await stop.focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: t('orderLink.revoke.title') });
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(stop).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeVisible();
  const confirm = question.getByRole('button', { name: t('orderLink.revoke'), exact: true });
  for (
    let presses = 0;
    presses < 5 && !(await confirm.evaluate((element) => element === document.activeElement));
    presses += 1
  )
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(shop.heading).toHaveText(t('orderLink.ended.title'));
  await expect(shop.heading).toBeFocused();
  watch.allowStatus(410);
  expect((await page.goto(shop.url(path)))?.status()).toBe(410);
  await expect(shop.heading).toHaveText(t('orderLink.ended.title'));
  await expect(shop.main.getByRole('link', { name: /^\+1/ })).toBeVisible();
  await expectNoSeriousAxe(page);
});

test('an unknown link answers 404 and says how to reach the shop', { tag: once }, async ({ shop, watch }) => {
  watch.allowStatus(404);
  expect((await shop.open('/order/unknown'))?.status()).toBe(404);
  await expect(shop.heading).toHaveText(shop.t('confirm.missing.title'));
  await expect(shop.main.getByRole('link', { name: /^\+1/ })).toBeVisible();
});

/** Pays an order that is raised afterwards, and returns the path of a link to it. The browser forgets the session. */
async function owing(shop: Shop, page: Page, raisedBy: number): Promise<string> {
  await fillCart(shop, tea);
  const expiry = { expirationMonth: 12, expirationYear: new Date().getFullYear() + 3 };
  const card = { cardHolderName: 'Jo Lin', creditCardNumber: houseCards.approve, cardCode: '123', ...expiry };
  const { street: streetNumberAndNameDetails, city, postCode } = address;
  const billingAddress = {
    streetNumberAndNameDetails,
    city,
    postCode,
    province: 'Ontario',
    countryISOCode: 'CA',
  };
  const { orderID } = (await shop.call('postBilling', {
    params: { gatewayName: '{host}' },
    body: { paymentInstrucment: card, billingAddress },
  })) as { orderID: string };
  const path = `/order/${await createLink(orderID, raisedBy)}`;
  await page.context().clearCookies();
  return path;
}

test('a page of a link says that all is paid as soon as it is, without being loaded again', {
  tag: once,
}, async ({ shop, page }) => {
  const { t } = shop;
  const path = await owing(shop, page, 1250);
  await shop.open(path);
  await expect(shop.main.getByText(shop.like('account.order.owing'))).toBeVisible();
  await shop.main.getByRole('link', { name: shop.like('payment.pay') }).click();
  await fillCard(shop, houseCards.approve);
  await fillAddress(shop);
  await shop.button(shop.like('payment.pay')).click();
  await expect(page).toHaveURL(new RegExp(`${path}$`));
  const ticket = shop.main.getByRole('complementary', { name: t('ticket.title') });
  await expect(ticket.getByText(t('account.order.paidSum'), { exact: true })).toBeVisible();
  await expect(ticket.getByText(t('account.order.due'))).toHaveCount(0);
  await expect(shop.main.getByText(shop.like('account.order.owing'))).toHaveCount(0);
});

test('a buyer pays what is due of an order by its link, on a device that did not place it', async ({
  shop,
  page,
}) => {
  const { t } = shop;
  const path = await owing(shop, page, 1250);
  await shop.open(path);
  const ticket = shop.main.getByRole('complementary', { name: t('ticket.title') });
  await expect(ticket.getByText(t('account.order.due'))).toBeVisible();
  await expect(ticket).toContainText('12.50');
  await expectNoSeriousAxe(page);
  await expect(shop.main.getByText(shop.like('account.order.owing'))).toBeVisible();
  await shop.main.getByRole('link', { name: shop.like('payment.pay') }).click();
  await expect(shop.heading).toHaveText(t('payment.title'));
  await expect(shop.main.getByText(shop.like('account.order.heading'))).toBeVisible();
  const paying = page.url();
  await expect(shop.main.getByText(t('account.order.due'))).toBeVisible();
  await expectNoSeriousAxe(page);
  await fillCard(shop, houseCards.challenge);
  await fillAddress(shop);
  const pay = shop.button(shop.like('payment.pay'));
  await expect(pay).toContainText('12.50');
  await pay.click();
  const challenge = page.getByRole('alertdialog', { name: t('payment.challenge.title') });
  // The attempt survives a reload.
  await expect(challenge).toBeVisible();
  await page.reload();
  await challenge.getByRole('textbox', { name: t('payment.challenge.code') }).fill(houseChallengeCode);
  await challenge.getByRole('button', { name: t('payment.challenge.confirm') }).click();

  await expect(page).toHaveURL(new RegExp(`${path}$`));
  await expect(ticket.getByText(t('account.order.paidSum'), { exact: true })).toBeVisible();
  await expect(ticket.getByText(t('account.order.paid'))).toHaveCount(2);
  await expect(ticket.getByText(t('account.order.due'))).toHaveCount(0);
  // Nothing is due any more.
  await page.goto(paying);
  await expect(page).toHaveURL(new RegExp(`${path}$`));
});

test('an order can be read by its link without scripts', { tag: once }, async ({
  shop,
  page,
  browser,
  baseURL,
}) => {
  const path = await reserved(shop, page);
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
  const plain = await context.newPage();
  await plain.goto(shop.url(path));
  const main = plain.getByRole('main');
  for (const key of ['confirm.next', 'confirm.pickup.hours', 'bill.total', 'orderLink.share.text'] as const)
    await expect(main.getByText(shop.t(key), { exact: true }).first()).toBeVisible();
  await expect(main.getByRole('link', { name: shop.t('confirm.pickup.calendar') })).toHaveAttribute(
    'href',
    /^data:text\/calendar/,
  );
  await context.close();
});
