/** Endless product lists that keep their place. */
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, test } from './fixtures.ts';

const cards = 'article[data-item]';

test('more products load while scrolling, and Back returns to the same one', async ({ shop, page }) => {
  await shop.open('/productlist');
  await shop.main.locator(cards).nth(11).scrollIntoViewIfNeeded();
  const further = shop.main.locator(cards).nth(15).getByRole('link');
  await further.scrollIntoViewIfNeeded();
  const name = await further.textContent();
  await further.click();
  await expect(shop.heading).toHaveText(name ?? '');

  await page.goBack();
  const back = shop.link(name ?? '');
  await expect(back).toBeInViewport();
  await expect(back).toBeFocused();
});

test('a card that is pressed stands as its page until that has loaded, and the list stands on the way back', {
  tag: once,
}, async ({ shop, page }) => {
  await shop.open('/products/teaware');
  const card = shop.main.locator(cards).nth(4);
  await card.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
  const name = (await card.getByRole('link').textContent()) ?? '';
  // Loaded once the browser is idle.
  await expect
    .poll(() =>
      page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => /stand-in/.test(name))),
    )
    .toBe(true);
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/api/**/product/*', async (route) => {
    await held;
    await route.continue();
  });
  const at = await page.evaluate(() => scrollY);
  const beside = await shop.main
    .locator(cards)
    .nth(5)
    .getByRole('link')
    .evaluate((link) => {
      const { x, y } = link.getBoundingClientRect();
      return { x: x + 4, y: y + 4 };
    });
  await card.getByRole('link').click();
  const standIn = page.locator('body > div:has(> [inert])');
  await expect(standIn.locator('h1')).toHaveText(name);
  // A press on it does not reach the list, which is still below it.
  await page.mouse.click(beside.x, beside.y);
  await expect(standIn.locator('.gallery img')).toBeVisible();
  await expect(shop.main.getByRole('heading', { level: 1, name })).toHaveCount(0);
  release();
  await expect(shop.heading).toHaveText(name);
  await expect(standIn).toHaveCount(0);
  await expect(shop.heading).toBeFocused();
  await page.goBack();
  await expect(shop.main.getByRole('link', { name })).toBeFocused();
  await expect(standIn).toHaveCount(0);
  expect(Math.abs((await page.evaluate(() => scrollY)) - at)).toBeLessThan(2);
});

test('filters and sort order are in the address and survive Back', { tag: once }, async ({ shop, page }) => {
  await shop.open('/products/teaware?sort=price');
  const cheapest = await shop.main.locator(cards).first().getAttribute('data-item');
  await shop.main.locator(cards).first().getByRole('link').click();
  await expect(page).toHaveURL(/\/product\//);
  await page.goBack();
  await expect(page).toHaveURL(/sort=price/);
  // The menu marks the category whatever its filters are.
  const menu = page.getByRole('banner').locator('a[aria-current="page"]');
  await expect(menu.first()).toHaveAttribute('href', shop.url('/products/teaware'));
  await expect(shop.main.locator(cards).first()).toHaveAttribute('data-item', cheapest ?? '');
});

test('every page of a list has an address that works without scripts', { tag: once }, async ({
  browser,
  shop,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const page = await context.newPage();
  await page.goto(shop.url('/productlist?page=2'));
  await expect(page.locator(cards)).toHaveCount(12);
  const second = await page.locator(cards).first().getAttribute('data-item');
  await page.getByRole('link', { name: shop.t('list.more') }).click();
  await expect(page).toHaveURL(/page=3/);
  await expect(page.locator(cards).first()).not.toHaveAttribute('data-item', second ?? '');
  await context.close();
});

test('a search without results says so and offers a way on', { tag: once }, async ({ shop }) => {
  await shop.open('/search?key=qqxxzz');
  await expect(shop.main.getByText(shop.t('list.empty.search'))).toBeVisible();
  await expect(shop.main.getByRole('link').first()).toBeVisible();
});

test('a list is filtered with the keyboard, and the filters are chips that can be removed', {
  tag: once,
}, async ({ shop, page }) => {
  await shop.open('/products/teaware');
  const bar = shop.main.getByRole('search', { name: shop.t('list.filter.bar') });
  if (shop.phone) {
    await bar.getByRole('button', { name: shop.t('list.filter') }).click();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: shop.t('list.colour.green') })
      .click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: shop.like('list.filter.show.other') })
      .click();
  } else {
    const menu = bar.locator('summary', { hasText: shop.t('list.colour') });
    await menu.focus();
    await page.keyboard.press('Enter');
    await expectNoSeriousAxe(page);
    await page.keyboard.press('Escape');
    await expect(bar.getByRole('link', { name: shop.t('list.colour.green') })).toBeHidden();
    await expect(menu).toBeFocused();
    await page.keyboard.press('Enter');
    await bar.getByRole('link', { name: shop.t('list.colour.green') }).focus();
    await page.keyboard.press('Enter');
  }
  await expect(page).toHaveURL(/colour=green/);
  const chip = shop.main.getByRole('link', {
    name: shop.t('ui.filter.remove', { name: shop.t('list.colour.green') }),
  });
  await expect(shop.main.locator(cards)).toHaveCount(1);
  await chip.click();
  await expect(page).not.toHaveURL(/colour/);
});
