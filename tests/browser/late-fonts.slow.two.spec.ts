/** Pages whose web fonts arrive after the text has been drawn with the fonts of the system, as on a slow network. */
import { expect, test } from './fixtures.ts';
import { expectNoLayoutShift } from './layout-shift.ts';

const paths = [
  '/',
  '/search?key=qqxxzz',
  '/products/teaware',
  '/product/celadon-teapot',
  '/contact',
  '/tea-bar',
  '/shipping-and-returns',
];

for (const path of paths) {
  test(`the page ${path} keeps its layout when its fonts arrive late`, async ({ shop }) => {
    const { page } = shop;
    const release = Promise.withResolvers<void>();
    let held = 0;
    await page.route('**/*.woff2', async (route) => {
      held += 1;
      await release.promise;
      await route.continue();
    });
    await page.goto(shop.url(path), { waitUntil: 'commit' });
    await expect(shop.heading).toBeVisible();
    // Swapping starts once a text was drawn without the font, so the text has to be on the screen before the font.
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
    await expect.poll(() => held).toBeGreaterThan(0);
    release.resolve();
    await page.waitForLoadState('load');
    await expectNoLayoutShift(page);
    expect(
      await page.evaluate(() => [...document.fonts].filter(({ status }) => status === 'loaded').length),
    ).toBeGreaterThan(0);
  });
}
