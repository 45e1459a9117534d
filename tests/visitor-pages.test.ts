/** The cart page of a visitor: complete in the server's HTML, for them alone, and in no cache. */
import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Order } from '#contract/schemas/order.ts';
import type { OpenRenderer } from '#server/app.ts';
import { renderFromSources } from './rendered.ts';
import { add, cartWith } from './shop-actions.ts';
import { createTestApp, type Shopper, type TestApp } from './test-app.ts';

const mug = { sku: 'MC-CM-01-OAT', en: 'Speckled Stoneware Mug' };
const pot = { sku: 'MC-TP-04', en: 'Low Zisha Teapot' };

/** The calls, by the end of their path, that answer 500 to pages. */
const failing = new Set<string>();

const renderWithFailures: OpenRenderer = async (server) => {
  const renderer = await renderFromSources(server);
  return {
    ...renderer,
    render: (request) =>
      renderer.render({
        ...request,
        transport: async (call) => {
          const path = call.url.split('?', 1)[0] ?? '';
          if ([...failing].some((end) => path.endsWith(end)))
            return { status: 500, body: { errorType: 'SYSTEM_ERROR' } };
          return request.transport(call);
        },
      }),
  };
};

let testApp: TestApp;
let buyer: Shopper;
let other: Shopper;

beforeAll(async () => {
  testApp = await createTestApp({ engine: 'sqlite', demo: true, app: { web: renderWithFailures } });
  buyer = await cartWith(testApp, mug.sku);
  await add(testApp, buyer, mug.sku, 2);
  other = await cartWith(testApp, pot.sku);
});

beforeEach(() => failing.clear());

const open = (path: string, cookie?: string, headers: Record<string, string> = {}) =>
  testApp.app.inject({ url: path, headers: { ...(cookie === undefined ? {} : { cookie }), ...headers } });
const textOf = (html: string) => html.replaceAll(/<script.*?<\/script>/gs, '').replaceAll(/<[^>]*>/g, ' ');

interface State {
  queries: [key: unknown[], data: unknown][];
  visitor?: true;
}

function stateOf(html: string): State {
  return JSON.parse(
    /<script type="application\/json" id="state">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null',
  ) as State;
}

function inState(html: string, name: string): unknown {
  return stateOf(html).queries.find(([key]) => key[0] === name)?.[1];
}

/** Whether a page has a line of this product. */
const shows = (html: string, { en }: { en: string }) => html.includes(`<li aria-label="${en}"`);

const countSessions = async () =>
  (await testApp.db.read.selectFrom('sessions').select('id_hash').execute()).length;

