/**
 * Any input gets a clear 4xx in the error shape or a valid response, never a crash, and a rejected request changes nothing. The
 * inputs are generated from the contract's schemas.
 */
import fc from 'fast-check';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { errorTypes } from '#contract/errors.ts';
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import { ErrorBody } from '#contract/schemas/common.ts';
import { endpoints } from '#contract/shop/endpoints.ts';
import { type EndpointName, methodAndPath } from '#contract/shop/paths.ts';
import { AppError } from '#server/platform/errors.ts';
import { repeats } from '#tests/long.ts';
import { type Known, roughly } from '#tests/schema-arbitrary.ts';
import { createTestApp, forEachEngine, Shopper, type TestApp } from '#tests/test-app.ts';
import { createValidator } from './validation.ts';

/** Runs per call. Fewer on PostgreSQL, where each query goes over a socket. */
const runs = { sqlite: repeats(15, 40), postgres: 15 };
const seed = 2026;
const names = Object.keys(endpoints) as EndpointName[];
const withBody = names.filter((name) => 'body' in endpoints[name]);
const json = { 'content-type': 'application/json' };

interface Sent {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

forEachEngine((engine) => {
  let testApp: TestApp;
  const log: string[] = [];
  const shopper = new Shopper();
  let known: Known = {};
  let itemName = '';
  let state = '';

  beforeAll(async () => {
    const logStream = { write: (line: string) => void log.push(line) };
    testApp = await createTestApp({ engine, demo: true, env: { LOG_LEVEL: 'error' }, app: { logStream } });
    const { products } = await testApp.call('products');
    const product = await testApp.call('product', {
      params: { id: products.find((each) => !each.inStoreOnly)?.id ?? '' },
    });
    const item = product.skus.find((sku) => sku.inStock);
    itemName = item?.sku ?? '';
    known = {
      ...(await whatExists(testApp)),
      // Parts of an item that belong together.
      product: [product.id],
      itemName: [itemName],
      sku: [itemName],
      optionPairs: [item?.optionPairs ?? ''],
    };
    await fillCart();
  });

  /** Adds something to change: an order placed by chance empties the cart. */
  async function fillCart(): Promise<void> {
    const { lineItems } = await testApp.call('myCart', { session: shopper });
    if (lineItems.length === 0)
      await testApp.call('addToCart', { params: { itemName }, body: { quantity: 1 }, session: shopper });
    // A session is prolonged when its cookie is first sent back.
    await testApp.call('userInfo2', { session: shopper });
    state = await snapshot(testApp);
  }

  async function send(
    name: EndpointName,
    url: string,
    payload?: string,
    headers: Record<string, string> = json,
  ): Promise<number> {
    const { method } = methodAndPath(name);
    const answer = await testApp.app.inject({
      method,
      url,
      headers: {
        [clientTokenHeader]: clientToken,
        cookie: shopper.header,
        ...(payload === undefined ? {} : headers),
      },
      ...(payload === undefined ? {} : { payload }),
    });
    expect(answer.statusCode, answer.body).toBeLessThan(500);
    expect(log).toEqual([]);
    const refused = answer.statusCode >= 400;
    if (refused) {
      const body: unknown = answer.json();
      expect(Check(ErrorBody, body), answer.body).toBe(true);
      expect(errorTypes).toContain((body as ErrorBody).errorType);
    }
    const { changes }: Endpoint = endpoints[name];
    if (changes) {
      const after = await snapshot(testApp);
      if (refused) expect(after).toBe(state);
      state = after;
    }
    return answer.statusCode;
  }

  describe.each(names)('the call %s', (name) => {
    const endpoint: Endpoint = endpoints[name];

    test('any input is accepted or rejected without a crash', async () => {
      await fillCart();
      const part = (schema: Endpoint['params']) =>
        schema ? roughly(schema, knownTo(name, known)) : fc.constant({});
      const input = fc.record({
        params: part(endpoint.params),
        query: part(endpoint.query),
        body: part(endpoint.body),
      });
      await fc.assert(
        fc.asyncProperty(input, async (sent) => {
          const payload = endpoint.body ? JSON.stringify(sent.body) : undefined;
          await send(name, urlOf(name, sent as Sent), payload);
        }),
        { numRuns: runs[engine], seed },
      );
      // A read-only call changes nothing, whatever it answers.
      if (!endpoint.changes) expect(await snapshot(testApp)).toBe(state);
    });
  });

  describe.each(withBody)('the body of %s', (name) => {
    test.each([
      ['cut off', '{"quantity":', 400],
      ['not JSON', 'quantity=1', 400],
      ['a list', '[]', 400],
      ['a text', '"x"', 400],
      ['a poisoned prototype', '{"__proto__":{"quantity":1}}', 400],
      ['a poisoned constructor', '{"constructor":{"prototype":{"quantity":1}}}', 400],
      ['very deep', '['.repeat(20_000) + ']'.repeat(20_000), 400],
      ['one megabyte', JSON.stringify({ quantity: 'x'.repeat(1024 * 1024) }), 413],
    ])('a body that is %s is rejected', async (_kind, payload, status) => {
      const sent: Sent = { params: exampleParams(name), query: {}, body: null };
      expect(await send(name, urlOf(name, sent), payload)).toBe(status);
    });

    test('a body of another content type is rejected', async () => {
      const sent: Sent = { params: exampleParams(name), query: {}, body: null };
      expect(await send(name, urlOf(name, sent), '<xml/>', { 'content-type': 'application/xml' })).toBe(415);
    });
  });

  test('a value of any kind that is 20,000 lists deep is rejected by its field', () => {
    const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
    const validate = createValidator(Type.Object({ given: Type.Unknown() }), 'body');
    expect(() => validate({ given: deep })).toThrow(AppError);
  });

  test('a text with half a surrogate pair is rejected by its field', async () => {
    const { status, body } = await testApp.ask('updateCustomerComment', {
      body: { value: 'tea \ud83c' },
      session: shopper,
    });
    expect([status, body.errors]).toEqual([400, { value: 'This value isn’t valid' }]);
    expect(
      (await testApp.ask('updateCustomerComment', { body: { value: 'tea \ud83c\udf75' }, session: shopper }))
        .status,
    ).toBe(200);
  });

  test('another shopper’s cart stays out of reach, whatever the cookie says', async () => {
    const before = await testApp.call('myCart', { session: shopper });
    for (const cookie of [
      'sid=',
      `sid=${'A'.repeat(43)}`,
      'sid=../../x',
      `sid=${'x'.repeat(4000)}`,
      'sid=%00',
      "sid=' or 1=1",
    ]) {
      const answer = await testApp.ask('myCart', { headers: { cookie }, session: testApp.shopper() });
      expect(answer.status).toBe(200);
      expect(answer.body.lineItems).toEqual([]);
    }
    expect(await testApp.call('myCart', { session: shopper })).toEqual(before);
  });
});

function exampleParams(name: EndpointName): Record<string, string> {
  const endpoint: Endpoint = endpoints[name];
  const properties =
    endpoint.params && 'properties' in endpoint.params
      ? Object.keys(endpoint.params.properties as object)
      : [];
  return Object.fromEntries(properties.map((key) => [key, 'x']));
}

/** Values in the path and the query are text, whatever their type. */
function urlOf(name: EndpointName, { params, query }: Sent): string {
  const { path } = methodAndPath(name);
  const filled = path.replace(/:(\w+)/g, (_, key: string) => encode(fieldOf(params, key)) || 'x');
  const search = Object.entries(Object(query) as Record<string, unknown>).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => `${encode(key)}=${encode(each)}`),
  );
  return `${apiBase}${filled}${search.length > 0 ? `?${search.join('&')}` : ''}`;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : value;
}

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  // A lone surrogate has no encoding in a URL.
  return encodeURIComponent(text.toWellFormed()).slice(0, 6000).replace(/%.?$/, '');
}

