/** Promo codes and tips in the cart, at checkout, at payment and on the confirmation. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { formatMoney } from '#ui/format.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { cards, expectConfirmed, fillCard, shopper } from './checkout.ts';
import { expect, once, test } from './fixtures.ts';
import { fillCart, mug, payButton } from './paying.ts';
import type { Shop } from './shop.ts';

/** What a merchant does from a terminal beside the running shop. */
function merchant(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/index.ts', 'coupon', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, DATA_DIR: process.env.SHOP_DATA },
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
}

const money = (shop: Shop, cents: number) => formatMoney(cents, shop.lang, 'CAD');
const codeField = (shop: Shop) => shop.field('coupon.label');
const applyButton = (shop: Shop) => shop.button(shop.t('coupon.apply'));

/** On narrow screens the order is a fold. */
async function openSummary(shop: Shop): Promise<void> {
  const fold = shop.main
    .getByRole('region', { name: shop.t('bill.title') })
    .locator('summary')
    .first();
  if (shop.phone) await fold.click();
}

async function openEntry(shop: Shop): Promise<void> {
  await shop.main.locator('summary', { hasText: shop.t('coupon.title') }).click();
  await expect(codeField(shop)).toBeVisible();
}

async function enter(shop: Shop, code: string): Promise<void> {
  await codeField(shop).fill(code);
  await applyButton(shop).click();
}

/** An amount of the bill, by what stands before it. */
function row(shop: Shop, label: string): Locator {
  const name = shop.page.locator('dt > span:first-child').getByText(label, { exact: true });
  return shop.main.locator('dl > div', { has: name }).locator('dd');
}

/** A tea, for which tips are offered, and a mug. */
async function sitAtTable(shop: Shop): Promise<void> {
  await shop.call('addToCart', { params: { itemName: mug }, body: { quantity: 1 } });
  await shop.call('addToCart', { params: { itemName: 'MC-DR-01' }, body: { quantity: 1 } });
  await shop.call('orderContactInfo', {
    query: { methodName: 'instore', localStoreName: 'toronto-queen-west', tableNumber: '3' },
    body: {
      contact: {
        firstName: shopper.firstName,
        lastName: shopper.lastName,
        email: shopper.email,
        phoneNumber: shopper.phone,
      },
    },
  });
}

test('a promo code is typed by keyboard on the cart: missing, unknown, valid, and removed again', async ({
  shop,
  page,
}) => {
  shop.watch.allowStatus(404);
  await shop.call('addToCart', { params: { itemName: mug }, body: { quantity: 2 } });
  await shop.open('/cart');
  const fold = shop.main.locator('summary', { hasText: shop.t('coupon.title') });
  await fold.focus();
  await page.keyboard.press('Enter');
  await expect(codeField(shop)).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(codeField(shop)).toBeFocused();

  // SPEC §5: an alert that goes by itself, once neither pointer nor focus is on it.
  await page.keyboard.press('Enter');
  const missing = page.getByRole('alert').filter({ hasText: shop.t('rule.couponMissing') });
  await expect(missing).toBeVisible();
  await expect(codeField(shop)).toBeFocused();
  await expect(missing).toBeHidden();
  // What it said stays with the field.
  await expect(shop.main.getByText(shop.t('rule.couponMissing'))).toBeVisible();
  await expect(codeField(shop)).toHaveAttribute('aria-invalid', 'true');

  await page.keyboard.type('TEAPOTS');
  await page.keyboard.press('Enter');
  await expect(codeField(shop)).toHaveAttribute('aria-invalid', 'true');
  await expect(shop.main.getByText(shop.t('coupon.refused.unknown', { code: 'TEAPOTS' }))).toBeVisible();
  await expect(codeField(shop)).toBeFocused();
  await expectNoSeriousAxe(page);

  await codeField(shop).fill('welcome10');
  await page.keyboard.press('Enter');
  const discount = row(shop, shop.t('bill.discountCode', { code: 'WELCOME10' }));
  await expect(discount).toHaveText(`−${money(shop, 640)}`);
  await expect(page.locator('[aria-live="polite"]').filter({ hasText: 'WELCOME10' })).toHaveCount(1);
  await expectNoSeriousAxe(page);

  await shop.button(shop.t('bill.couponRemoveLabel', { code: 'WELCOME10' })).click();
  await expect(discount).toHaveCount(0);
  await expect(shop.main.locator('summary', { hasText: shop.t('coupon.title') })).toBeFocused();
});

