import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '#db/database.ts';
import { openSqliteReader, type SqliteReader } from '#db/sqlite/reader.ts';
import { createContainer } from '#server/container.ts';
import { plainProduct } from '#tests/products.ts';
import { createTestApp, type TestApp } from '#tests/test-app.ts';
import { valuesOf } from '../facet-values.ts';
import { scopeFilters } from '../list-filter.ts';
import { createSqlListReads, type ListReads, type PageQuery } from '../list-reads.ts';
import { createQueryPlanner } from '../search/plan-query.ts';
import { scopeNames } from '../taxonomy.ts';
import { IndexSynchronizer } from './index-synchronizer.ts';
import { cachedPlanner, createIndexedReads } from './indexed-reads.ts';

const texts = [undefined, 'tea', 'te', 'cup', 'celadon', 'teapt', '茶', '杯子', 'stoneware bowl', 'xyzzyq', 'rename'];
const filters = [
  {},
  { categoryName: 'teaware' },
  { onSale: true },
  { brandName: 'hanlu-tea', newArrival: false },
  { newArrival: true },
  { priceRange: '3000-5999', localStoreName: 'ottawa-byward' },
  { capacityRange: '151-350', tagName: 'handmade' },
];
const facets = ['brand', 'category', 'price', 'capacity', 'colour', 'store', 'tag'] as const;
const windows = [
  { offset: 0, limit: 12 },
  { offset: 5, limit: 3 },
  { offset: 500, limit: 12 },
];

/** Calls `onQuery` with the text of each query. */
function observed(reader: SqliteReader, onQuery: (text: string) => void): SqliteReader {
  const transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => {
    onQuery(JSON.stringify(node));
    return node;
  };
  return { ...reader, db: reader.db.withPlugin({ transformQuery, transformResult: async ({ result }) => result }) };
}

/** Reads of one shop from its index, as they are made in its thread. */
function indexedReads(db: Database, onQuery: (text: string) => void = () => {}) {
  const file = db.file ?? '';
  const reader = observed(openSqliteReader(file), onQuery);
  const synchronizer = new IndexSynchronizer({ reader, openReader: () => openSqliteReader(file), rebuildAfterMs: 0 });
  const readDb = { engine: db.engine, queries: db.queries, catalogue: reader.db };
  const planner = cachedPlanner(createQueryPlanner({ db: readDb }), synchronizer);
  const unexpected = async () => expect.unreachable('the index is there');
  const reads = createIndexedReads({
    synchronizer,
    planner,
    sqlReads: { page: unexpected, count: unexpected, facets: unexpected },
  });
  const inSnapshot: ListReads = {
    page: (query) => reader.snapshot(() => reads.page(query)),
    count: (query) => reader.snapshot(() => reads.count(query)),
    facets: (query, values) => reader.snapshot(() => reads.facets(query, values)),
  };
  return {
    reads: inSnapshot,
    /** Builds the index if it is not there. */
    async build() {
      await reader.snapshot(() => synchronizer.current());
      await synchronizer.settled();
    },
    isThere: () => reader.snapshot(async () => (await synchronizer.current()) !== null),
    close() {
      synchronizer.close();
      reader.close();
    },
  };
}

/** Compares every list and search of the index with what SQL finds. */
async function expectSame(shop: TestApp, reads: ListReads): Promise<void> {
  const { db, services } = shop;
  const sqlReads = createSqlListReads(db, createQueryPlanner({ db }));
  const taxonomy = await services.catalogue.taxonomy();
  const values = facets.flatMap((facet) => valuesOf(facet, taxonomy));
  const allScope = taxonomy.scopes.get(scopeNames.all)?.id ?? 0;
  for (const text of texts)
    for (const filter of filters) {
      const query = { text, filters: scopeFilters(filter, taxonomy), allScope };
      expect(await reads.count(query), `${text} ${JSON.stringify(filter)}`).toBe(await sqlReads.count(query));
      // SQL counts nothing where nothing matches.
      const counted = (counts: ReadonlyMap<number, number>) => new Map([...counts].filter(([, number]) => number > 0));
      expect(counted(await reads.facets(query, values))).toEqual(counted(await sqlReads.facets(query, values)));
      for (const sort of ['d', 'p', 'zh'])
        for (const window of windows) {
          const page: PageQuery = { ...query, ...window, sort };
          expect(await reads.page(page), `${text} ${JSON.stringify({ filter, sort, ...window })}`).toEqual(
            await sqlReads.page(page),
          );
        }
    }
}

