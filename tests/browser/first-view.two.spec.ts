/** The moments before a page's scripts have arrived: what loads first, and what the shopper already does. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import { address, shopper } from './checkout.ts';
import { expect, once, type Page, test } from './fixtures.ts';

/** Holds what the page requests from these addresses. Returns the function that lets it pass. */
async function hold(page: Page, addresses: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test('a button that is pressed before the scripts have arrived acts once they are there', {
  tag: once,
}, async ({ shop, page }) => {
  const release = await hold(page, '**/assets/*.js');
  await page.goto(shop.url('/product/celadon-teapot'), { waitUntil: 'commit' });
  const add = shop.button(shop.t('product.add'));
  await add.click();
  await expect(add).toHaveAttribute('aria-busy', 'true');
  const spinner = () => add.evaluate((button) => getComputedStyle(button, '::after').animationName);
  expect(await spinner()).toBe('turn');
  release();
  await expect(shop.addedPanel).toBeVisible();
  await expect(add).not.toHaveAttribute('data-pressed');
  await expect(shop.cartLink(1)).toBeAttached();
});

test('the checkout form can be used after two calls, which wait for no script', { tag: once }, async ({
  shop,
  page,
}) => {
  await shop.call('addToCart', { params: { itemName: 'MC-CM-01-OAT' }, body: { quantity: 1 } });
  const called: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith(apiBase)) called.push(pathname.slice(apiBase.length));
  });
  const releaseScripts = await hold(page, '**/assets/*.js');
  await page.goto(shop.url('/checkout'), { waitUntil: 'commit' });
  await expect.poll(() => called.toSorted()).toEqual(['common3/userInfo2', 'shoppingManagement4/myCart']);

  const releaseCalls = await hold(page, `**${apiBase}**`);
  releaseScripts();
  await shop.field('checkout.contact.email').fill(shopper.email);
  await shop.field('checkout.address.street').fill(address.street);
  await expect(shop.field('checkout.address.province.CA')).toHaveValue('Ontario');
  releaseCalls();
});

test('the scripts of a page wait for its largest image, but not for long', { tag: once }, async ({
  shop,
  page,
}) => {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  const release = await hold(page, '**/media/**');
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto(shop.url('/product/celadon-teapot'), { waitUntil: 'domcontentloaded' });
  expect(scripts).toEqual([]);
  await page.clock.runFor(1000);
  await expect.poll(() => scripts.length).toBeGreaterThan(0);
  release();
});

for (const path of ['/', '/productlist', '/product/celadon-teapot'])
  test(`a reader who scrolls ${path} before the scripts have arrived stays there`, async ({ shop, page }) => {
    const release = await hold(page, '**/assets/*.js');
    await page.goto(shop.url(path), { waitUntil: 'domcontentloaded' });
    const top = () => page.evaluate(() => scrollY);
    await page.mouse.move(200, 400);
    await page.mouse.wheel(0, 500);
    await expect.poll(top).toBe(500);
    release();
    await shop.alive();
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    expect(await top()).toBe(500);
    await page
      .locator('a[href$="/brands"]')
      .first()
      .evaluate((link: HTMLElement) => link.click());
    await expect(page).toHaveURL(/\/brands$/);
    await expect.poll(top).toBe(0);
    await page.goBack();
    await expect(page).toHaveURL(shop.url(path));
    await expect.poll(top).toBe(500);
  });

/** The shop behind a network that brings the head of a page at once and the rest when `release` is called. */
async function halfOpenShop(
  origin: string,
): Promise<{ url: string; release: () => void; close: () => void }> {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const server = createServer(async ({ url = '', headers: { cookie = '' } }, response) => {
    const answer = await fetch(origin + url, {
      headers: { cookie, 'accept-encoding': 'identity', [clientTokenHeader]: clientToken },
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    const held = type.startsWith('text/html') ? body.length - 100 : body.length;
    response.writeHead(answer.status, { 'content-type': type });
    response.write(body.subarray(0, held));
    if (held < body.length) await promise;
    response.end(body.subarray(held));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, release, close: () => server.close() };
}

test('the scripts of a page run once all of it has arrived', { tag: once }, async ({
  shop,
  baseURL,
  page,
}) => {
  const slow = await halfOpenShop(new URL('/', baseURL).origin);
  try {
    await page.goto(slow.url + shop.url('/product/celadon-teapot'), { waitUntil: 'commit' });
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => /entry\.client/.test(name)),
    );
    await expect(page.locator('script[type=module]')).toHaveCount(0);
    slow.release();
    await shop.alive();
  } finally {
    slow.release();
    slow.close();
  }
});
