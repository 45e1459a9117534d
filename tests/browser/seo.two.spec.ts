/** Icons, manifest, sitemaps and titles for browsers, phones and search engines. */
import sharp from 'sharp';
import { expect, once, test } from './fixtures.ts';

test('the shop’s icon exists in every requested format', { tag: once }, async ({ shop }) => {
  await shop.open('/');
  for (const [path, type, size] of [
    ['/favicon.ico', 'image/x-icon', null],
    ['/favicon.svg', 'image/svg+xml', null],
    ['/apple-touch-icon.png', 'image/png', 180],
    ['/icon-192.png', 'image/png', 192],
    ['/icon-512.png', 'image/png', 512],
  ] as const) {
    const answer = await shop.page.request.get(path, { maxRedirects: 0 });
    expect(answer.status(), path).toBe(200);
    expect(answer.headers()['content-type'], path).toBe(type);
    if (size)
      expect(await sharp(await answer.body()).metadata(), path).toMatchObject({ width: size, height: size });
  }
});

test('the page links to a manifest in its language', async ({ shop, page }) => {
  await shop.open('/');
  const href = (await page.locator('link[rel=manifest]').getAttribute('href')) ?? '';
  const manifest = await (await page.request.get(href)).json();
  expect(manifest.name).toBe(shop.lang === 'zh' ? '枫土' : 'Maple & Clay');
  expect(manifest.start_url).toBe(shop.url('/'));
});

test('a page found in its sitemap is the page that is shown', async ({ shop, page }) => {
  const robots = await (await page.request.get('/robots.txt')).text();
  const index = /^Sitemap: (.*)$/m.exec(robots)?.[1] ?? '';
  const inShop = (address: string) => new URL(address).pathname;
  const locs = async (path: string) =>
    [...(await (await page.request.get(path)).text()).matchAll(/<(?:url|sitemap)><loc>(.*?)<\/loc>/g)].map(
      ([, loc = '']) => loc,
    );
  const sitemaps = await locs(inShop(index));
  const products = await locs(inShop(sitemaps.find((address) => address.includes('products')) ?? ''));
  const wanted = products.find((address) => inShop(address) === shop.url('/product/celadon-teapot')) ?? '';
  await page.goto(inShop(wanted));
  await shop.alive();
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', wanted);
});

test('a navigation within the shop updates title and metadata', { tag: once }, async ({ shop, page }) => {
  await shop.open('/brands');
  const before = await page.title();
  await shop
    .link(shop.lang === 'zh' ? '枫土' : 'Maple & Clay')
    .first()
    .click();
  await expect(shop.heading).toBeFocused();
  await expect(page).not.toHaveTitle(before);
  const canonical = page.locator('link[rel=canonical]');
  await expect(canonical).toHaveCount(1);
  await expect(canonical).toHaveAttribute(
    'href',
    new RegExp(`^https?://[^/]+${shop.url('/brand/maple-and-clay')}$`),
  );
  await expect(page.locator('link[rel=alternate][hreflang=x-default]')).toHaveCount(1);
});
