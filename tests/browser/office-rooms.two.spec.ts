/** Every room of the office opens, also without what supported browsers lack, and says all of it in words (fixtures.ts). */
import { staffTranslate } from '#contract/staff/messages.ts';
import { expect, test } from './fixtures.ts';
import { enterAs } from './office.ts';

test('an owner opens every room of the menu, and the pages that open from it', async ({
  page,
  watch,
  lang,
}) => {
  test.setTimeout(400_000);
  const t = staffTranslate(lang);
  await enterAs({ page, watch }, 'Mei Chen', 'setup');
  const menu = page.getByRole('navigation').getByRole('link');
  await expect(menu.first()).toBeAttached();
  const rooms = await menu.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  expect(rooms.length).toBeGreaterThan(15);
  const heading = page.getByRole('main').getByRole('heading').first();
  for (const room of rooms) {
    await page.getByRole('navigation').locator(`a[href="${room}"]`).click();
    await expect(page).toHaveURL(new RegExp(`${room}(?:[/?]|$)`));
    await expect(heading).toBeVisible();
    // The first page that a list leads to: an order, a product, a group of modifiers.
    const inner = page.getByRole('main').locator(`a[href^="${room}/"]`);
    if ((await inner.count()) === 0) continue;
    await inner.first().click();
    await expect(heading).toBeVisible();
  }
  await expect(page.getByText(t('office.noRoom'))).toHaveCount(0);
});
