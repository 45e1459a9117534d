import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { limits } from '#contract/limits.ts';
import { createContainer } from '#server/container.ts';
import { ShopSettings } from '#server/modules/settings/index.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { knownFields } from '#server/platform/schema-problems.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';
import photoTexts from './data/photo-texts.json' with { type: 'json' };
import products from './data/products.json' with { type: 'json' };
import settings from './data/settings.json' with { type: 'json' };
import { demoProduct, loadDemo } from './load.ts';

it.each([
  ['a product', { gluten: 'none' }, 'gluten'],
  [
    'a value of an option',
    { options: [{ name: 'Colour', values: [{ name: 'Ink', colour: '#123456' }] }] },
    'colour',
  ],
  ['stock', { stock: [{ sku: 'X', shipping: 1, shop: 2 }] }, 'shop'],
])('a field of %s that the demo shop does not know is rejected', (_, change, field) => {
  const [product] = products;
  if (!product) throw new Error('The demo shop has changed');
  expect(() => demoProduct(product, 1)).not.toThrow();
  expect(() => demoProduct({ ...product, ...change } as typeof product, 1)).toThrow(
    `has unknown fields: ${field}`,
  );
});

it('the settings of the demo shop have no field that the shop does not read', () => {
  const demo: Record<string, unknown> = settings;
  const own = Object.entries(ShopSettings.properties).filter(([key]) => key in demo);
  expect(own.length).toBeGreaterThan(20);
  for (const [key, schema] of own)
    expect(knownFields(schema, structuredClone(demo[key])), key).toEqual(demo[key]);
});

it('no short text of the demo shop is cut', () => {
  const texts = products.flatMap(({ slug, shortDescription }) =>
    Object.entries(shortDescription).map((text) => [slug, ...text]),
  );
  const cut = texts.filter(([, , text = '']) => [...text].length > limits.shortDescriptionLength);
  expect(texts.length).toBeGreaterThan(100);
  expect(cut).toEqual([]);
});

const views = ['in-use', 'above', 'close'];
const viewOf = (slug: string, image: string) => views.findIndex((view) => image === `${slug}-${view}.jpg`);
const viewsOf = ({ slug, images }: (typeof products)[number]) =>
  images.filter((image) => viewOf(slug, image) >= 0);

it('each further view of a demo product has a text in both languages that no other photograph has', () => {
  const texts: Record<string, Record<'en' | 'zh', string>> = photoTexts;
  expect(Object.keys(texts).toSorted()).toEqual(products.flatMap(viewsOf).toSorted());
  for (const language of ['en', 'zh'] as const) {
    const given = Object.values(texts).map((text) => text[language]);
    expect(given).not.toContain('');
    expect(new Set(given).size).toBe(given.length);
  }
});

it('a demo product shows itself first, then in use, from above and close', () => {
  for (const { slug, images } of products) {
    const order = images.map((image) => viewOf(slug, image)).filter((view) => view >= 0);
    expect(images[0], slug).toBe(`${slug}.jpg`);
    expect(order, slug).toEqual(order.toSorted((a, b) => a - b));
  }
});

it('no text of the demo shop has a typewriter apostrophe', () => {
  const files = globSync('data/*.json', { cwd: import.meta.dirname });
  const found = files.flatMap(
    (file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8').match(/\w+'\w+/g) ?? [],
  );
  expect(files.length).toBeGreaterThan(5);
  expect(found).toEqual([]);
});

forEachEngine((engine) => {
  describe('the demo shop', () => {
    it('the demo shop can be loaded again without a visible change', async () => {
      const testApp = await createTestApp({ engine, demo: true });
      const look = async () => ({
        list: await testApp.call('products', { query: { numberToLoad: 48 } }),
        names: await testApp.call('products', { query: { numberToLoad: 48, sortby: 'name' }, lang: 'zh' }),
        facets: await testApp.call('productFacets', {}),
        home: await testApp.call('pageContent', { query: { pageName: 'home' } }),
        mug: await testApp.call('product', { params: { id: 'speckled-mug' } }),
        stock: await testApp.call('inventory', {
          params: { productID: 'speckled-mug' },
          query: { optionPair: '#Colour:Oat' },
        }),
        search: await testApp.call('productSearch', { params: { nameLike: 'tea' } }),
        blog: await testApp.call('blogPosts', { params: { storeBlogId: 'maple-and-clay-blog' } }),
        post: await testApp.call('blogPost', { params: { link: 'choosing-a-gaiwan' }, lang: 'zh' }),
      });
      const terms = () => testApp.db.read.selectFrom('search_terms').selectAll().orderBy('term').execute();
      const before = [await look(), await terms()];
      await loadDemo(testApp.container);
      expect([await look(), await terms()]).toEqual(before);
    });

    it('the slides of the home page stay long enough to be read', async () => {
      const testApp = await createTestApp({ engine, demo: true });
      const home = await testApp.call('pageContent', { query: { pageName: 'home' } });
      expect(JSON.stringify(home)).toContain('"intervalMs":7000');
    });

    it('the first units of a demo with a past come before it', async () => {
      const testApp = await createTestApp({ engine });
      const begin = testApp.clock.now() - 121 * 24 * 3_600_000;
      const stocking = createContainer({ db: testApp.db, env: testApp.env, now: () => begin });
      await loadDemo(testApp.container, undefined, stocking);
      const movements = await testApp.db.read.selectFrom('stock_movements').select('at').distinct().execute();
      expect(movements.map(({ at }) => Number(at))).toEqual([begin]);
    });

    it('the books of the demo say of which category everything was that its customer bought', async () => {
      const testApp = await createTestApp({ engine, demo: true });
      const sold = await testApp.db.read
        .selectFrom('ledger_entries')
        .innerJoin('products', 'products.id', 'ledger_entries.product_id')
        .select(['sku', 'ledger_entries.category_id as booked', 'products.category_id as own'])
        .where('account', '=', 'sales')
        .execute();
      expect(sold.length).toBeGreaterThan(5);
      expect(sold.filter(({ booked, own }) => booked !== own)).toEqual([]);
    });

    it('the orders that its customer brought along are no difference to the books of the demo’s gateway', async () => {
      const testApp = await createTestApp({ engine, demo: true, now: Date.now() });
      const { settlements } = testApp.container;
      const found = async () =>
        (await settlements.findings(mintPermit('books.payouts', { kind: 'terminal' }, null), {})).findings;
      expect(await settlements.reader.readAll()).toEqual([]);
      expect(await found()).toEqual([]);
    });

    it('a paid order that the demo begins with can be refunded', async () => {
      const { services } = await createTestApp({ engine, demo: true });
      const answer = await services.orderRefunds.refund('MC-2026-000118', { amount: 500, reason: 'chipped' });
      expect(answer).toMatchObject({ given: true, refund: { amount: 500 } });
    });

    it('the demo shop loads without a problem', async () => {
      const testApp = await createTestApp({ engine });
      const said: string[] = [];
      await loadDemo(testApp.container, (problem) => said.push(problem));
      expect(said).toEqual([]);
    });
  });
});
