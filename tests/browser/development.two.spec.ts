/** `npm run dev`: both fronts run from their sources, through Vite. */
import { expect, once, test } from './fixtures.ts';
import { startShop } from './server.ts';

test('the storefront and the office open while developing', { tag: once }, async ({ page, watch }) => {
  test.setTimeout(300_000);
  const server = await startShop({ DEMO: '1', NODE_ENV: 'development' });
  try {
    watch.allowStatus(401);
    // Vite's own lines, and the page that it loads again once it has found all packages.
    watch.allow(
      /\[vite\]|React DevTools|Outdated Optimize Dep|status of 504|answer 504|dynamically imported module/,
    );
    await page.goto(server.address, { timeout: 120_000 });
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
    const isLive = page.waitForEvent('console', {
      predicate: (line) => line.text().includes('[vite] connected'),
      timeout: 120_000,
    });
    await page.goto(`${server.address}/office`, { timeout: 120_000 });
    await isLive;
    await page.getByRole('button').filter({ hasText: 'Mei Chen' }).click({ timeout: 120_000 });
    await expect(page.getByRole('navigation').getByRole('link').first()).toBeVisible({ timeout: 60_000 });
  } finally {
    await page.goto('about:blank');
    await server.stop();
  }
});