/** Existing values by field; those of `id` by call. */
async function whatExists({ db }: TestApp): Promise<Known> {
  const ids = async (table: 'products' | 'stores' | 'categories' | 'brands' | 'tags') => {
    const rows = await db.read.selectFrom(table).select('id').limit(5).execute();
    return rows.map((row) => row.id);
  };
  const [products, stores] = await Promise.all([ids('products'), ids('stores')]);
  const [categories, brands, tags] = await Promise.all([ids('categories'), ids('brands'), ids('tags')]);
  const posts = await db.read
    .selectFrom('blog_posts')
    .select(['id', 'link', 'blog_id'])
    .where('released', '=', 1)
    .limit(2)
    .execute();
  return {
    storeBlogId: posts.slice(0, 1).map((post) => post.blog_id),
    storeBlogPostId: posts.map((post) => post.id),
    link: posts.map((post) => post.link),
    like: ['true', 'false'],
    'id of product': products,
    'id of categories': ['primary', ...categories],
    'id of provinces': ['CA', 'US', 'CN'],
    'name of category': categories,
    'name of brand': brands,
    'name of tag': tags,
    productID: products,
    productid: products,
    localStoreName: stores,
    categoryName: categories,
    brandName: brands,
    tagName: tags,
    tagid: tags,
    pageName: ['home'],
    condition: ['all', 'onSale', 'clearance', ...categories],
    nameLike: ['mug', 'teapt', 'ce', '杯', '茶壶 青'],
    gatewayName: ['house', '{host}'],
    lang: ['en', 'zh'],
    country: ['CA', 'US'],
    countryISOCode: ['CA', 'US'],
    province: ['Ontario', 'Quebec', 'New York'],
    email: ['mei@example.com'],
    phoneNumber: ['416 555 0100'],
    creditCardNumber: ['4242424242424242'],
    cardCode: ['123'],
    date: ['2026-05-18'],
    url: ['/blog/feed.xml'],
    mailTo: ['wholesale@maple-and-clay.example'],
    formName: ['wholesale'],
    key: ['email', 'contactName', 'interest'],
  };
}

