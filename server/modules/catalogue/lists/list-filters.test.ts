import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  capacityRanges,
  type FilterRange,
  filterColourNames,
  formatFilterRange,
} from '#contract/list-filters.ts';
import { canonicalText } from '#contract/locales.ts';
import products from '#demo/data/products.json' with { type: 'json' };
import { demoProduct } from '#demo/load.ts';
import { sellProduct } from '#tests/products.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import { colourFamily } from '../products/listing.ts';
import type { ProductInput } from '../products/product-input.ts';
import type { ListFilter } from './filters.ts';

const stores = ['toronto-queen-west', 'markham-unionville', 'ottawa-byward', 'waterloo-uptown'];
const places = ['warehouse', ...stores];
const prices: FilterRange[] = [
  { from: null, to: 2999 },
  { from: 3000, to: 5999 },
  { from: 6000, to: 9999 },
  { from: 10_000, to: null },
];
const teaware = ['teapots', 'cups-and-mugs', 'gaiwans', 'pitchers-and-strainers', 'trays-and-tools'];
const filterTags = ['dishwasher-safe', 'caffeine-free'];

/** The shop as plain data: what a merchant entered, and the units of each SKU at each place. */
interface Model {
  products: Map<string, ProductInput>;
  units: Map<string, Record<string, number>>;
}

function modelOfDemo(): Model {
  const inputs = products.map((product, index) => demoProduct(product, products.length - index));
  return {
    products: new Map(inputs.map((input) => [input.id, input])),
    units: new Map(inputs.flatMap(({ skus }) => skus.map(({ sku, stock }) => [sku, { ...stock }]))),
  };
}

const contains = ({ from, to }: FilterRange, value: number) =>
  (from ?? 0) <= value && value <= (to ?? Number.POSITIVE_INFINITY);
const isIn = (ranges: readonly FilterRange[], range: string, value: number | null | undefined) =>
  value !== null &&
  value !== undefined &&
  ranges.some((each) => formatFilterRange(each) === range && contains(each, value));

/** The lowest price of what can be chosen, counted without the shop's own functions. */
function lowest({ priceCents, options, skus }: ProductInput): number {
  const priceOf = (chosen: Record<string, string>) =>
    options.reduce((price, { name, values }) => {
      const value = values.find((each) => canonicalText(each.name) === chosen[canonicalText(name)]);
      return (
        (value?.overridePriceCents ?? price) +
        (value?.overridePriceCents === null ? value.priceDeltaCents : 0)
      );
    }, priceCents);
  return Math.min(...skus.map((sku) => priceOf(sku.options)));
}

function matches(product: ProductInput, { units }: Model, filter: ListFilter): boolean {
  const { categoryName, brandName, tagName, priceRange, capacityRange, colour, localStoreName } = filter;
  const colours = product.options.flatMap(({ values }) =>
    values.flatMap(({ color }) => (color ? colourFamily(color) : [])),
  );
  const reduced = product.compareAtCents !== null && product.compareAtCents > product.priceCents;
  return (
    (categoryName === undefined ||
      product.category === categoryName ||
      (categoryName === 'teaware' && teaware.includes(product.category))) &&
    (brandName === undefined || product.brand === brandName) &&
    (tagName === undefined || product.tags.includes(tagName)) &&
    (!filter.onSale || reduced) &&
    (!filter.newArrival || product.newArrival) &&
    (priceRange === undefined || isIn(prices, priceRange, lowest(product))) &&
    (capacityRange === undefined ||
      isIn(capacityRanges, capacityRange, product.details.dimensions?.capacityMl)) &&
    (colour === undefined || colours.some((each) => each === colour)) &&
    (localStoreName === undefined ||
      product.skus.some(({ sku }) => (units.get(sku)?.[localStoreName] ?? 0) > 0))
  );
}

const recount = (model: Model, filter: ListFilter) =>
  [...model.products.values()].filter((product) => matches(product, model, filter)).map(({ id }) => id);

