import { describe, expect, it } from 'vitest';
import { insertMany } from '#db/bulk-writes.ts';
import { plainProduct } from '#tests/products.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';
import { compareNames, freshKeys, rankNames } from './name-ranks.ts';

const cup = (id: string, en: string) => plainProduct(id, { name: { en, zh: en } });

async function shop(engine: 'sqlite' | 'postgres') {
  const testApp = await createTestApp({ engine });
  await testApp.services.editor.upsertBrands([{ id: 'kiln', name: { en: 'Kiln' }, story: { en: '' }, image: null }]);
  await testApp.services.editor.upsertCategories([
    { id: 'cups', parent: null, name: { en: 'Cups' }, description: { en: '' }, image: null },
  ]);
  return testApp;
}

describe('comparison of names', () => {
  it('names are compared as each language does, numbers by their value', () => {
    expect(compareNames('en', 'Cup 9', 'Cup 10')).toBeLessThan(0);
    expect(compareNames('en', 'émile', 'Zoe')).toBeLessThan(0);
    // By pinyin, bái is before cháo; by code points the order would be reversed.
    expect(compareNames('zh', '白', '朝')).toBeLessThan(0);
    expect(
      freshKeys('zh', [
        { en: '', zh: '朝' },
        { en: '', zh: '白' },
      ]),
    ).toEqual([2048, 1024]);
  });
});

forEachEngine((engine) => {
  describe('name ranks', () => {
    it('the name order holds however often a name is inserted between the same two', async () => {
      const testApp = await shop(engine);
      // Each goes directly before the last name, so the numbers between run out.
      await testApp.services.editor.upsertProducts([cup('first', 'A'), cup('last', 'Z')]);
      for (let i = 0; i < 70; i++) await testApp.services.editor.upsertProducts([cup(`p${i}`, `M ${i}`)]);
      const names: string[] = [];
      for (let startingPosition = 0; startingPosition < 72; startingPosition += 48) {
        const { products } = await testApp.call('products', { query: { sortby: 'name', numberToLoad: 48, startingPosition } });
        names.push(...products.map((product) => product.productName));
      }
      expect(names).toEqual(['A', ...Array.from({ length: 70 }, (_, i) => `M ${i}`), 'Z']);
    });

    it('a few names are placed among thousands without reading them all', async () => {
      const testApp = await shop(engine);
      await testApp.services.editor.upsertProducts([cup('first', 'Cup 0')]);
      const { id: scope } = await testApp.db.read
        .selectFrom('listing_scopes')
        .select('id')
        .where('name', '=', 'all')
        .executeTakeFirstOrThrow();
      const numbers = Array.from({ length: 2500 }, (_, i) => i + 2);
      await testApp.db.transaction(async (trx) => {
        const row = await trx.selectFrom('products').selectAll().where('id', '=', 'first').executeTakeFirstOrThrow();
        const others = numbers.map((no) => ({ ...row, no, id: `p${no}`, name: JSON.stringify({ en: `Cup ${no * 2}` }) }));
        await insertMany(
          testApp.db,
          trx,
          'products',
          Object.keys(row),
          others.map((other) => Object.values(other)),
        );
        const columns = ['scope_id', 'sort', 'key', 'product_no', 'brand_scope', 'category_scope', 'flags'];
        const listings = (['en', 'zh'] as const).flatMap((sort) =>
          numbers.map((no) => [scope, sort, 1024 + no * 1024, no, 0, 0, 0]),
        );
        await insertMany(testApp.db, trx, 'listings', columns, listings);
      });
      const wanted = ['Cup 3001', 'Cup 3003', 'Cup 3001b', 'Aaa', 'Zzz', 'Cup 5'].map((en) => ({ id: en, name: { en } }));
      const { keys, needsRebalance } = await rankNames(testApp.db.read, scope, wanted);
      expect(needsRebalance).toBe(false);
      const all = [
        ...numbers.map((no) => ({ name: `Cup ${no * 2}`, key: 1024 + no * 1024 })),
        ...wanted.map(({ id }) => ({ name: id, key: keys.get(id)?.en ?? 0 })),
      ];
      const byKey = all.toSorted((a, b) => a.key - b.key).map(({ name }) => name);
      expect(byKey).toEqual(byKey.toSorted((a, b) => compareNames('en', a, b)));
      expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
    });
  });
});
