/** The frame of the office: its menu, keys, the names of its pages, and what it shows while an answer is missing. */
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, test } from './fixtures.ts';
import { enterAs } from './office.ts';

test('the first Tab skips the menu, and keys walk through rows, mark them, open one and search', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'orders');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Orders');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.locator('main').locator(':focus')).toHaveCount(1);
  const rows = page.getByRole('main').getByRole('listitem');
  await heading.click();
  for (const key of ['j', 'j', 'k', 'j']) await page.keyboard.press(key);
  const second = rows.nth(1).getByRole('link').first();
  await expect(second).toBeFocused();
  await page.keyboard.press('x');
  await expect(rows.nth(1).getByRole('checkbox')).toBeChecked();
  await expect(second).toBeFocused();
  const number = await second.textContent();
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle(`${number} · Orders · Office`);
  await expect(heading).toBeFocused();
  await page.keyboard.type('go');
  await expect(heading).toHaveText('Orders');
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await expect(page.getByRole('searchbox')).toHaveValue('');
  await heading.click();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Mark the row');
  await expectNoSeriousAxe(page);
  // Rows that open nothing get the focus themselves.
  await page.goto('/office/staff');
  const people = page.getByRole('main').getByRole('listitem');
  await expect(people.nth(1)).toBeVisible();
  for (const key of ['j', 'j']) await page.keyboard.press(key);
  await expect(people.nth(1)).toBeFocused();
  await expect(people.nth(1)).toHaveCSS('outline-style', 'solid');
  await page.keyboard.press('e');
  await expect(people.nth(1).getByRole('button')).toBeFocused();
  // Where the only button of a row ends something, it is the link that leads to its fields.
  await page.goto('/office/coupons');
  const coupon = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('button') })
    .first();
  await coupon.getByRole('button').focus();
  await page.keyboard.press('e');
  await expect(coupon.getByRole('link')).toBeFocused();
});

test('on a phone one row has the menu of all rooms, which ends once another is chosen', {
  tag: once,
}, async ({ page, watch }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterAs({ page, watch }, 'Mei Chen', 'orders');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Orders');
  expect((await heading.boundingBox())?.y).toBeLessThan(120);
  await page.getByRole('button', { name: 'Rooms' }).click();
  const menu = page.getByRole('dialog');
  await expect(menu.getByText('Catalogue')).toBeVisible();
  await expectNoSeriousAxe(page);
  await menu.getByRole('link', { name: 'Coupons' }).click();
  await expect(menu).toBeHidden();
  await expect(heading).toHaveText('Coupons');
  await expect(heading).toBeFocused();
});

test('a list that did not come is asked for again, and grey rows stand for one that is long in coming', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'orders');
  watch.allowStatus(503);
  let isDown = true;
  await page.route('**/staff/coupons*', async (route) => {
    if (isDown)
      return route.fulfill({ status: 503, json: { errorKey: 'error.unavailable', message: 'Not now' } });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return route.continue();
  });
  await page.goto('/office/coupons');
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible({ timeout: 15_000 });
  isDown = false;
  await again.click();
  await expect(page.getByRole('listitem').filter({ hasText: 'WELCOME' }).first()).toBeVisible();
  await expect(again).toBeHidden();
  await page.reload();
  await expect(page.locator('.loading-rows')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'WELCOME' }).first()).toBeVisible();
  await expect(page.locator('.loading-rows')).toBeHidden();
});
