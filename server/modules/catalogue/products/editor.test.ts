import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalText } from '#contract/locales.ts';
import { problem } from '#contract/problems.ts';
import { plainProduct, plainValue } from '#tests/products.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import type { ProductInput } from './product-input.ts';

const day = 86_400_000;
const madeAt = 1_700_000_000_000;

function product(id: string, changes: Partial<ProductInput> = {}): ProductInput {
  return plainProduct(id, {
    shortDescription: { en: 'A cup.', zh: '一只杯。' },
    description: { en: ['It holds tea.'], zh: ['盛茶。'] },
    weightGrams: 100,
    createdAt: madeAt,
    skus: [{ sku: `${id}-SKU1`, options: {}, stock: { warehouse: 5 } }],
    ...changes,
  });
}

async function shop(engine: TestApp['engine']): Promise<TestApp> {
  const testApp = await createTestApp({ engine });
  const { editor } = testApp.services;
  await editor.upsertBrands([
    { id: 'kiln', name: { en: 'Kiln', zh: '窑' }, story: { en: '' }, image: null },
    { id: 'wood', name: { en: 'Wood', zh: '木' }, story: { en: '' }, image: null },
  ]);
  await editor.upsertCategories([
    { id: 'table', parent: null, name: { en: 'Table' }, description: { en: '' }, image: null },
    { id: 'cups', parent: 'table', name: { en: 'Cups' }, description: { en: '' }, image: null },
    { id: 'house', parent: null, name: { en: 'House' }, description: { en: '' }, image: null },
  ]);
  await editor.upsertTags([{ id: 'gift', name: { en: 'Gifts' }, description: { en: '' } }]);
  return testApp;
}

const idsOf = async (testApp: TestApp, query: Record<string, unknown> = {}) =>
  (await testApp.call('products', { query: { numberToLoad: 48, ...query } })).products.map((each) => each.id);

