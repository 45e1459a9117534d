import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';

/** What shoppers see of lists, filters and searches. */
async function answersOf({ call }: TestApp) {
  const queries: { sortby?: string; [filter: string]: unknown }[] = [
    {},
    { categoryName: 'teaware', sortby: 'price' },
    { brandName: 'hanlu-tea', sortby: 'name' },
    { nameLike: 'celadon' },
    { nameLike: 'teapt' },
    { nameLike: '茶杯', localStoreName: 'ottawa-byward' },
    { priceRange: '3000-5999', newArrival: true },
  ];
  return await Promise.all(
    queries.flatMap(({ sortby, ...query }) => [
      call('products', { query: { ...query, ...(sortby ? { sortby } : {}), numberToLoad: 48 }, lang: 'zh' }),
      call('productFacets', { query }),
    ]),
  );
}

forEachEngine((engine) => {
  it('after every derived row was lost or spoiled, rebuilding gives the same lists, filters and searches', async () => {
    const shop = await createTestApp({ engine, demo: true });
    const before = await answersOf(shop);
    await shop.db.transaction(async (trx) => {
      await trx
        .updateTable('listings')
        .set({ listing: null, revision: 1_000_000 })
        .where('product_no', '<', 30)
        .execute();
      await trx.deleteFrom('listings').where('product_no', '>', 50).execute();
      await trx.updateTable('counters').set({ value: 1_000_000 }).where('name', '=', 'listings').execute();
      await trx
        .updateTable('product_cards')
        .set({ card: '{}', price_cents: 1, quantity: 0 })
        .where('product_no', '<', 20)
        .execute();
      await trx.deleteFrom('product_cards').where('product_no', '>', 40).execute();
      await trx.updateTable('search_terms').set({ products: 999 }).where('term', '<', 'm').execute();
      await trx.deleteFrom('search_trigrams').execute();
      await sql`delete from search_index`.execute(trx);
      await sql`update catalogue_version set version = version + 1`.execute(trx);
    });
    expect(await answersOf(shop), 'the spoiled rows are what lists are made of').not.toEqual(before);
    await shop.services.editor.rebuild();
    expect(await answersOf(shop)).toEqual(before);
  });

  it('a rebuild that was interrupted is finished when the server starts', async () => {
    const shop = await createTestApp({ engine, demo: true });
    const before = await answersOf(shop);
    const failing = new Proxy(shop.db.queries.search, {
      get: (search, name) =>
        name === 'put' ? async () => Promise.reject(new Error('killed')) : Reflect.get(search, name),
    });
    const { search } = shop.db.queries;
    Object.assign(shop.db.queries, { search: failing });
    await expect(shop.services.editor.rebuild()).rejects.toThrow('killed');
    Object.assign(shop.db.queries, { search });
    expect((await shop.call('products', {})).products).toEqual([]);
    await shop.services.editor.rebuildIfOutdated();
    expect(await answersOf(shop)).toEqual(before);
  });
});