/** The values for a call: `id` and `name` mean something different in each. */
function knownTo(name: EndpointName, known: Known): Known {
  return { ...known, id: known[`id of ${name}`] ?? [], name: known[`name of ${name}`] ?? [] };
}

/** Everything a call could change: small tables in full, row counts of the others. */
async function snapshot({ db }: TestApp): Promise<string> {
  const { read } = db;
  const whole = await Promise.all([
    read.selectFrom('orders').selectAll().orderBy('id').execute(),
    read.selectFrom('order_lines').selectAll().orderBy('order_id').orderBy('sku').execute(),
    read.selectFrom('holds').selectAll().orderBy('order_id').orderBy('sku').execute(),
    read.selectFrom('payments').selectAll().orderBy('id').execute(),
    read.selectFrom('pickup_slots').selectAll().orderBy('store_id').orderBy('slot_at').execute(),
    read.selectFrom('sessions').selectAll().orderBy('id_hash').execute(),
    read.selectFrom('customers').selectAll().orderBy('id').execute(),
    read.selectFrom('deliveries').selectAll().orderBy('id').execute(),
    read.selectFrom('temporary_passwords').selectAll().orderBy('mail_id').execute(),
    read.selectFrom('blog_likes').selectAll().orderBy('post_id').orderBy('liker').execute(),
    read.selectFrom('blog_like_counts').selectAll().orderBy('post_id').execute(),
    read.selectFrom('catalogue_version').selectAll().execute(),
    sql`select count(*) as n, sum(quantity) as units from stock`.execute(read).then((result) => result.rows),
    sql`select count(*) as n from order_events`.execute(read).then((result) => result.rows),
    sql`select (select count(*) from products) as products, (select count(*) from skus) as skus, (select count(*) from settings) as settings,
      (select count(*) from pages) as pages, (select count(*) from stores) as stores`
      .execute(read)
      .then((result) => result.rows),
  ]);
  return JSON.stringify(whole);
}