onBothEngines((engine) => {
  describe('the catalogue editor', () => {
    it('a SKU can have a price, a reduction, a cost and a weight of its own, and is exported with them', async () => {
      const testApp = await shop(engine);
      const { editor, catalogueExport } = testApp.services;
      const size = (name: string, priceDeltaCents: number) => plainValue(name, { priceDeltaCents });
      const input = product('cup', {
        priceCents: 1000,
        compareAtCents: 1200,
        options: [
          { name: { en: 'Size' }, values: [size('S', 0), size('L', 300)] },
          { name: { en: 'Lid' }, values: [size('Yes', 0), size('No', 0)] },
        ],
        skus: [
          {
            sku: 'S-Y',
            options: { Size: 'S', Lid: 'Yes' },
            stock: {},
            priceCents: 650,
            compareAtCents: null,
          },
          {
            sku: 'S-N',
            options: { Size: 'S', Lid: 'No' },
            stock: {},
            priceCents: 700,
            costCents: 210,
            weightGrams: 90,
          },
          { sku: 'L-Y', options: { Size: 'L', Lid: 'Yes' }, stock: {}, compareAtCents: 2000 },
        ],
      });
      await editor.upsertProducts([input]);
      const shown = await testApp.call('product', { params: { id: 'cup' } });
      expect(shown.skus).toMatchObject([
        { sku: 'S-Y', priceInfo: { price: 650, listPrice: null } },
        { sku: 'S-N', priceInfo: { price: 700, listPrice: 900 }, weightGrams: 90 },
        { sku: 'L-Y', priceInfo: { price: 1300, listPrice: 2000 } },
      ]);
      expect(JSON.stringify(shown)).not.toMatch(/cost|:210\b/i);
      // The cheapest is not reduced, another is. Surcharges would say what is not so.
      expect(shown).toMatchObject({
        priceInfo: { price: 650, listPrice: null, from: true },
        badges: ['SALE'],
      });
      expect(
        shown.specification.options.map(({ values }) =>
          values.map((value) => [value.priceInfo.price, value.overridePrice]),
        ),
      ).toEqual([
        [
          [0, 650],
          [0, 1300],
        ],
        [
          [0, 650],
          [0, 700],
        ],
      ]);
      const exported = (await catalogueExport.productsOf(['cup'], new Set())).get('cup');
      expect(exported).toMatchObject({ skus: input.skus });
      expect(exported?.skus[2]).not.toHaveProperty('priceCents');

      // Its own price stays when the product's changes; the others follow.
      await editor.upsertProducts([{ ...input, priceCents: 1500, compareAtCents: null }]);
      const after = await testApp.call('product', { params: { id: 'cup' } });
      expect(after.skus.map(({ priceInfo }) => [priceInfo.price, priceInfo.listPrice])).toEqual([
        [650, null],
        [700, null],
        [1800, 2000],
      ]);
    });

    it('a catalogue change is visible as a whole on the next request', async () => {
      const testApp = await shop(engine);
      const { editor } = testApp.services;
      await editor.upsertProducts([product('cup'), product('bowl', { createdAt: madeAt + day })]);
      expect(await idsOf(testApp)).toEqual(['bowl', 'cup']);
      const version = await testApp.db.catalogueVersion();

      await editor.upsertProducts([
        product('cup', {
          newArrival: true,
          tags: ['gift'],
          priceCents: 500,
          compareAtCents: 800,
          brand: 'wood',
        }),
      ]);
      expect(await testApp.db.catalogueVersion()).toBeGreaterThan(version);
      expect(await idsOf(testApp)).toEqual(['cup', 'bowl']);
      expect(await idsOf(testApp, { tagName: 'gift' })).toEqual(['cup']);
      expect(await idsOf(testApp, { brandName: 'kiln' })).toEqual(['bowl']);
      expect(await testApp.call('productsOnSale', {})).toMatchObject({
        products: [{ id: 'cup', badges: ['SALE'], priceInfo: { price: 500, listPrice: 800 } }],
      });

      await editor.upsertProducts([product('cup', { published: false })]);
      expect(await idsOf(testApp)).toEqual(['bowl']);
      expect(await testApp.call('productCount', { query: { tagName: 'gift' } })).toEqual({ count: 0 });
      expect((await testApp.ask('product', { params: { id: 'cup' } })).status).toBe(404);
      expect((await testApp.ask('inventory', { params: { productID: 'cup' } })).status).toBe(404);
      expect(await testApp.call('productSearch', { params: { nameLike: 'cup' } })).toMatchObject({
        products: [{ id: 'bowl' }],
      });
    });

    it('a catalogue change with any problem changes nothing and names every problem', async () => {
      const testApp = await shop(engine);
      const bad = [
        product('cup'),
        product('bowl', { brand: 'nobody', category: 'nowhere', images: ['gone.jpg'] }),
        product('cup'),
      ];
      await expect(testApp.services.editor.upsertProducts(bad)).rejects.toMatchObject({
        problems: [
          problem(['products', 'cup'], 'problem.repeated'),
          problem(['products', 'bowl', 'brand'], 'problem.reference', { kind: 'brand', found: '"nobody"' }),
          problem(['products', 'bowl', 'category'], 'problem.reference', {
            kind: 'category',
            found: '"nowhere"',
          }),
          problem(['products', 'bowl', 'images'], 'problem.reference', {
            kind: 'image',
            found: '"gone.jpg"',
          }),
        ],
      });
      const option = {
        name: { en: 'Colour' },
        values: [
          {
            name: { en: 'Oat' },
            priceDeltaCents: 0,
            overridePriceCents: null,
            skuSuffix: '',
            color: null,
            image: null,
          },
        ],
      };
      await expect(
        testApp.services.editor.upsertProducts([product('cup', { options: [option] })]),
      ).rejects.toMatchObject({
        problems: [
          {
            path: ['products', 'cup', 'skus', 'cup-SKU1'],
            key: 'problem.option.missing',
            values: { option: 'Colour' },
          },
        ],
      });
      await expect(
        testApp.services.editor.upsertProducts([product('cup', { priceCents: -1 })]),
      ).rejects.toThrow('priceCents');
      const skus = [{ sku: 'S-cup', gtin: '4006381333932', options: {}, stock: {} }];
      await expect(testApp.services.editor.upsertProducts([product('cup', { skus })])).rejects.toMatchObject({
        problems: [
          problem(['products', 'cup', 'skus', 'S-cup', 'gtin'], 'problem.gtin', { found: '"4006381333932"' }),
        ],
      });
      await expect(
        testApp.services.editor.upsertCategories([
          { id: 'table', parent: 'cups', name: { en: 'Table' }, description: { en: '' }, image: null },
        ]),
      ).rejects.toMatchObject({
        problems: [{ path: ['categories', 'table'], key: 'problem.category.deep' }],
      });
      expect(await idsOf(testApp)).toEqual([]);
    });

    it('a renamed brand and a moved category show everywhere', async () => {
      const testApp = await shop(engine);
      const { editor } = testApp.services;
      await editor.upsertProducts([product('cup')]);
      await editor.upsertBrands([
        { id: 'kiln', name: { en: 'Dragon Works' }, story: { en: '' }, image: null },
      ]);
      const [card] = (await testApp.call('products', {})).products;
      expect(card?.brand.nameContent.en).toBe('Dragon Works');
      expect((await testApp.call('productSearch', { params: { nameLike: 'dragon' } })).products).toHaveLength(
        1,
      );
      expect((await testApp.call('productSearch', { params: { nameLike: 'kiln' } })).products).toHaveLength(
        0,
      );

      await editor.upsertCategories([
        { id: 'cups', parent: 'house', name: { en: 'Cups' }, description: { en: '' }, image: null },
      ]);
      expect(await idsOf(testApp, { categoryName: 'house' })).toEqual(['cup']);
      expect(await idsOf(testApp, { categoryName: 'table' })).toEqual([]);
      expect(await testApp.call('productCount', { query: { categoryName: 'table' } })).toEqual({ count: 0 });
    });

    it('an updated product keeps its stock and loses the SKUs that were removed', async () => {
      const testApp = await shop(engine);
      const { editor, inventory, settings, stock } = testApp.services;
      await editor.upsertProducts([product('cup')]);
      await stock.count([{ sku: 'cup-SKU1', place: 'warehouse', units: 2 }]);
      const { checkoutConfig } = await settings.all();
      await settings.update({ checkoutConfig: { ...checkoutConfig, domesticShippingEnabled: true } });
      await editor.upsertProducts([product('cup', { priceCents: 900 })]);
      expect(await inventory.of('cup', '')).toMatchObject({ shippable: 2, priceInfo: { price: 900 } });
      await editor.upsertProducts([product('cup', { skus: [{ sku: 'OTHER-1', options: {}, stock: {} }] })]);
      expect(await inventory.of('cup', '')).toMatchObject({ sku: 'OTHER-1', status: 'OutOfStock' });
    });

    it('a product sells every combination of several options at its own price', async () => {
      const testApp = await shop(engine);
      const value = (en: string, priceDeltaCents: number, overridePriceCents: number | null = null) => ({
        name: { en },
        priceDeltaCents,
        overridePriceCents,
        skuSuffix: en.slice(0, 1),
        color: null,
        image: null,
      });
      const options = [
        { name: { en: 'Size' }, values: [value('Small', 0), value('Large', 0, 1500)] },
        { name: { en: 'Colour' }, values: [value('Oat', 0), value('Sea', 200)] },
      ];
      const skus = ['Small', 'Large'].flatMap((size) =>
        ['Oat', 'Sea'].map((colour) => ({
          sku: `CUP-1-${size}-${colour}`,
          options: { Size: size, Colour: colour },
          stock: { warehouse: 1 },
        })),
      );
      await testApp.services.editor.upsertProducts([product('cup', { options, skus, compareAtCents: 1200 })]);
      const cup = await testApp.call('product', { params: { id: 'cup' } });
      expect(cup.skus.map((sku) => [sku.optionPairs, sku.priceInfo.price, sku.priceInfo.listPrice])).toEqual([
        ['#Colour:Oat#Size:Small', 1000, 1200],
        ['#Colour:Sea#Size:Small', 1200, 1400],
        ['#Colour:Oat#Size:Large', 1500, 1700],
        ['#Colour:Sea#Size:Large', 1700, 1900],
      ]);
      expect(cup.priceInfo).toEqual({ price: 1000, listPrice: 1200, currency: 'CAD', from: true });
      expect(await testApp.services.inventory.of('cup', '#Size:Large#Colour:Sea')).toMatchObject({
        sku: 'CUP-1-Large-Sea',
        priceInfo: { price: 1700 },
      });
      expect(await testApp.services.inventory.of('cup', '#Size:Large')).toMatchObject({
        status: 'NotAvailable',
      });
    });

    it('a sold-out product moves to the end of lists and search results, and back when it is restocked', async () => {
      const testApp = await shop(engine);
      const { editor, stock } = testApp.services;
      await editor.upsertProducts([product('cup'), product('old-cup', { createdAt: madeAt - day })]);
      expect(await idsOf(testApp)).toEqual(['cup', 'old-cup']);
      await stock.count([{ sku: 'cup-SKU1', place: 'warehouse', units: 0 }]);
      expect(await idsOf(testApp)).toEqual(['old-cup', 'cup']);
      expect(await idsOf(testApp, { nameLike: 'cup' })).toEqual(['old-cup', 'cup']);
      expect((await testApp.call('products', {})).products.map((each) => each.inventory.quantity)).toEqual([
        5, 0,
      ]);
      await stock.count([{ sku: 'cup-SKU1', place: 'warehouse', units: 3 }]);
      expect(await idsOf(testApp)).toEqual(['cup', 'old-cup']);
      expect(await idsOf(testApp, { nameLike: 'cup' })).toEqual(['cup', 'old-cup']);
    });

    it('a long short description is cut at 205 characters, and stands whole in the description', async () => {
      const testApp = await shop(engine);
      const text = `${'茶'.repeat(204)}😀${'!'.repeat(10)}`;
      await testApp.services.editor.upsertProducts([product('cup', { shortDescription: { en: text } })]);
      const [card] = (await testApp.call('products', {})).products;
      expect(card?.shortDesciption).toBe(`${'茶'.repeat(204)}😀…`);
      const whole = await testApp.call('product', { params: { id: 'cup' } });
      expect(whole.description[0]).toBe(text);
    });

    it('a language added later gets its lists', async () => {
      const testApp = await shop(engine);
      await testApp.services.editor.upsertProducts([product('cup'), product('bowl')]);
      const before = await testApp.call('products', { query: { sortby: 'name' }, lang: 'zh' });
      const names = await idsOf(testApp, { sortby: 'name' });
      // Simulates lists written by a shop that supports English only.
      await testApp.db.transaction(async (trx) => {
        await trx.deleteFrom('product_cards').where('language', '=', 'zh').execute();
        for (const { product_no, listing } of await trx.selectFrom('listings').selectAll().execute()) {
          const stored = JSON.parse(listing ?? '{}');
          await trx
            .updateTable('listings')
            .set({ listing: JSON.stringify({ ...stored, names: { en: stored.names.en } }) })
            .where('product_no', '=', product_no)
            .execute();
        }
      });
      await testApp.services.editor.rebuildIfOutdated();
      expect(await testApp.call('products', { query: { sortby: 'name' }, lang: 'zh' })).toEqual(before);
      expect(await idsOf(testApp, { sortby: 'name' })).toEqual(names);
      const version = await testApp.db.catalogueVersion();
      await testApp.services.editor.rebuildIfOutdated();
      expect(await testApp.db.catalogueVersion()).toBe(version);
    });

    it('lists, counts and search stay true through any number of changes', async () => {
      const testApp = await shop(engine);
      const truth = new Map<string, ProductInput>();
      const change = fc.record({
        id: fc.constantFrom('a1', 'b2', 'c3', 'd4', 'e5'),
        word: fc.constantFrom('moon', 'river', 'Émile', '月亮', 'zebra', 'Apple'),
        brand: fc.constantFrom('kiln', 'wood'),
        category: fc.constantFrom('cups', 'house', 'table'),
        tags: fc.constantFrom<string[]>([], ['gift']),
        priceCents: fc.integer({ min: 1, max: 5 }),
        compareAtCents: fc.constantFrom(null, 3),
        newArrival: fc.boolean(),
        status: fc.constantFrom('active', 'active', 'draft', 'archived'),
      });
      for (const { id, word, ...rest } of fc.sample(change, { numRuns: 40, seed: 7 })) {
        const input = product(id, { ...rest, name: { en: `${word} ${id}`, zh: `${word} ${id}` } });
        await testApp.services.editor.upsertProducts([input]);
        truth.set(id, input);
      }
      const shown = [...truth.values()].filter((input) => input.status === 'active');
      for (const query of [
        { brandName: 'kiln' },
        { categoryName: 'table' },
        { tagName: 'gift' },
        { onSale: true },
        { newArrival: true },
        {},
      ]) {
        const wanted = shown.filter(
          (input) =>
            (!('brandName' in query) || input.brand === query.brandName) &&
            (!('categoryName' in query) || input.category !== 'house') &&
            (!('tagName' in query) || input.tags.includes('gift')) &&
            (!('onSale' in query) || (input.compareAtCents ?? 0) > input.priceCents) &&
            (!('newArrival' in query) || input.newArrival),
        );
        for (const sortby of ['default', 'name', 'price']) {
          expect((await idsOf(testApp, { ...query, sortby })).toSorted()).toEqual(
            wanted.map((input) => input.id).toSorted(),
          );
        }
        expect(await testApp.call('productCount', { query })).toEqual({ count: wanted.length });
      }
      const byName = shown.toSorted((a, b) =>
        new Intl.Collator('en-CA', { numeric: true }).compare(canonicalText(a.name), canonicalText(b.name)),
      );
      expect(await idsOf(testApp, { sortby: 'name' })).toEqual(byName.map((input) => input.id));
      for (const word of ['moon', 'river', 'emile', '月亮', 'zebra', 'apple']) {
        const wanted = shown.filter((input) =>
          canonicalText(input.name).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().includes(word),
        );
        const { products: found } = await testApp.call('productSearch', { params: { nameLike: word } });
        expect(found.map((each) => each.id).toSorted()).toEqual(wanted.map((input) => input.id).toSorted());
      }
      const words = await testApp.db.read
        .selectFrom('search_terms')
        .select(['term', 'products'])
        .where('term', 'in', ['moon', 'zebra'])
        .execute();
      for (const { term, products } of words)
        expect(products).toBe(shown.filter((input) => canonicalText(input.name).startsWith(term)).length);
    });
  });
});
