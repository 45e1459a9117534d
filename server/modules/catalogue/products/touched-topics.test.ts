import { expect, it } from 'vitest';
import { everything } from '#db/catalogue-version.ts';
import { plainProduct, sellProduct } from '#tests/products.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';
import type { ProductInput } from './product-input.ts';

/** What the changes after `version` touched, without the numbers of products and the names of scopes. */
async function touchedSince({ db }: TestApp, version: number): Promise<string[]> {
  const rows = await db.read
    .selectFrom('catalogue_changes')
    .select('topics')
    .where('version', '>', version)
    .execute();
  const topics = rows.flatMap((row) => JSON.parse(row.topics) as string[]);
  return [...new Set(topics.map((topic) => topic.replace(/:\d+$|(?<=^list):.+(?=:)/, '')))].sort();
}

forEachEngine((engine) => {
  it.each<[what: string, change: Partial<ProductInput>, touched: string[]]>([
    ['nothing', {}, []],
    ['the price', { priceCents: 1234 }, ['list:p', 'product']],
    ['the description', { description: { en: ['Turned by hand.'] } }, ['product', 'search']],
    ['the name', { name: { en: 'Zebra', zh: 'zebra' } }, ['list:en', 'list:zh', 'product', 'search']],
    ['the tax class', { taxClass: 'prepared-food' }, ['product']],
    ['the related products', { related: ['other'] }, ['product']],
    [
      'clearance',
      { clearance: true },
      ['counts', 'list:d', 'list:en', 'list:p', 'list:zh', 'product', 'search'],
    ],
    [
      'publication',
      { published: false },
      ['counts', 'list:d', 'list:en', 'list:p', 'list:zh', 'product', 'search'],
    ],
  ])(`a change of %s touches only what shows it, on ${engine}`, async (_what, change, touched) => {
    const testApp = await createTestApp({ engine });
    await sellProduct(testApp, 'OTHER');
    const product = plainProduct('cup');
    await testApp.services.editor.upsertProducts([product]);
    const version = await testApp.db.catalogueVersion();
    await testApp.services.editor.upsertProducts([{ ...product, ...change }]);
    expect(await touchedSince(testApp, version)).toEqual(touched);
    expect(touched).not.toContain(everything);
  });
});
