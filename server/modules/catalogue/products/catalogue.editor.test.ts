import { beforeAll, describe, expect, it } from 'vitest';
import { plainGroup, plainModifier } from '#tests/modifiers.ts';
import { sellProduct } from '#tests/products.ts';
import { add, contact } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

import { modifierGroupsOf } from '../modifiers/modifier-groups.ts';

const queenWest = 'toronto-queen-west';
const ottawa = 'ottawa-byward';

forEachEngine((engine) => {
  describe('sold out today', async () => {
    let testApp: TestApp;
    beforeAll(async () => {
      testApp = await createTestApp({ engine, demo: true });
    });
    const storeOf = async (id: string) => {
      const store = (await testApp.services.stores.all()).find((each) => each.id === id);
      if (!store) throw new Error(`No store ${id}`);
      return store;
    };
    const mark = async (store: string, item: string) =>
      testApp.services.editor.markSoldOut(await storeOf(store), item);
    const atTable = (session: Shopper, store: string) =>
      testApp.ask('orderContactInfo', {
        session,
        query: { methodName: 'instore', localStoreName: store, tableNumber: '3' },
        body: { contact },
      });
    const unitsAt = async (id: string, store: string) => {
      const { inventoryStoreInfos } = await testApp.call('inventory', { params: { productID: id } });
      return inventoryStoreInfos.find(({ localStoreName }) => localStoreName === store);
    };

    it('a SKU that is sold out at a store cannot be ordered there, and says so at its line', async () => {
      await sellProduct(testApp, 'LATTE', { inStoreOnly: true });
      const session = testApp.shopper();
      await add(testApp, session, 'LATTE');
      expect((await atTable(session, queenWest)).status).toBe(200);
      const until = await mark(queenWest, 'sku:LATTE');
      expect(new Date(until).toISOString()).toBe('2026-05-17T15:00:00.000Z');
      const cart = await testApp.call('myCart', { session });
      expect(cart.lineItems[0]).toMatchObject({
        inventoryProcessingStatus: 'notAvailable',
        obtainable: 0,
        unavailable: expect.stringMatching(/^latte is sold out at .+ today$/),
      });
      const chinese = await testApp.call('myCart', { session, lang: 'zh' });
      expect(chinese.lineItems[0]?.unavailable).toMatch(/今日latte已售罄$/);
      const placed = await testApp.ask('reserve', { session });
      expect([placed.status, placed.body.errors]).toEqual([
        409,
        { 'lineItems.LATTE': expect.stringContaining('latte is sold out at') },
      ]);
      expect(await unitsAt('latte', queenWest)).toMatchObject({ number: 0, soldOutToday: true });
      expect(await unitsAt('latte', ottawa)).toMatchObject({ number: 20 });
      await testApp.services.editor.unmarkSoldOut(queenWest, 'sku:LATTE');
      expect((await testApp.ask('reserve', { session })).status).toBe(200);
    });

    it('a product that is sold out at every store that has it is sold out on its card and page', async () => {
      await sellProduct(testApp, 'CHAI', { units: 0, inStoreOnly: true });
      await testApp.services.stock.count([{ sku: 'CHAI', place: queenWest, units: 5 }]);
      const shown = async () => {
        const { inventory, skus } = await testApp.call('product', { params: { id: 'chai' } });
        return [inventory.quantity, skus[0]?.inStock];
      };
      expect(await shown()).toEqual([5, true]);
      await mark(queenWest, 'product:chai');
      expect(await shown()).toEqual([0, false]);
      const exported = await testApp.services.catalogueExport.stockOf(['CHAI']);
      expect(exported.get('CHAI')?.get(queenWest)).toBe(5);
      const { status } = await add(testApp, testApp.shopper(), 'CHAI');
      expect(status).toBe(409);
      await testApp.services.editor.unmarkSoldOut(queenWest, 'product:chai');
      expect(await shown()).toEqual([5, true]);
    });

    it('an item that is sold out is back when its store opens the next day, also if the sweep comes late', async () => {
      await sellProduct(testApp, 'SCONE', { inStoreOnly: true });
      const until = await mark(queenWest, 'product:scone');
      testApp.clock.set(until - 1);
      await testApp.container.runMaintenance();
      expect((await unitsAt('scone', queenWest))?.number).toBe(0);
      testApp.clock.set(until);
      expect((await unitsAt('scone', queenWest))?.number).toBe(20);
      await testApp.container.runMaintenance();
      expect(await testApp.db.read.selectFrom('sold_out').selectAll().execute()).toEqual([]);
      const { inventory } = await testApp.call('product', { params: { id: 'scone' } });
      expect(inventory.quantity).toBe(20 * 5);
    });

    it('a modifier that a store has none of says so in the answers of its products, and is back in time', async () => {
      const group = plainGroup('milk', [plainModifier('whole', { default: 1 }), plainModifier('oat')], {
        min: 1,
      });
      await testApp.services.editor.upsertModifierGroups([group]);
      await sellProduct(testApp, 'CHAI-TEA', { modifierGroups: [{ group: 'milk' }] });
      const soldOutAt = async () => {
        const { modifierGroups = [] } = await testApp.call('product', { params: { id: 'chai-tea' } });
        return modifierGroups[0]?.modifiers.map((modifier) => modifier.soldOutAt);
      };
      expect(await soldOutAt()).toEqual([[], []]);
      expect(await testApp.services.editor.soldOutItem('milk/soy')).toBeNull();
      const until = await mark(ottawa, (await testApp.services.editor.soldOutItem('milk/oat')) ?? '');
      expect(await soldOutAt()).toEqual([[], [ottawa]]);
      const soldOut = await testApp.services.stores.soldOut();
      const stored = await modifierGroupsOf(testApp.db.read, ['chai-tea'], soldOut);
      expect(stored.get('chai-tea')?.[0]?.modifiers[1]?.soldOutAt).toEqual([ottawa]);
      testApp.clock.set(until);
      expect(await soldOutAt()).toEqual([[], []]);
    });

    it('a modifier is sold out where its SKU has no units, until there are some', async () => {
      await sellProduct(testApp, 'SCOOP', { published: false, units: 3 });
      const group = plainGroup('scoops', [plainModifier('scoop', { sku: 'SCOOP' })]);
      await testApp.services.editor.upsertModifierGroups([group]);
      await sellProduct(testApp, 'BOWL', { modifierGroups: [{ group: 'scoops' }] });
      const soldOutAt = async () => {
        const { modifierGroups = [] } = await testApp.call('product', { params: { id: 'bowl' } });
        return modifierGroups[0]?.modifiers[0]?.soldOutAt;
      };
      expect(await soldOutAt()).toEqual([]);
      await testApp.services.stock.count([{ sku: 'SCOOP', place: ottawa, units: 0 }]);
      expect(await soldOutAt()).toEqual([ottawa]);
      await testApp.services.stock.count([{ sku: 'SCOOP', place: ottawa, units: 2 }]);
      expect(await soldOutAt()).toEqual([]);
    });

    it('the sold-out command marks an item, lists it and takes it back, in the language of the staff', async () => {
      const run = async (words: string[], lang = 'en') =>
        (await shopCommand(testApp, ['sold-out', ...words], { LANG: lang })).printed;
      await sellProduct(testApp, 'MATCHA', { inStoreOnly: true });
      expect(await run([])).toBe('Nothing is sold out today.');
      expect(await run(['MATCHA', '--store', queenWest])).toMatch(
        /^MATCHA is sold out at toronto-queen-west until \d{4}-.*-0[45]:00\.$/,
      );
      expect(await run([])).toMatch(/^toronto-queen-west {2}sku:MATCHA {2}\d{4}-/);
      expect(await run(['matcha', '--store', queenWest, '--back'], 'zh_CN')).toBe(
        'toronto-queen-west 的 matcha 并未售罄。',
      );
      expect(await run(['MATCHA', '--store', queenWest, '--back'], 'zh_CN')).toBe(
        'toronto-queen-west 已恢复供应 MATCHA。',
      );
      expect(await run(['soup', '--store', queenWest])).toContain('Unknown item: soup.');
      expect(await run(['MATCHA', '--store', 'atlantis'])).toBe('Unknown store: atlantis.');
      expect(await run(['MATCHA'])).toContain('--store is missing');
      expect((await shopCommand(testApp, ['journal', 'soldOut', '--limit', '1'])).printed).toContain(
        'sold-out, by the terminal: sold out today toronto-queen-west sku:MATCHA',
      );
    });
  });
});