describe('the cart page of a visitor with a session', () => {
  test.each([
    ['', 'Your cart', 'Check out', 'HST 13%', 'Cart, 3 items'],
    ['/zh', '购物车', '去结账', 'HST 13%', '购物车，3 件'],
  ])(
    'the cart page (%s) has lines, amounts and the link to checkout without scripts',
    async (language, ...words) => {
      const { statusCode, body } = await open(`${language}/cart`, buyer.header);
      expect(statusCode).toBe(200);
      const order = await testApp.call('myCart', { session: buyer, lang: language === '' ? 'en' : 'zh' });
      const [line] = order.lineItems;
      for (const word of [
        line?.productName ?? '?',
        ...words.slice(0, 3),
        (order.bill.subtotal / 100).toFixed(2),
      ])
        expect(textOf(body)).toContain(word);
      expect(body).toContain(`href="${language}/checkout"`);
      expect(body).toMatch(/<img[^>]*fetchPriority="high"/);
      expect(body).toContain(`aria-label="${words[3]}"`);
    },
  );

  test('the state of the cart page has everything that the browser would request for it', async () => {
    const { body } = await open('/cart', buyer.header);
    expect(stateOf(body).visitor).toBe(true);
    expect(inState(body, 'cart')).toEqual(await testApp.call('myCart', { session: buyer }));
    expect(inState(body, 'session')).toEqual(await testApp.call('userInfo2', { session: buyer }));
    expect(inState(body, 'billEstimate')).toMatchObject({ final: true });
  });

  test('the cart page of a visitor is stored by no cache and found by no search engine', async () => {
    const { headers } = await open('/cart', buyer.header);
    expect(headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' });
    expect(headers).not.toHaveProperty('etag');
    expect(headers).not.toHaveProperty('set-cookie');
  });

  test('the cart page of a visitor has the security headers of every page', async () => {
    const shared = (await open('/cart')).headers;
    const { headers } = await open('/cart', buyer.header);
    const policy = (from: typeof headers) =>
      String(from['content-security-policy']).replace(/; style-src .*$/, '');
    expect(policy(headers)).toBe(policy(shared));
    expect(String(headers['content-security-policy'])).not.toContain('unsafe-inline');
    for (const name of [
      'x-content-type-options',
      'referrer-policy',
      'permissions-policy',
      'cross-origin-opener-policy',
    ])
      expect(headers[name]).toBe(shared[name]);
  });

  test('two visitors and a stranger who open the cart at once each get their own', async () => {
    const everyone = [buyer.header, other.header, undefined];
    const pages = await Promise.all(
      Array.from({ length: 12 }, (_, index) => open('/cart', everyone[index % 3])),
    );
    pages.forEach(({ statusCode, body }, index) => {
      expect(statusCode).toBe(200);
      expect([shows(body, mug), shows(body, pot)]).toEqual([index % 3 === 0, index % 3 === 1]);
      expect([body.includes(mug.sku), body.includes(pot.sku)]).toEqual([index % 3 === 0, index % 3 === 1]);
      const cart = inState(body, 'cart') as Order | undefined;
      expect(cart?.lineItems.map(({ sku }) => sku)).toEqual([[mug.sku], [pot.sku], undefined][index % 3]);
    });
  });

  test('the cart page shows the cart as it is now', async () => {
    const shopper = await cartWith(testApp, mug.sku);
    expect(shows((await open('/cart', shopper.header)).body, mug)).toBe(true);
    await testApp.call('deleteCartItem', { session: shopper, body: { itemName: mug.sku } });
    const { body } = await open('/cart', shopper.header);
    expect(body).not.toContain(mug.sku);
    expect(textOf(body)).toContain('Your cart is empty');
    expect(body).toContain('>New arrivals</h2>');
  });

  test('the cart page of a visitor is compressed unless its address carries a text that others may have chosen', async () => {
    const accepts = { 'accept-encoding': 'gzip, br' };
    const plain = await open('/cart', buyer.header, accepts);
    expect(plain.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(shows(brotliDecompressSync(plain.rawPayload).toString(), mug)).toBe(true);
    const chosen = await open('/cart?notice=table', buyer.header, accepts);
    expect(chosen.headers).not.toHaveProperty('content-encoding');
    expect(shows(chosen.body, mug)).toBe(true);
  });
});

describe('the cart page for everybody', () => {
  test('a visitor without a session gets the cached page, and none is created', async () => {
    const before = await countSessions();
    const { headers, body } = await open('/cart');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers).not.toHaveProperty('set-cookie');
    expect(stateOf(body).visitor).toBeUndefined();
    expect(inState(body, 'cart')).toBeUndefined();
    expect((await open('/cart')).headers.etag).toBe(headers.etag);
    expect(await countSessions()).toBe(before);
  });

  test.each([
    ['ended', `sid=${'A'.repeat(43)}`],
    ['malformed', 'sid=x'],
    ['another cookie only', 'theme=dark'],
  ])(
    'a session that does not exist (%s) gets the page for everybody, and none is created',
    async (_, cookie) => {
      const before = await countSessions();
      const { statusCode, headers, body } = await open('/cart', cookie);
      expect(statusCode).toBe(200);
      expect(headers.etag).toBe((await open('/cart')).headers.etag);
      expect(stateOf(body).visitor).toBeUndefined();
      expect(await countSessions()).toBe(before);
    },
  );

  test.each(['/', '/checkout', '/cart/confirm?oid=x', '//cart', '/%63art', '/account/menu'])(
    'the page %s contains nothing of a visitor’s session',
    async (path) => {
      const { body } = await open(path, buyer.header);
      expect(body).not.toContain(mug.sku);
      for (const name of ['cart', 'session'])
        expect(body === '' ? undefined : inState(body, name)).toBeUndefined();
    },
  );

  test.each(['/myCart', '/userInfo2'])('the page for everybody is sent if %s fails', async (call) => {
    failing.add(call);
    const { statusCode, headers, body } = await open('/cart', buyer.header);
    expect(statusCode).toBe(200);
    expect(headers['cache-control']).toBe('private, no-store');
    expect(body).not.toContain(mug.sku);
    expect(stateOf(body).visitor).toBeUndefined();
    for (const name of ['cart', 'session']) expect(inState(body, name)).toBeUndefined();
    failing.clear();
    expect(shows((await open('/cart', buyer.header)).body, mug)).toBe(true);
    expect((await open('/cart')).body).not.toContain(mug.sku);
  });

  test('the cart page has its lines if only the estimate of the bill fails', async () => {
    failing.add('/billEstimate');
    const { statusCode, body } = await open('/cart', buyer.header);
    expect(statusCode).toBe(200);
    expect(shows(body, mug)).toBe(true);
    expect(inState(body, 'billEstimate')).toBeUndefined();
  });
});

test('the session is found behind a proxy that alone knows of TLS', async () => {
  const behindProxy = await createTestApp({
    engine: 'sqlite',
    demo: true,
    env: { PROXY_HOPS: '1' },
    app: { web: renderFromSources },
  });
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' };
  const shopper = behindProxy.shopper();
  await behindProxy.call('addToCart', {
    session: shopper,
    params: { itemName: mug.sku },
    body: { quantity: 1 },
    headers,
  });
  expect(shopper.header).toMatch(/^__Host-sid=/);
  const { body } = await behindProxy.app.inject({
    url: '/cart',
    headers: { ...headers, cookie: shopper.header },
  });
  expect(shows(body, mug)).toBe(true);
});
