/** Buying with the keyboard alone, on a desktop: phones have no Tab key. */
import type { Locator } from '@playwright/test';
import { expectConfirmed, shopper } from './checkout.ts';
import { expect, once, quick, test } from './fixtures.ts';
import type { Shop } from './shop.ts';

/** Presses Tab until `target` has focus; everything on the way can be seen when it has it. */
async function tabTo(shop: Shop, target: Locator): Promise<void> {
  for (let presses = 0; presses < 90; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await shop.page.keyboard.press('Tab');
    const hidden = await shop.page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return null;
      const { width, height, bottom, right } = focused.getBoundingClientRect();
      const seen =
        width > 0 &&
        height > 0 &&
        bottom > 0 &&
        right > 0 &&
        getComputedStyle(focused).visibility === 'visible';
      return seen ? null : focused.outerHTML.slice(0, 200);
    });
    expect(hidden, 'focus on something that cannot be seen').toBeNull();
  }
  throw new Error(`${target} cannot be reached with the Tab key`);
}

async function type(shop: Shop, target: Locator, text: string): Promise<void> {
  await tabTo(shop, target);
  await shop.page.keyboard.type(text);
}

/** A radio group is one stop; the arrow keys walk its answers. */
async function chooseByKey(shop: Shop, group: Locator, answer: RegExp): Promise<void> {
  const wanted = group.getByRole('radio', { name: answer });
  const first = group.locator('input:enabled').first();
  const checked = group.getByRole('radio', { checked: true });
  await tabTo(shop, (await checked.count()) > 0 ? checked : first);
  if ((await checked.count()) === 0) await shop.page.keyboard.press('Space');
  for (let presses = 0; presses < 6 && !(await wanted.isChecked()); presses++)
    await shop.page.keyboard.press('ArrowDown');
  await expect(wanted).toBeChecked();
}

test('a shopper orders a tea to the table without touching a mouse', { tag: once }, async ({ shop }) => {
  test.setTimeout(120_000);
  const { t, page } = shop;
  const group = (name: string) => shop.main.getByRole('radiogroup', { name });
  await shop.open('/product/iced-oolong');
  await tabTo(shop, shop.button(shop.like('modifiers.add')));
  await page.keyboard.press('Enter');
  await tabTo(shop, page.getByRole('link', { name: t('product.goToCart') }));
  await page.keyboard.press('Enter');
  await expect(shop.heading).toContainText(t('cart.title'));

  await tabTo(shop, shop.link(t('cart.checkout')));
  await page.keyboard.press('Enter');
  await expect(shop.heading).toHaveText(t('checkout.title'));
  await type(shop, shop.field('checkout.contact.email'), shopper.email);
  await chooseByKey(shop, group(t('checkout.method.title')), new RegExp(`^${t('checkout.method.instore')}`));
  await chooseByKey(shop, group(t('checkout.table.store')), /Queen West|皇后西街/);
  await type(shop, shop.field('checkout.table.number'), '7');
  await type(shop, shop.field('checkout.contact.firstName'), shopper.firstName);
  await type(shop, shop.field('checkout.contact.lastName'), shopper.lastName);
  await page.keyboard.press('Enter');
  await expect(shop.heading).toHaveText(t('payment.title'));

  await chooseByKey(shop, group(t('payment.method.title')), new RegExp(t('payment.method.store')));
  await tabTo(shop, shop.button(t('payment.reserve')));
  await page.keyboard.press('Enter');
  await expectConfirmed(shop);
});

test('the Tab key reaches the checkout form before the summary beside it', { tag: [once, quick] }, async ({
  shop,
  page,
}) => {
  const { t } = shop;
  await shop.call('addToCart', { params: { itemName: 'MC-GT-01-100' }, body: { quantity: 1 } });
  await shop.open('/checkout');
  const methods = shop.main.getByRole('radiogroup', { name: t('checkout.method.title') });
  await expect(methods).toBeVisible();
  await shop.link(t('checkout.steps.cart')).focus();
  await page.keyboard.press('Tab');
  await expect(shop.field('checkout.contact.email')).toBeFocused();
});
