/** SKUs that are not counted, or sold beyond stock, from the product page to the order. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sellProduct } from '#tests/products.ts';
import { cartWith, choosePickup, reserve, unitsOf, visit } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type TestApp, testNow } from '#tests/test-app.ts';

const hour = 3_600_000;

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, 'FREE', {
      skus: [{ sku: 'Free / 44T - Black', options: {}, counted: false, stock: {} }],
    });
    await sellProduct(testApp, 'OVER', { skus: [{ sku: 'OVER', options: {}, oversell: true, stock: {} }] });
    await sellProduct(testApp, 'NONE', { units: 0 });
  });

  const cardOf = async (id: string) => {
    const { products } = await testApp.call('products', { query: { brandName: 'kiln', numberToLoad: 48 } });
    return products.find((card) => card.id === id);
  };
  const reserved = async (sku: string) => {
    const session = await cartWith(testApp, sku);
    await visit(testApp, session);
    await choosePickup(testApp, session, testNow + 5 * hour);
    const { status, body } = await reserve(testApp, session);
    expect(status).toBe(200);
    return body;
  };

  describe('stock that does not run out', () => {
    it('a SKU that is not counted is in stock everywhere, in lists too, and an order takes nothing', async () => {
      const sku = 'Free / 44T - Black';
      const inventory = await testApp.call('inventory', { params: { productID: 'free' } });
      expect(inventory).toMatchObject({ sku, status: 'InStock', uncounted: true, obtainable: 98 });
      expect(inventory).not.toHaveProperty('backorder');
      const store = inventory.inventoryStoreInfos[0]?.localStoreName ?? '';
      const { products } = await testApp.call('products', {
        query: { localStoreName: store, brandName: 'kiln' },
      });
      expect(products.map(({ id }) => id)).toContain('free');
      expect((await cardOf('free'))?.inventory.quantity).toBeGreaterThan(0);
      expect((await cardOf('none'))?.inventory.quantity).toBe(0);
      await reserved(sku);
      expect(await unitsOf(testApp.db.read, sku)).toMatchObject({ stock: 0, held: 0 });
    });

    it('a SKU that is sold beyond stock can be ordered at zero, and page, cart and card say so', async () => {
      const before = await testApp.call('inventory', { params: { productID: 'over' } });
      expect(before).toMatchObject({ status: 'InStock', oversell: true, backorder: true, obtainable: 98 });
      expect((await testApp.call('product', { params: { id: 'over' } })).skus).toMatchObject([
        { inStock: true, backorder: true },
      ]);
      const session = await cartWith(testApp, 'OVER');
      const [line] = (await testApp.call('myCart', { session })).lineItems;
      expect(line).toMatchObject({ inventoryProcessingStatus: 'available', backorder: true });
      await reserved('OVER');
      expect(await unitsOf(testApp.db.read, 'OVER')).toMatchObject({ stock: -1, held: 1 });
      expect(await testApp.container.stock.differences()).toEqual([]);
      expect((await cardOf('over'))?.inventory.quantity).toBeGreaterThan(0);
      await testApp.services.stock.count([{ sku: 'OVER', place: 'warehouse', units: 5 }]);
      const after = await testApp.call('product', { params: { id: 'over' } });
      expect(after.skus[0]).not.toHaveProperty('backorder');
      expect((await testApp.call('myCart', { session })).lineItems[0]).not.toHaveProperty('backorder');
    });

    it('a store that is sold out today has none, though the SKU does not run out', async () => {
      const { editor, stores } = testApp.services;
      const [store] = await stores.all();
      if (!store) throw new Error('The demo has stores');
      await editor.markSoldOut(store, 'product:free');
      const { products } = await testApp.call('products', {
        query: { localStoreName: store.id, brandName: 'kiln' },
      });
      expect(products.map(({ id }) => id)).not.toContain('free');
      const { inventoryStoreInfos } = await testApp.call('inventory', { params: { productID: 'free' } });
      expect(inventoryStoreInfos.find(({ localStoreName }) => localStoreName === store.id)).toMatchObject({
        number: 0,
      });
      await editor.unmarkSoldOut(store.id, 'product:free');
    });
  });
});
