import { beforeAll, describe, expect, it } from 'vitest';
import { sellProduct } from '#tests/products.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';

const items = ['POT-1', 'CUP-1', 'TEA-1'].map((sku) => ({ sku, optionPairs: '' }));

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    for (const { sku } of items) await sellProduct(testApp, sku);
    await sellProduct(testApp, 'GONE-1', { units: 0 });
  });

  const addSet = (session: ReturnType<TestApp['shopper']>, set: typeof items) =>
    testApp.ask('addSetToCart', { session, body: { items: set } });
  const quantities = async (session: ReturnType<TestApp['shopper']>) =>
    Object.fromEntries(
      (await testApp.call('myCart', { session })).lineItems.map(({ sku, quantity }) => [sku, quantity]),
    );

  describe('the set of a product in the cart', () => {
    it('a set is added whole, and a repeated request changes nothing', async () => {
      const session = testApp.shopper();
      const { status, body } = await addSet(session, items);
      expect(status).toBe(200);
      expect(body).toMatchObject({ bill: { subtotal: 3 * 3200 } });
      const once = await quantities(session);
      expect(once).toEqual({ 'POT-1': 1, 'CUP-1': 1, 'TEA-1': 1 });
      expect((await addSet(session, items)).status).toBe(200);
      expect(await quantities(session)).toEqual(once);
    });

    it('a set joins what the cart has already', async () => {
      const session = testApp.shopper();
      await testApp.call('addToCart', { session, params: { itemName: 'CUP-1' }, body: { quantity: 4 } });
      await addSet(session, items);
      expect(await quantities(session)).toEqual({ 'POT-1': 1, 'CUP-1': 4, 'TEA-1': 1 });
    });

    it('a set with a piece that is sold out or unknown adds nothing and names each of them', async () => {
      const session = testApp.shopper();
      const lacking = [...items, { sku: 'GONE-1', optionPairs: '' }, { sku: 'NEVER-1', optionPairs: '' }];
      const { status, body } = await addSet(session, lacking);
      expect(status).toBe(409);
      expect(body).toMatchObject({ errorKey: 'set.unavailable' });
      expect(Object.keys((body as unknown as { errors: object }).errors)).toEqual(['items.3', 'items.4']);
      expect(await quantities(session)).toEqual({});
    });
  });
});
