/** Whether a product lacks a price is asked in three places: when it is stored, by the query of due times, and by the office's list. */
import { expect, it } from 'vitest';
import { plainProduct, plainValue, sellProduct } from '#tests/products.ts';
import { askStaff, joinDemo } from '#tests/staff.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';
import { nosWithDueTimes } from './products.repository.ts';

forEachEngine((engine) => {
  it('storage, the query of due times and the office’s list agree on which products lack a price', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, 'FIRST');
    const options = (values: ReturnType<typeof plainValue>[]) => [{ name: { en: 'Size' }, values }];
    const own = [undefined, 0, 700];
    const products = [0, 500].flatMap((priceCents) =>
      [{}, { overridePriceCents: 0 }, { overridePriceCents: 300 }, { priceDeltaCents: 200 }].flatMap(
        (change, place) =>
          own.map((price, index) => {
            const id = `priced-${priceCents}-${place}-${index}`;
            return plainProduct(id, {
              priceCents,
              // Before now, so that the query of due times looks at it.
              publishAt: testApp.clock.now() - 1000,
              options: options([plainValue('S'), plainValue('L', change)]),
              skus: ['S', 'L'].map((size) => ({
                sku: `${id}-${size}`,
                options: { Size: size },
                stock: {},
                ...(price === undefined ? {} : { priceCents: price }),
              })),
            });
          }),
      ),
    );
    await testApp.services.editor.upsertProducts(products);
    expect(await nosWithDueTimes(testApp.db.read, testApp.clock.now(), 100)).toEqual([]);
    const stored = await testApp.db.read
      .selectFrom('products')
      .select(['id', 'published'])
      .where('id', 'like', 'priced-%')
      .execute();
    const published = new Map(stored.map((row) => [row.id, row.published === 1]));
    const as = await joinDemo(testApp, 'demo-mei');
    const said = await Promise.all(
      products.map(async ({ id }) => {
        const { body } = await askStaff(testApp, 'product', { as, params: { product: id } });
        return [id, !body.whyNot.includes('noPrice')];
      }),
    );
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(published));
    expect(new Set(published.values())).toEqual(new Set([true, false]));
  });
});
