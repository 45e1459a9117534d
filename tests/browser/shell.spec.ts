/** What stands around every page: language, menu, search, skip link. */
import { productName } from './demo.ts';
import { expect, test } from './fixtures.ts';
import { messagesOf } from './messages.ts';

test('switching the language keeps page, filters and cart', async ({ shop, page, lang }) => {
  await shop.call('addToCart', { params: { itemName: 'MC-TP-02' }, body: { quantity: 3 } });
  await shop.open('/products/teaware?sort=price');
  await expect(shop.cartLink(3)).toBeVisible();
  const other = lang === 'en' ? 'zh' : 'en';
  if (shop.phone) await page.getByRole('button', { name: shop.t('shell.menu.open') }).click();
  await page
    .getByRole('link', { name: other === 'zh' ? '简体中文' : 'English' })
    .first()
    .click();
  await expect(page.locator('html')).toHaveAttribute('lang', other === 'zh' ? 'zh-CN' : 'en-CA');
  await expect(page).toHaveURL(other === 'zh' ? /\/zh\/products\/teaware\?sort=price/ : /\d\/products\/teaware\?sort=price/);
  const label = messagesOf(other)('shell.cart.count', { count: 3 });
  await expect(page.getByRole('banner').getByRole('link', { name: label })).toBeVisible();
});

test('the menu leads to a category', async ({ shop, page, lang }) => {
  await shop.open('/');
  const teaware = lang === 'en' ? 'Teaware' : '茶具';
  if (shop.phone) await page.getByRole('button', { name: shop.t('shell.menu.open') }).click();
  const menu = shop.phone ? page.getByRole('dialog') : page.getByRole('navigation', { name: shop.t('shell.menu') });
  const entry = menu.getByRole('link', { name: teaware, exact: true });
  if (shop.phone && !(await entry.isVisible())) await menu.getByText(teaware, { exact: true }).first().click();
  await menu
    .getByRole('link', { name: new RegExp(teaware) })
    .first()
    .click();
  await expect(page).toHaveURL(/\/products\/teaware$/);
  await expect(shop.heading).toHaveText(teaware);
});

test('suggestions can be walked with the arrow keys', async ({ shop, page, lang }) => {
  await shop.open('/');
  const name = productName('celadon-teapot', lang);
  const box = await shop.search(name);
  const option = page.getByRole('option', { name }).first();
  await expect(option).toBeVisible();
  // The rows before it may be categories and brands.
  for (let press = 0; press < 12 && (await option.getAttribute('aria-selected')) !== 'true'; press++)
    await box.press('ArrowDown');
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await expect(box).toBeFocused();
  await box.press('Enter');
  await expect(shop.heading).toHaveText(name);
});

test('a word with a slip of the finger finds what was meant', async ({ shop, page, lang }) => {
  await shop.open('/');
  const box = await shop.search(lang === 'en' ? 'teapto' : '青瓷圆壶');
  await box.press('Enter');
  await expect(page).toHaveURL(/\/search\?key=/);
  await expect(shop.link(productName('celadon-teapot', lang)).first()).toBeVisible();
});

test('the skip link is the first stop, and leads past the head', async ({ shop, page }) => {
  test.skip(shop.phone, 'phones have no Tab key');
  await shop.open('/brands');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: shop.t('shell.skip') });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
});

test('focus goes to the heading of the page one comes to', async ({ shop, page }) => {
  await shop.open('/products/teapots');
  await shop.main.locator('article[data-item]').first().getByRole('link').click();
  await expect(page).toHaveURL(/\/product\//);
  await expect(shop.heading).toBeFocused();
});

test('without a connection the shop says so, and shows what was seen', async ({ shop, context }) => {
  shop.watch.foresee(/ERR_INTERNET_DISCONNECTED/);
  await shop.open('/products/teapots');
  await context.setOffline(true);
  await expect(shop.page.getByText(shop.t('shell.offline'))).toBeVisible();
  await context.setOffline(false);
  await expect(shop.page.getByText(shop.t('shell.offline'))).toBeHidden();
});
