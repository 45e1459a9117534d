import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { type IncomingMessage, get as request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { type Locale, localeCodes } from '#contract/locales.ts';
import products from '#demo/data/products.json' with { type: 'json' };
import { demoProduct } from '#demo/load.ts';
import { plainGroup, plainModifier } from '#tests/modifiers.ts';
import { sellProduct } from '#tests/products.ts';
import { jsonLdOf, renderedPage, renderFromSources } from '#tests/rendered.ts';
import { add } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';
import { parseXml, type XmlElement } from '#tests/xml.ts';
import { createGzipFiles, sendXml } from './gzip-files.ts';

const origin = 'https://shop.example';

type Get = (url: string, headers?: Record<string, string>) => Promise<{ body: string; statusCode: number }>;

/** The items of a feed: the texts of each element, by its name. */
async function itemsOf(get: Get, locale: Locale): Promise<Map<string, string[]>[]> {
  const rss = parseXml((await get(`/feeds/products.${locale}.xml`)).body);
  expect(rss).toMatchObject({
    name: 'rss',
    attributes: { version: '2.0', 'xmlns:g': 'http://base.google.com/ns/1.0' },
  });
  const [channel] = rss.children;
  const items = channel?.children.filter(({ name }) => name === 'item') ?? [];
  const textOf = ({ text, children }: XmlElement) =>
    [text, ...children.map((child) => child.text)].filter(Boolean).join(': ');
  return items.map(
    ({ children }) =>
      new Map(
        [...Map.groupBy(children, ({ name }) => name)].map(([name, found]) => [name, found.map(textOf)]),
      ),
  );
}

const findItem = (items: Map<string, string[]>[], sku: string) =>
  Object.fromEntries(items.find((item) => item.get('g:id')?.[0] === sku) ?? []);

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    const web = renderFromSources;
    testApp = await createTestApp({ engine, demo: true, env: { PUBLIC_URL: origin }, app: { web } });
  });
  const get = async (url: string, headers: Record<string, string> = {}) =>
    await testApp.app.inject({ url, headers });

  it.each(localeCodes)(
    'the feed in the language %s has an item with every required attribute for each SKU that ships',
    async (locale) => {
      const items = await itemsOf(get, locale);
      const rows = await testApp.db.read
        .selectFrom('skus')
        .innerJoin('products', 'products.id', 'skus.product_id')
        .select('skus.id')
        .where('products.in_store_only', '=', 0)
        .execute();
      expect(items.flatMap((item) => item.get('g:id') ?? []).sort()).toEqual(rows.map(({ id }) => id).sort());
      const prefix = locale === 'en' ? '' : `/${locale}`;
      for (const item of items) {
        const one = (name: string) => (item.get(name)?.length === 1 ? item.get(name)?.[0] : undefined);
        expect(one('title')).toMatch(/^.{3,150}$/u);
        expect(one('description')).toMatch(/^.{20,5000}$/su);
        expect(one('link')).toMatch(new RegExp(`^${origin}${prefix}/product/[\\w-]+(\\?\\S+)?$`));
        expect(one('g:image_link')).toMatch(/^https:\/\/shop\.example\/media\/\d+\/\S+\.jpg$/);
        expect(one('g:availability')).toMatch(/^(in|out_of)_stock$/);
        expect(one('g:price')).toMatch(/^\d+\.\d{2} CAD$/);
        expect(one('g:condition')).toBe('new');
        expect(one('g:brand')).toMatch(/^.{1,70}$/u);
        expect(one('g:identifier_exists')).toBe('no');
        expect(one('g:product_type')).toMatch(/ > /);
      }
    },
  );

  it('the feed for ChatGPT has a line for the same SKUs, with who sells and where', async () => {
    const { body, headers } = await get('/feeds/products.en.jsonl');
    expect(headers['content-type']).toBe('application/jsonl');
    const found = body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const items = await itemsOf(get, 'en');
    expect(found.map(({ item_id }) => item_id)).toEqual(items.flatMap((item) => item.get('g:id') ?? []));
    expect(found.find(({ item_id }) => item_id === 'MC-CM-01-ROS')).toMatchObject({
      is_eligible_search: true,
      is_eligible_checkout: false,
      group_id: 'speckled-mug',
      listing_has_variations: true,
      variant_dict: { Colour: 'Rose' },
      price: '34.00 CAD',
      seller_url: origin,
      return_policy: expect.stringMatching(/^https:\/\//),
      store_country: 'CA',
    });
    for (const { seller_name, target_countries, image_url } of found)
      expect([seller_name.length > 0, target_countries.length > 0, image_url.startsWith(origin)]).toEqual([
        true,
        true,
        true,
      ]);
  });

  it('a variant has its group, colour, image and address, in the language of the feed', async () => {
    const rose = findItem(await itemsOf(get, 'en'), 'MC-CM-01-ROS');
    expect(rose).toMatchObject({
      'g:item_group_id': ['speckled-mug'],
      title: ['Speckled Stoneware Mug – Rose'],
      link: [`${origin}/product/speckled-mug?Colour=Rose`],
      'g:image_link': [expect.stringContaining('speckled-mug--rose')],
      'g:additional_image_link': expect.arrayContaining([expect.stringContaining('/speckled-mug-')]),
      'g:availability': ['out_of_stock'],
      'g:price': ['34.00 CAD'],
      'g:color': ['Rose'],
      'g:product_type': ['Teaware > Cups & mugs'],
      'g:shipping_weight': ['360 g'],
    });
    expect(findItem(await itemsOf(get, 'zh'), 'MC-CM-01-ROS')).toMatchObject({
      link: [`${origin}/zh/product/speckled-mug?Colour=Rose`],
      'g:color': ['玫瑰'],
      'g:availability': ['out_of_stock'],
    });
    expect(findItem(await itemsOf(get, 'en'), 'MC-TP-01')).not.toHaveProperty('g:item_group_id');
  });

  it('a reduced product has the price before and the price that its page shows', async () => {
    const reduced = products.find(
      ({ compareAtCents, options, inStoreOnly }) =>
        compareAtCents !== null && options.length === 0 && !inStoreOnly,
    );
    const item = findItem(await itemsOf(get, 'en'), reduced?.sku ?? '');
    const money = (cents = 0) => [`${(cents / 100).toFixed(2)} CAD`];
    expect(item).toMatchObject({
      'g:price': money(reduced?.compareAtCents ?? 0),
      'g:sale_price': money(reduced?.priceCents),
    });
    const { html } = await renderedPage(testApp.app, String(item.link).slice(origin.length));
    expect(html).toContain(`$${((reduced?.priceCents ?? 0) / 100).toFixed(2)}`);
  });

  it('every address of a feed is a page, without a redirect', async () => {
    for (const item of await itemsOf(get, 'zh')) {
      const path = item.get('link')?.[0]?.slice(origin.length) ?? '';
      expect((await renderedPage(testApp.app, path)).status, path).toBe(200);
    }
  });

  it('a text of the merchant cannot break out of a feed', async () => {
    const [first] = products;
    if (!first) throw new Error('The demo shop is empty');
    const hostile = '</title><g:price>0.01 CAD</g:price> & ]]> \u0007\ud83c "quoted"';
    const input = demoProduct(first, products.length);
    await testApp.services.editor.upsertProducts([
      { ...input, name: { en: hostile }, shortDescription: { en: hostile } },
    ]);
    const item = findItem(await itemsOf(get, 'en'), first.sku);
    expect(item.title).toEqual(['</title><g:price>0.01 CAD</g:price> & ]]>  "quoted"']);
    expect(item['g:price']).toEqual(['88.00 CAD']);
    await testApp.services.editor.upsertProducts([input]);
  });

  it('a feed is served compressed, answers 304 while nothing changes, and follows the catalogue', async () => {
    const path = '/feeds/products.en.xml';
    const plain = await get(path);
    expect(plain.headers).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      'x-robots-tag': 'noindex',
    });
    const zipped = await get(path, { 'accept-encoding': 'gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body);
    const etag = String(plain.headers.etag);
    for (const known of [etag, `"another", ${etag}`])
      expect((await get(path, { 'if-none-match': known })).statusCode).toBe(304);
    await testApp.services.settings.update({ currency: 'EUR' });
    const next = await get(path, { 'if-none-match': etag });
    expect(next.statusCode).toBe(200);
    expect(next.body).toContain('<g:price>88.00 EUR</g:price>');
    await testApp.services.settings.update({ currency: 'CAD' });
  });

  it.each([
    'products.fr.xml',
    'products.xml',
    'products.en',
    'orders.en.xml',
    '%2e%2e%2fproducts.en.xml',
    'products.__proto__.xml',
  ])('the feed %s does not exist', async (file) => {
    expect((await get(`/feeds/${file}`)).statusCode).toBe(404);
  });

  it('products are read for a feed in parts, each product once', async () => {
    const sizes: number[] = [];
    const ids: string[] = [];
    for await (const part of testApp.services.catalogue.everyProduct('en', 20)) {
      sizes.push(part.length);
      ids.push(...part.map(({ id }) => id));
    }
    expect(Math.max(...sizes)).toBe(20);
    expect(ids.sort()).toEqual(products.map(({ slug }) => slug).sort());
  });

  it('a SKU with a GTIN has it in the feed and in the structured data of its page, and others say that they have none', async () => {
    await sellProduct(testApp, 'BAR-CODE', {
      skus: [{ sku: 'BAR-CODE', gtin: '4006381333931', options: {}, stock: { warehouse: 2 } }],
    });
    const items = await itemsOf(get, 'en');
    expect(findItem(items, 'BAR-CODE')).toMatchObject({ 'g:gtin': ['4006381333931'] });
    expect(findItem(items, 'BAR-CODE')).not.toHaveProperty('g:identifier_exists');
    expect(findItem(items, 'MC-CM-01-ROS')).not.toHaveProperty('g:gtin');
    const page = await renderedPage(testApp.app, '/product/bar-code');
    expect(jsonLdOf(page.html).find((thing) => thing['@type'] === 'Product')).toMatchObject({
      gtin: '4006381333931',
    });
  });

  test('a product with modifiers has the same price on its card and page, in the feed, in structured data and in the cart', async () => {
    const milk = plainGroup(
      'feed-milk',
      [plainModifier('whole', { default: 1, priceCents: 25 }), plainModifier('oat', { priceCents: 80 })],
      { min: 1 },
    );
    await testApp.services.editor.upsertModifierGroups([milk]);
    await sellProduct(testApp, 'KIT', { priceCents: 3000, modifierGroups: [{ group: 'feed-milk' }] });
    const [card] = (await testApp.call('productSearch', { params: { nameLike: 'kit' } })).products;
    const product = await testApp.call('product', { params: { id: 'kit' } });
    const session = testApp.shopper();
    await add(testApp, session, 'KIT');
    const [line] = (await testApp.call('myCart', { session })).lineItems;
    expect([card?.priceInfo.price, product.priceInfo.price, line?.unitPrice]).toEqual([3025, 3025, 3025]);
    expect(findItem(await itemsOf(get, 'en'), 'KIT')).toMatchObject({ 'g:price': ['30.25 CAD'] });
    const { html } = await renderedPage(testApp.app, '/product/kit');
    const data = JSON.stringify(jsonLdOf(html));
    expect(data).toContain('"price":"30.25"');
    expect(data).toContain('"addOn":[{"@type":"Offer","name":"whole","price":"0.25"');
  });
});