test('free shipping shows what it took off, from the checkout to the confirmation', { tag: once }, async ({
  shop,
  page,
}) => {
  await fillCart(shop);
  await shop.call('updateCartItem', { params: { itemName: mug }, body: { quantity: 2 } });
  await shop.open('/checkout');
  await openSummary(shop);
  await openEntry(shop);
  await enter(shop, 'SHIPFREE');
  await expect(row(shop, shop.t('bill.shipping'))).toHaveText(
    new RegExp(`\\$12\\.00${shop.t('bill.free')}$`),
  );
  await shop.button(shop.t('checkout.continue')).click();
  await expect(shop.heading).toHaveText(shop.t('payment.title'));
  await openSummary(shop);
  await expect(row(shop, shop.t('bill.shipping'))).toContainText(money(shop, 1200));
  await expect(row(shop, shop.t('bill.shipping'))).toContainText(shop.t('bill.free'));
  await expectNoSeriousAxe(page);
  await fillCard(shop, cards.approved);
  await payButton(shop).click();
  await expectConfirmed(shop);
  await expect(row(shop, shop.t('bill.coupon', { code: 'SHIPFREE' }))).toHaveText('');
  await expect(row(shop, shop.t('bill.shipping'))).toContainText(shop.t('bill.free'));
});

test('a tip at the table is a percentage, a custom amount or none, and is on the confirmation', async ({
  shop,
  page,
}) => {
  await sitAtTable(shop);
  await shop.call('couponVerification', { params: { code: 'WELCOME10' } });
  await shop.open('/payment');
  const tip = shop.main.getByRole('radiogroup', { name: shop.t('tip.title') });
  await expect(tip.getByRole('radio', { name: shop.t('tip.none') })).toBeChecked();
  await openSummary(shop);
  const total = row(shop, shop.t('bill.total'));
  await expect(total).toHaveText(money(shop, 3465 + 450));

  // On the discounted goods, outside tax.
  await tip.getByRole('radio', { name: /^15%/ }).check();
  await expect(row(shop, shop.t('bill.tip'))).toHaveText(money(shop, 520));
  await expect(total).toHaveText(money(shop, 3465 + 450 + 520));
  await expectNoSeriousAxe(page);

  await tip.getByRole('radio', { name: shop.t('tip.otherAmount') }).check();
  const amount = shop.main.getByRole('textbox', { name: shop.t('tip.amount', { currency: 'CAD' }) });
  await amount.fill('lots');
  await shop.button(shop.t('tip.add')).click();
  await expect(shop.main.getByText(shop.t('rule.tipInvalid'))).toBeVisible();
  await amount.fill('5.5');
  await amount.press('Enter');
  await expect(row(shop, shop.t('bill.tip'))).toHaveText(money(shop, 550));

  await tip.getByRole('radio', { name: shop.t('tip.none') }).check();
  await expect(row(shop, shop.t('bill.tip'))).toHaveCount(0);
  await tip.getByRole('radio', { name: /^20%/ }).check();
  await expect(total).toHaveText(money(shop, 3465 + 450 + 693));

  await shop.choose(shop.t('payment.method.title'), new RegExp(`^${shop.t('payment.method.store')}`));
  await shop.button(shop.t('payment.reserve')).click();
  await expectConfirmed(shop);
  await expect(row(shop, shop.t('bill.tip'))).toHaveText(money(shop, 693));
  await expect(row(shop, shop.t('bill.discountCode', { code: 'WELCOME10' }))).toHaveText(
    `−${money(shop, 385)}`,
  );
});

test('a coupon that expires at payment asks the shopper to review the bill and says why', {
  tag: once,
}, async ({ shop }) => {
  shop.watch.allowStatus(409);
  const code = `SHORT-${shop.lang}`;
  merchant('add', code, '--amount', '4', '--name', 'Four dollars', '--name-zh', '四元');
  await fillCart(shop);
  await shop.call('couponVerification', { params: { code } });
  await shop.open('/payment');
  await fillCard(shop, cards.approved);
  merchant('end', code);
  await payButton(shop).click();
  const asked = shop.page.getByRole('alertdialog', { name: shop.t('payment.changed.title') });
  await expect(asked).toContainText(shop.t('payment.changed.couponGone', { code }));
  await shop.page.keyboard.press('Escape');
  await openSummary(shop);
  await expect(row(shop, shop.t('bill.coupon', { code }))).toHaveText(shop.t('bill.couponNot'));
  await expect(shop.main.getByText(shop.t('coupon.refused.expired', { code }))).toBeVisible();
  await payButton(shop).click();
  await expectConfirmed(shop);
  await expect(shop.main.getByText(code)).toHaveCount(0);
});
