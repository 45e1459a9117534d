/** Lets many shoppers buy the last units at once. No unit is sold twice. */
import { expect, it } from 'vitest';
import { sellProduct } from '#tests/products.ts';
import {
  cards,
  deliver,
  homeOf,
  pay,
  reserve,
  setUnits,
  shopperWithCart,
  unitsOf,
  visit,
} from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';

const sku = 'ZISHA-TEAPOT';
const product = 'zisha-teapot';

forEachEngine((engine) => {
  it('exactly twenty of two hundred shoppers get one of the last twenty', async () => {
    const testApp = await createTestApp({ engine, demo: true, connections: 10 });
    await sellProduct(testApp, sku);
    await setUnits(testApp, sku, 20);
    const shoppers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => shopperWithCart(testApp, sku, 1, homeOf(n))),
    );
    const version = await testApp.db.catalogueVersion();

    const answers = await Promise.all(shoppers.map((session) => pay(testApp, session)));

    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(200), count(409)]).toEqual([20, 180]);
    for (const { status, body } of answers) {
      if (status === 409)
        expect(body.errors).toEqual({ [`lineItems.${sku}`]: 'zisha-teapot is out of stock' });
    }
    expect(await unitsOf(testApp.db.read, sku)).toEqual({ stock: 0, held: 0, sold: 20, all: 20 });
    const charges = await testApp.db.read
      .selectFrom('house_charges')
      .selectAll()
      .where('state', '=', 'succeeded')
      .execute();
    expect(charges).toHaveLength(20);
    const numbers = await testApp.db.read
      .selectFrom('orders')
      .select('order_number')
      .where('state', '=', 'placed')
      .execute();
    expect(new Set(numbers.map(({ order_number }) => order_number)).size).toBe(20);
    // Pages change once, when the last one is gone, and not with every sale.
    expect(await testApp.db.catalogueVersion()).toBe(version + 1);
    expect((await testApp.call('product', { params: { id: product } })).inventory.quantity).toBe(0);
    // Those who got none still have their carts.
    const without = shoppers[answers.findIndex(({ status }) => status === 409)];
    const cart = await testApp.call('myCart', { session: without ?? testApp.shopper() });
    expect(cart).toMatchObject({
      state: 'cart',
      lineItems: [{ sku, inventoryProcessingStatus: 'notAvailable', obtainable: 0 }],
    });
  });

  it('no unit is made or lost, whichever way shoppers buy and however it ends', async () => {
    const testApp = await createTestApp({ engine, demo: true, connections: 10 });
    const skus = [sku, 'TEAPOT', 'MUG-OAT'];
    for (const each of skus) await sellProduct(testApp, each);
    for (const each of skus) await setUnits(testApp, each, 12);
    for (const each of skus)
      await testApp.services.stock.count([{ sku: each, place: 'toronto-queen-west', units: 6 }]);
    const before = await Promise.all(skus.map((each) => unitsOf(testApp.db.read, each)));

    const buy = async (index: number) => {
      const session = await shopperWithCart(testApp, skus[index % 3] ?? sku, 1 + (index % 3), homeOf(index));
      // A second line, in the other order for every other shopper: this is what locks each other out.
      await testApp.ask('addToCart', {
        session,
        params: { itemName: skus[(index + 1) % 3] ?? sku },
        body: { quantity: 1 },
      });
      if (index % 4 === 0) await visit(testApp, session);
      else await deliver(testApp, session);
      if (index % 4 === 0) return reserve(testApp, session);
      return pay(testApp, session, index % 4 === 1 ? cards.decline : cards.approve);
    };
    const answers = await Promise.all(Array.from({ length: 48 }, (_, index) => buy(index)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 402, 409]));
    const after = await Promise.all(skus.map((each) => unitsOf(testApp.db.read, each)));
    expect(after.map(({ all }) => all)).toEqual(before.map(({ all }) => all));
    for (const { stock } of after) expect(stock).toBeGreaterThanOrEqual(0);
    const reserved = await testApp.db.read.selectFrom('holds').select('order_id').distinct().execute();
    const states = await testApp.db.read
      .selectFrom('orders')
      .select('state')
      .where('state', '=', 'reserved')
      .execute();
    expect(reserved).toHaveLength(states.length);
  });
});