describe('the files of product feeds', () => {
  test('a feed is generated once for all who ask at once, and again only when the catalogue has changed', async () => {
    let version = 1;
    let generated = 0;
    const files = createGzipFiles({
      now: Date.now,
      version: async () => version,
      parts: async function* () {
        generated += 1;
        yield `version ${version}`;
      },
    });
    const [one, other] = await Promise.all([files.current('en'), files.current('en')]);
    expect(one).toEqual(other);
    await files.current('en');
    expect(generated).toBe(1);
    version = 2;
    expect((await files.current('en')).version).toBe(2);
    expect(generated).toBe(2);
    await files.close();
  });

  test('requests for many versions wait for one more generation, not for one each', async () => {
    let version = 0;
    let generated = 0;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const files = createGzipFiles({
      now: Date.now,
      version: async () => version,
      parts: async function* () {
        generated += 1;
        await released;
        yield `${version}`;
      },
    });
    const asked = [files.current('en')];
    await expect.poll(() => generated).toBe(1);
    for (version = 1; version < 10; version += 1) asked.push(files.current('en'));
    release();
    const found = await Promise.all(asked);
    expect(generated).toBe(2);
    expect(found.at(-1)?.version).toBe(10);
    await files.close();
  });

  test('a feed that took seconds to generate is served as it was for nine times as long while the catalogue goes on changing', async () => {
    let [version, now, generated] = [1, 0, 0];
    const files = createGzipFiles({
      version: async () => version,
      now: () => now,
      parts: async function* () {
        generated += 1;
        now += 2000;
        yield `version ${version}`;
      },
    });
    const shown = async () => (await files.current('en')).version;
    expect(await shown()).toBe(1);
    for (version = 2; now < 20_000; now += 100) expect(await shown()).toBe(1);
    expect([await shown(), generated]).toEqual([2, 2]);
    // One that was never generated is not made to wait.
    expect((await files.current('zh')).version).toBe(2);
    await files.close();
  });

  test('a feed has the ETag of its content: the same from each process, and another with other content', async () => {
    const etagOf = async (version: number, text: string) => {
      const files = createGzipFiles({
        version: async () => version,
        parts: () => Readable.from([text]),
        now: Date.now,
      });
      const { etag } = await files.current('en');
      await files.close();
      return etag;
    };
    expect(await etagOf(1, 'tea')).toBe(await etagOf(2, 'tea'));
    expect(await etagOf(1, 'tea')).not.toBe(await etagOf(1, 'tea, after an update of the program'));
  });

  test.runIf(process.platform === 'linux')('whoever hangs up within a feed leaves no file open', async () => {
    const text = randomBytes(4_000_000).toString('hex');
    const files = createGzipFiles({
      version: async () => 1,
      parts: () => Readable.from([text]),
      now: Date.now,
    });
    const server = fastify();
    server.get('/', (request, reply) => sendXml(files, 'en', { request, reply }));
    const address = await server.listen();
    const { path } = await files.current('en');
    const descriptors = '/proc/self/fd';
    const open = () =>
      readdirSync(descriptors).filter((each) => {
        try {
          return readlinkSync(join(descriptors, each)) === path;
        } catch {
          return false;
        }
      }).length;
    for (const encoding of ['identity', 'gzip'])
      for (let time = 0; time < 5; time += 1) {
        const asked = request(address, { headers: { 'accept-encoding': encoding }, agent: false });
        const [answer] = (await once(asked, 'response')) as [IncomingMessage];
        await once(answer, 'data');
        answer.destroy();
      }
    await expect.poll(open).toBe(0);
    await server.close();
    await files.close();
  });

  test('a feed that fails is generated again at the next request', async () => {
    let fails = true;
    const files = createGzipFiles({
      now: Date.now,
      version: async () => 1,
      parts: async function* () {
        yield 'start';
        if (fails) throw new Error('The database is away');
      },
    });
    await expect(files.current('en')).rejects.toThrow('The database is away');
    fails = false;
    expect((await files.current('en')).version).toBe(1);
    await files.close();
  });
});