test('the index of lists finds what SQL finds, before and after each kind of change', async () => {
  const shop = await createTestApp({ engine: 'sqlite', demo: true });
  const { editor, catalogue } = shop.services;
  const index = indexedReads(shop.db);
  try {
    await index.build();
    await expectSame(shop, index.reads);

    const mug = plainProduct('rename-me', {
      name: { en: 'Rename Celadon Tea Cup', zh: '青瓷茶杯' },
      brand: 'hanlu-tea',
      category: 'teaware',
    });
    for (const change of [
      () => editor.upsertProducts([mug]),
      () => editor.upsertProducts([{ ...mug, priceCents: 1, compareAtCents: 900, newArrival: true }]),
      () => editor.upsertProducts([{ ...mug, name: { en: 'A Stoneware Bowl', zh: '碗' } }]),
      () => editor.upsertProducts([{ ...mug, published: false }]),
    ]) {
      await change();
      expect(await index.isThere(), 'the change is taken over without building the index again').toBe(true);
      await expectSame(shop, index.reads);
    }

    const brand = (await catalogue.brands('en')).find(({ name }) => name === 'hanlu-tea');
    await editor.upsertBrands([
      { id: 'hanlu-tea', name: { en: 'Xyzzyq', zh: '新名' }, story: { en: brand?.story ?? '', zh: '' }, image: null },
    ]);
    expect(await index.isThere(), 'another name of a brand changes what finds all of its products').toBe(false);
    await index.build();
    await expectSame(shop, index.reads);
  } finally {
    index.close();
  }
}, 180_000);

test('the tokens of most products are in memory before the first search for them', async () => {
  const shop = await createTestApp({ engine: 'sqlite', demo: true });
  const loads: string[] = [];
  const index = indexedReads(shop.db, (text) => {
    const token = /group_concat.*"value":"\\"(.+?)\\"/.exec(text)?.[1];
    if (token) loads.push(token);
  });
  try {
    await index.build();
    expect(loads).toEqual(expect.arrayContaining(['3tea', '3cup', '3茶']));
    loads.length = 0;
    const query = { filters: [], allScope: 1 };
    const taxonomy = await shop.services.catalogue.taxonomy();
    for (const text of ['tea', 'cup', '茶']) expect(await index.reads.count({ ...query, text })).toBeGreaterThan(0);
    for (const token of ['3tea', '3cup', '3茶']) expect(loads).not.toContain(token);
    const values = facets.flatMap((facet) => valuesOf(facet, taxonomy));
    await index.reads.facets({ ...query, text: undefined }, values);
    expect(loads.filter((token) => token.startsWith('s'))).toEqual([]);
    await index.reads.count({ ...query, text: 'whisk' });
    expect(loads.length, 'a rare word is loaded when it is first searched').toBeGreaterThan(0);
  } finally {
    index.close();
  }
}, 60_000);

test('a shop with many products answers lists and searches from another thread as others do', async () => {
  const shop = await createTestApp({
    engine: 'sqlite',
    demo: true,
    services: (deps) => createContainer({ ...deps, listThreadFrom: 1 }),
  });
  const small = createContainer({ db: shop.db, env: shop.env, now: Date.now });
  const answers = async ({ catalogue, search }: Pick<typeof small, 'catalogue' | 'search'>) => [
    await catalogue.page({ nameLike: 'teapt' }, { sortby: 'price' }, 'zh'),
    await catalogue.page({ onSale: true, categoryName: 'teaware' }, { startingPosition: 2 }, 'en'),
    await catalogue.count({ nameLike: '茶' }),
    await catalogue.facets({ nameLike: 'tea', brandName: 'hanlu-tea' }),
    await catalogue.facets({ localStoreName: 'ottawa-byward', priceRange: '3000-5999', categoryName: 'teaware' }),
    await search.suggest('cel', 'en'),
  ];
  try {
    const refusals = async () => {
      const many = Array.from({ length: 200 }, (_, index) => shop.services.catalogue.count({ nameLike: `tea ${index}` }));
      return (await Promise.allSettled(many)).flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    };
    // The first reads of a process are made in this thread, until the other is ready.
    await expect.poll(async () => (await refusals()).length, { timeout: 60_000 }).toBeGreaterThan(50);
    expect((await refusals())[0]).toMatchObject({ status: 503, details: { errorKey: 'error.busy', retryAfterMs: 2000 } });
    expect(await answers(shop.services)).toEqual(await answers(small));
    await expect(shop.services.catalogue.count({ nameLike: 'tea', categoryName: 'none' })).rejects.toMatchObject({ status: 404 });
    expect(await shop.services.catalogue.count({ nameLike: 'tea' })).toBeGreaterThan(5);
  } finally {
    for (const module of shop.services.modules) await module.stop?.();
  }
}, 180_000);
