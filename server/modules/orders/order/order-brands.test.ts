/** The brand of what was ordered: stored with the order. */
import { beforeAll, describe, expect, it } from 'vitest';
import { placeLinkedOrder } from '#tests/order-links.ts';
import { sellProduct } from '#tests/products.ts';
import { createTestApp, forEachEngine, type TestApp, testNow } from '#tests/test-app.ts';

const store = 'toronto-queen-west';
const sku = 'MUG-OAT';

forEachEngine((engine) => {
  describe('the brand of a line', () => {
    let testApp: TestApp;
    beforeAll(async () => {
      testApp = await createTestApp({ engine, demo: true, env: { PUBLIC_URL: 'https://shop.example' } });
      await sellProduct(testApp, sku);
    });
    const place = () =>
      placeLinkedOrder(testApp, { how: 'reserve', sku, store, pickupAt: testNow + 4 * 3_600_000 });

    it('an order keeps the name that a brand had when it was placed, and one without takes that of its product', async () => {
      const { session, id } = await place();
      const brandOf = async () =>
        (await testApp.call('order', { session, params: { id } })).lineItems[0]?.brandContent;
      const { brand, brand_id } = await testApp.db.read
        .selectFrom('order_lines')
        .innerJoin('products', 'products.id', 'order_lines.product_id')
        .select(['order_lines.brand', 'products.brand_id'])
        .where('order_id', '=', id)
        .executeTakeFirstOrThrow();
      const before = JSON.parse(brand ?? 'null');
      expect(before.en).toMatch(/\w/);
      expect(await brandOf()).toEqual(before);
      await testApp.services.editor.upsertBrands([
        { id: brand_id, name: { en: 'River Kiln' }, story: { en: '' }, image: null },
      ]);
      expect(await brandOf()).toEqual(before);
      await testApp.db.transaction((trx) =>
        trx.updateTable('order_lines').set({ brand: null }).where('order_id', '=', id).execute(),
      );
      expect(await brandOf()).toEqual({ en: 'River Kiln' });
    });
  });
});
