/** Pages of orders by the links of emails: readable without scripts, and secret. */
import { beforeAll, describe, expect, test } from 'vitest';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import {
  emailedTokens,
  type LinkedOrder,
  placeLinkedOrder,
  privateAddress,
  privateContact,
  privateNote,
} from './order-links.ts';
import { sellProduct } from './products.ts';
import { metaOf, renderedPage, renderFromSources } from './rendered.ts';
import { createTestApp, type TestApp, testNow } from './test-app.ts';

const mug = 'MUG-OAT';
const store = 'toronto-queen-west';
const pickupAt = testNow + 4 * 60 * 60_000;

let testApp: TestApp;
let order: LinkedOrder;
let token: string;
const log: string[] = [];

beforeAll(async () => {
  testApp = await createTestApp({
    engine: 'sqlite',
    demo: true,
    env: { PUBLIC_URL: 'https://shop.example', LOG_LEVEL: 'debug' },
    app: { web: renderFromSources, logStream: { write: (line) => void log.push(line) } },
  });
  await sellProduct(testApp, mug, { images: ['speckled-mug.jpg'] });
  order = await placeLinkedOrder(testApp, { how: 'reserve', sku: mug, store, pickupAt });
  [token = ''] = await emailedTokens(testApp, order.email);
});

const page = (path: string) => renderedPage(testApp.app, path);
const textOf = (html: string) => html.replaceAll(/<script.*?<\/script>/gs, '').replaceAll(/<[^>]*>/g, ' ');

describe('the page of a link to an order', () => {
  test.each([
    ['', ['Reserved', 'May 16, 2026', 'Opening hours', '2 × ', 'Saturday', 'Total']],
    ['/zh', ['已预留', '2026年5月16日', '营业时间', '合计']],
  ])('the page of a link (%s) is complete without scripts', async (language, words) => {
    const { status, html } = await page(`${language}/order/${token}`);
    expect(status).toBe(200);
    const text = textOf(html);
    for (const word of [...words, order.number, '642 Queen Street West', '$']) expect(text).toContain(word);
    expect(html).toMatch(/href="data:text\/calendar/);
    expect(html).toMatch(/<img[^>]*mug/);
  });

  test('the page of a link contains nothing that identifies the buyer, not even in its data', async () => {
    const { html } = await page(`/order/${token}`);
    const { firstName, lastName } = privateContact;
    for (const secret of [firstName, lastName, '555-0187', order.email, order.id, privateNote])
      expect(html).not.toContain(secret);
    for (const secret of [privateAddress.streetNumberAndNameDetails, privateAddress.postCode])
      expect(html).not.toContain(secret);
  });

  test.each([
    '/order/TOKEN',
    '/zh/order/TOKEN',
    '/order/TOKEN?utm_source=mail',
    '//order/TOKEN',
    '/Order/TOKEN',
    '/%6Frder/TOKEN',
    '/about/../order/TOKEN',
  ])('the page %s is not stored, indexed or named to other sites', async (pattern) => {
    const { status, headers, html } = await page(pattern.replace('TOKEN', token));
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    });
    expect(headers).not.toHaveProperty('etag');
    // The router redirects an odd spelling to the usual one.
    if (pattern.includes('%')) return expect(status).toBe(302);
    if (pattern.includes('Order')) return expect(status).toBe(301);
    expect(status).toBe(200);
    expect(metaOf(html).get('robots')).toBe('noindex');
    expect(html).not.toContain('rel="canonical"');
  });

  test('the page shows the order as it is now, whatever was rendered before', async () => {
    const other = await placeLinkedOrder(testApp, { how: 'reserve', sku: mug, store, pickupAt });
    const [theirs = ''] = await emailedTokens(testApp, other.email);
    expect(textOf((await page(`/order/${theirs}`)).html)).toContain('Reserved');
    await testApp.services.fulfilment.move(other.number, 'completed');
    expect(textOf((await page(`/order/${theirs}`)).html)).toContain('Picked up');
    await testApp.services.orderLinks.revokeOf(other.number);
    const { status, html, headers } = await page(`/order/${theirs}`);
    expect(status).toBe(410);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    });
    for (const words of ['This link no longer works', '+1 416-555-0142', 'mailto:'])
      expect(html).toContain(words);
    expect(html).not.toContain(other.number);
  });

  test.each(['/order/unknown', '/zh/order/unknown', `/order/${'A'.repeat(43)}`, '/order/%'])(
    'the unknown link %s answers 404 and says how to reach the shop',
    async (path) => {
      const { status, html } = await page(path);
      expect([400, 404]).toContain(status);
      if (status === 404) for (const words of ['+1 416-555-0142', 'mailto:']) expect(html).toContain(words);
    },
  );

  test('a network that tries many unknown links gets 429 for pages as well, by the address of the client', async () => {
    const visit = (path: string, remoteAddress: string) => testApp.app.inject({ url: path, remoteAddress });
    for (let guess = 0; guess < 30; guess += 1) await visit(`/order/guess-${guess}`, '192.0.2.10');
    const { statusCode, body } = await visit(`/order/${token}`, '192.0.2.10');
    expect(statusCode).toBe(429);
    expect(textOf(body)).toContain('Too many attempts');
    expect((await visit(`/order/${token}`, '192.0.2.11')).statusCode).toBe(200);
  });

  test('crawlers are kept out, and no sitemap names a link', async () => {
    const { body } = await testApp.app.inject('/robots.txt');
    expect(body).toContain('\nDisallow: /order/\n');
    expect(body).toContain('\nDisallow: /zh/order/\n');
    const index = (await testApp.app.inject('/sitemap.xml')).body;
    const files = [...index.matchAll(/<loc>https:\/\/shop\.example(\/sitemap\/[^<]+)<\/loc>/g)].map(
      ([, path]) => path ?? '',
    );
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect((await testApp.app.inject(file)).body).not.toContain('/order/');
  });

  test('no line of the log contains a token, of whatever call or page', async () => {
    const call = (method: 'GET' | 'POST', path: string, payload?: object) =>
      testApp.app.inject({
        method,
        url: `/api/istore/client/${path}`,
        headers: { [clientTokenHeader]: clientToken },
        ...(payload ? { payload } : {}),
      });
    log.length = 0;
    const guessed = 'Z'.repeat(43);
    for (const secret of [token, guessed, 'short']) {
      for (const path of ['order', 'zh/order', 'Order', '%6Frder', 'nowhere'])
        await page(`/${path}/${secret}`);
      await call('GET', `orderLink/${secret}`);
      await call('POST', `orderLink/${secret}/cancel/${secret}`);
      await call('POST', `orderLink/${secret}/pickup`, { pickupDate: 1 });
    }
    expect(log.length).toBeGreaterThan(20);
    expect(log.filter((line) => line.includes(token) || line.includes(guessed))).toEqual([]);
    expect(log.some((line) => line.includes('"/order/(token)"'))).toBe(true);
    expect(log.some((line) => line.includes('orderLink/(token)/pickup"'))).toBe(true);
    // Ids of orders stay: they open nothing.
    await call('GET', `admin/orderManagement/order/${order.id}`);
    expect(log.at(-1)).toContain(order.id);
  });
});