const optional = <V>(values: readonly V[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const filters: fc.Arbitrary<ListFilter> = fc
  .record({
    categoryName: optional(['teaware', 'teapots', 'cups-and-mugs', 'bowls']),
    brandName: optional(['kiln-no-9', 'maple-and-clay']),
    tagName: optional([...filterTags, 'handmade']),
    priceRange: optional(prices.map(formatFilterRange)),
    capacityRange: optional(capacityRanges.map(formatFilterRange)),
    colour: optional(filterColourNames),
    localStoreName: optional(stores),
    onSale: optional([true]),
    newArrival: optional([true]),
  })
  .map((filter) => Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)));

/** A change of a product or of its stock, as a merchant or a sale makes it. */
const edits = fc.record({
  product: fc.nat(products.length - 1),
  priceCents: fc.integer({ min: 500, max: 15_000 }),
  capacityMl: fc.option(fc.integer({ min: 40, max: 1200 })),
  sku: fc.nat(10),
  place: fc.constantFrom(...places),
  units: fc.constantFrom(0, 0, 1, 5),
});

async function apply(
  testApp: TestApp,
  model: Model,
  edit: typeof edits extends fc.Arbitrary<infer E> ? E : never,
): Promise<void> {
  const { editor, stock } = testApp.services;
  const input = [...model.products.values()][edit.product];
  if (!input) return;
  const changed: ProductInput = {
    ...input,
    priceCents: edit.priceCents,
    details: { ...input.details, dimensions: { ...input.details.dimensions, capacityMl: edit.capacityMl } },
  };
  model.products.set(input.id, changed);
  await editor.upsertProducts([changed]);
  const sku = input.skus[edit.sku % input.skus.length]?.sku ?? '';
  model.units.set(sku, { ...model.units.get(sku), [edit.place]: edit.units });
  await stock.count([{ sku, place: edit.place, units: edit.units }]);
}

