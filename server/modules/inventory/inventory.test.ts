import { beforeAll, describe, expect, it } from 'vitest';
import { sellMugInColours, sellProduct } from '#tests/products.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';

forEachEngine((engine) => {
  describe('stock of an option combination', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    beforeAll(async () => {
      await sellMugInColours(testApp);
      await sellProduct(testApp, 'TEAPOT', { units: 12 });
      await sellProduct(testApp, 'GAIWAN');
      await sellProduct(testApp, 'LATTE', { inStoreOnly: true });
    });
    const ask = (productID: string, optionPair?: string) =>
      testApp.call('inventory', {
        params: { productID },
        query: optionPair === undefined ? {} : { optionPair },
      });

    it('stock is reported per store, with the price', async () => {
      const oat = await ask('mug', '#Colour:Oat');
      expect(oat).toMatchObject({ sku: 'MUG-OAT', status: 'InStock', priceInfo: { price: 3200 } });
      expect(oat.shippable).toBeGreaterThan(0);
      expect(oat.inventoryStoreInfos.map((store) => store.localStoreName)).toContain('toronto-queen-west');
      expect((await ask('mug', '#Colour:Rose')).priceInfo?.price).toBe(3400);
    });

    it('a product without options needs none in the inventory call', async () => {
      expect(await ask('teapot')).toMatchObject({ sku: 'TEAPOT', status: 'InStock', shippable: 12 });
    });

    it('an unknown option combination is not available', async () => {
      for (const pairs of [
        '#Colour:Green',
        '#Size:Oat',
        '',
        'nonsense',
        '#Colour:Oat#Colour:Oat',
        "#Colour:Oat' or 1=1",
        '#Colour:💥',
      ]) {
        expect(await ask('mug', pairs)).toMatchObject({
          sku: null,
          status: 'NotAvailable',
          priceInfo: null,
          shippable: 0,
          obtainable: 0,
        });
      }
      expect((await testApp.ask('inventory', { params: { productID: 'nothing' } })).status).toBe(404);
    });

    it('dine-in products are never shipped', async () => {
      const latte = await ask('latte');
      expect(latte.shippable).toBe(0);
      expect(latte.status).toBe('InStock');
    });

    it('stock counts only where it is sold and by delivery methods that are switched on', async () => {
      const { settings, stock, stores } = testApp.services;
      const all = await stores.all();
      const units = async (warehouse: number, waterloo: number) => {
        for (const { id } of all) await stock.count([{ sku: 'GAIWAN', place: id, units: 0 }]);
        await stock.count([{ sku: 'GAIWAN', place: 'warehouse', units: warehouse }]);
        await stock.count([{ sku: 'GAIWAN', place: 'waterloo-uptown', units: waterloo }]);
      };
      const { checkoutConfig } = await settings.all();
      const closed = all.find(({ allowPickup, tables }) => !allowPickup && tables === 0)?.id;
      expect(closed).toBe('waterloo-uptown');
      await units(0, 2);
      expect(await ask('gaiwan')).toMatchObject({ status: 'OutOfStock', shippable: 0 });
      await units(2, 0);
      expect(await ask('gaiwan')).toMatchObject({ status: 'InStock', shippable: 2 });
      await settings.update({
        checkoutConfig: { ...checkoutConfig, domesticShippingEnabled: false, enablePickup: false },
      });
      const off = await ask('gaiwan');
      expect(off).toMatchObject({ status: 'OutOfStock', shippable: 0 });
      expect(off.inventoryStoreInfos.filter(({ allowPickup }) => allowPickup)).toEqual([]);
      await settings.update({ checkoutConfig });
    });

    it('a shop that offers no way to get an order says so everywhere, and sells nothing', async () => {
      const { settings, stores } = testApp.services;
      const { checkoutConfig } = await settings.all();
      const tables = (await stores.all()).filter((store) => store.tables > 0);
      const product = () => testApp.call('product', { params: { id: 'teapot' } });
      const add = async () => {
        const session = testApp.shopper();
        return (
          await testApp.ask('addToCart', { session, params: { itemName: 'TEAPOT' }, body: { quantity: 1 } })
        ).body;
      };
      expect(await product()).toMatchObject({ skus: [{ inStock: true }] });
      expect(await product()).not.toHaveProperty('notForSaleYet');
      await stores.upsert(tables.map((store) => ({ ...store, tables: 0 })));
      await settings.update({
        checkoutConfig: { ...checkoutConfig, domesticShippingEnabled: false, enablePickup: false },
      });
      expect(await ask('teapot')).toMatchObject({
        status: 'NotAvailable',
        notForSaleYet: true,
        obtainable: 0,
      });
      expect(await product()).toMatchObject({ notForSaleYet: true, skus: [{ inStock: false }] });
      expect(await add()).toMatchObject({ errorKey: 'rule.notForSaleYet' });
      await stores.upsert(tables);
      expect(await ask('teapot')).toMatchObject({ status: 'InStock' });
      await settings.update({ checkoutConfig });
      expect(await add()).toMatchObject({ lineItems: [{ sku: 'TEAPOT' }] });
    });

    it('stock is live and never cached', async () => {
      await testApp.services.stock.count([{ sku: 'TEAPOT', place: 'warehouse', units: 3 }]);
      expect((await ask('teapot')).shippable).toBe(3);
    });

    it('stores that are not displayed are left out of the stock report', async () => {
      const stores = await testApp.services.stores.all();
      await testApp.services.stores.upsert(
        stores.map((store) => ({ ...store, display: store.id !== 'ottawa-byward' })),
      );
      const { inventoryStoreInfos } = await ask('teapot');
      expect(inventoryStoreInfos.map((store) => store.localStoreName)).toEqual([
        'toronto-queen-west',
        'markham-unionville',
        'waterloo-uptown',
      ]);
    });
  });
});
