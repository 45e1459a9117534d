import { describe, expect, it } from 'vitest';
import { createWorld, forEachEngine } from '#tests/world.ts';

forEachEngine((engine) => {
  describe('stock of a combination of options', async () => {
    const world = await createWorld({ engine, demo: true });
    const ask = (productID: string, optionPair?: string) =>
      world.call('inventory', { params: { productID }, query: optionPair === undefined ? {} : { optionPair } });

    it('is told per store, with the price', async () => {
      const oat = await ask('speckled-mug', '#Colour:Oat');
      expect(oat).toMatchObject({ sku: 'MC-CM-01-OAT', status: 'InStock', priceInfo: { price: 3200 } });
      expect(oat.shippable).toBeGreaterThan(0);
      expect(oat.inventoryStoreInfos.map((store) => store.localStoreName)).toContain('toronto-queen-west');
      expect((await ask('speckled-mug', '#Colour:Rose')).priceInfo?.price).toBe(3400);
    });

    it('needs no options where there are none', async () => {
      expect(await ask('celadon-teapot')).toMatchObject({ sku: 'MC-TP-01', status: 'InStock', shippable: 12 });
    });

    it('is not available for what does not exist', async () => {
      for (const pairs of [
        '#Colour:Green',
        '#Size:Oat',
        '',
        'nonsense',
        '#Colour:Oat#Colour:Oat',
        "#Colour:Oat' or 1=1",
        '#Colour:💥',
      ]) {
        expect(await ask('speckled-mug', pairs)).toMatchObject({
          sku: null,
          status: 'NotAvailable',
          priceInfo: null,
          shippable: 0,
        });
      }
      expect((await world.ask('inventory', { params: { productID: 'nothing' } })).status).toBe(404);
    });

    it('of what is served in store is never shipped', async () => {
      await world.services.editor.setStock('MC-DR-02-OAT', 'warehouse', 9);
      const latte = await ask('matcha-latte', '#Milk:Oat');
      expect(latte.shippable).toBe(0);
      expect(latte.status).toBe('InStock');
    });

    it('is live: nothing is kept from before', async () => {
      await world.services.editor.setStock('MC-TP-01', 'warehouse', 3);
      expect((await ask('celadon-teapot')).shippable).toBe(3);
    });

    it('leaves out stores that are not displayed', async () => {
      const stores = await world.services.stores.all();
      await world.services.stores.upsert(stores.map((store) => ({ ...store, display: store.id !== 'ottawa-byward' })));
      const { inventoryStoreInfos } = await ask('celadon-teapot');
      expect(inventoryStoreInfos.map((store) => store.localStoreName)).toEqual([
        'toronto-queen-west',
        'markham-unionville',
        'waterloo-uptown',
      ]);
    });
  });
});