onBothEngines((engine) => {
  describe('filters of product lists', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    const facetsOf = (query: ListFilter) => testApp.call('productFacets', { query });
    const listed = async (query: ListFilter) => {
      const pages = [0, 48].map((startingPosition) =>
        testApp.call('products', { query: { ...query, startingPosition, numberToLoad: 48 } }),
      );
      return (await Promise.all(pages)).flatMap((page) => page.products.map(({ id }) => id));
    };
    const model = modelOfDemo();

    it('a filtered list has the products, and each facet the count, of a plain recount, whatever has changed', async () => {
      await fc.assert(
        fc.asyncProperty(filters, fc.array(edits, { maxLength: 2 }), async (filter, changes) => {
          for (const change of changes) await apply(testApp, model, change);
          const wanted = recount(model, filter);
          expect((await listed(filter)).toSorted()).toEqual(wanted.toSorted());
          expect(await testApp.call('productCount', { query: filter })).toEqual({ count: wanted.length });
          const facets = await facetsOf(filter);
          expect(facets.count).toBe(wanted.length);
          const expectCounts = (
            name: keyof ListFilter,
            found: { value: string; count: number }[],
            all: readonly string[],
          ) => {
            const counts = all.map((value) => ({
              value,
              count: recount(model, { ...filter, [name]: value }).length,
            }));
            expect(found, name).toEqual(
              counts.filter(({ value, count }) => count > 0 || value === filter[name]),
            );
          };
          const byRange = ({ range, count }: { range: string; count: number }) => ({ value: range, count });
          const byName = ({ name, count }: { name: string; count: number }) => ({ value: name, count });
          expectCounts('priceRange', facets.prices.map(byRange), prices.map(formatFilterRange));
          expectCounts(
            'capacityRange',
            facets.capacities.map(byRange),
            capacityRanges.map(formatFilterRange),
          );
          expectCounts('colour', facets.colours.map(byName), filterColourNames);
          expectCounts('localStoreName', facets.stores.map(byName), stores);
          expectCounts(
            'tagName',
            facets.tags.filter(({ name }) => filterTags.includes(name)).map(byName),
            filterTags,
          );
          for (const { name, count } of facets.brands)
            expect(count).toBe(recount(model, { ...filter, brandName: name }).length);
        }),
        { numRuns: { sqlite: 20, postgres: 8 }[engine], seed: 26 },
      );
    });

    it('a search is filtered and counted by the same values', async () => {
      const nameLike = 'mug';
      const facets = await facetsOf({ nameLike });
      expect(facets.stores.length).toBeGreaterThan(0);
      const filtered = [
        ...facets.prices.map(({ range, count }) => ({ filter: { priceRange: range }, count })),
        ...facets.capacities.map(({ range, count }) => ({ filter: { capacityRange: range }, count })),
        ...facets.colours.map(({ name, count }) => ({ filter: { colour: name }, count })),
        ...facets.stores.map(({ name, count }) => ({ filter: { localStoreName: name }, count })),
        ...facets.tags.map(({ name, count }) => ({ filter: { tagName: name }, count })),
      ];
      for (const { filter, count } of filtered)
        expect(await listed({ nameLike, ...filter })).toHaveLength(count);
    });

    it('a cup that holds half a millilitre more than a range is in the next one', async () => {
      await sellProduct(testApp, 'HALF', { details: { dimensions: { capacityMl: 150.5 } } });
      const within = async (capacityRange: string) =>
        (await listed({ categoryName: 'cups', capacityRange })).includes('half');
      expect([await within('-150'), await within('151-350')]).toEqual([false, true]);
    });

    it('a sale of the last unit in a store takes the product out of what the store has', async () => {
      const sku = 'CUP';
      await sellProduct(testApp, sku, { units: 1 });
      const inOttawa = { localStoreName: 'ottawa-byward', categoryName: 'cups' };
      expect(await listed(inOttawa)).toContain('cup');
      const before = await facetsOf(inOttawa);
      await testApp.db.transaction(async (trx) => {
        const at = testApp.clock.now();
        const order = {
          id: 'filters-1',
          state: 'paying',
          version: 1,
          language: 'en',
          customer_comment: '',
          currency: 'CAD',
        };
        const zeros = {
          pay_at_store: 0,
          tip_basis_points: 0,
          total_cents: 0,
          created_at: at,
          updated_at: at,
        } as const;
        await trx
          .insertInto('orders')
          .values({ ...order, ...zeros })
          .execute();
        await testApp.services.stock.hold(trx, 'filters-1', [{ sku, quantity: 1 }], {
          location: 'ottawa-byward',
          until: null,
        });
      });
      expect(await listed(inOttawa)).not.toContain('cup');
      expect((await facetsOf(inOttawa)).count).toBe(before.count - 1);
      await testApp.db.transaction((trx) => testApp.services.stock.release(trx, 'filters-1'));
      expect(await listed(inOttawa)).toContain('cup');
    });

    it.each(['0', '5000-3000-1', 'cheap', '-', '3000-5999;'])(
      'the malformed range %s answers 400',
      async (priceRange) => {
        const answer = await testApp.ask('products', { query: { priceRange }, lang: 'zh' });
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({
          errors: { priceRange: expect.stringMatching(/\p{Script=Han}/u) },
        });
      },
    );

    it('an unknown range, store or colour is an error', async () => {
      for (const query of [
        { priceRange: '1-2' },
        { capacityRange: '1-2' },
        { localStoreName: 'nowhere' },
        { colour: 'ultraviolet' },
      ])
        expect((await testApp.ask('productCount', { query })).status).toBe(404);
    });
  });

  describe('price ranges of lists', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    const { settings } = testApp.services;
    const ranges = async () => (await testApp.call('productFacets', {})).prices;

    it('changed limits of price ranges apply at once, and their counts are complete', async () => {
      await settings.update({ listFilters: { priceLimitsCents: [2000, 5000], tags: [] } });
      const model = modelOfDemo();
      const all = [...model.products.values()].map(lowest);
      const changed = [
        { range: '-1999', from: null, to: 1999 },
        { range: '2000-4999', from: 2000, to: 4999 },
        { range: '5000-', from: 5000, to: null },
      ];
      expect(await ranges()).toEqual(
        changed.map((range) => ({ ...range, count: all.filter((price) => contains(range, price)).length })),
      );
      expect((await testApp.ask('products', { query: { priceRange: '3000-5999' } })).status).toBe(404);
    });

    it('the price ranges of a shop in yen are round amounts in yen', async () => {
      await settings.update({ currency: 'JPY', listFilters: { priceLimitsCents: [], tags: [] } });
      expect((await ranges()).map(({ range }) => range)).toContain('-2999');
    });
  });
});
