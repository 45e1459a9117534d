/** Several processes sell from one database, as with WORKERS or on several machines. */
import { expect, it } from 'vitest';
import { startShop } from '#tests/processes.ts';
import { sellProduct } from '#tests/products.ts';
import { setUnits, unitsOf } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';
import { type Acknowledged, buy, environment } from './buying.ts';

const sku = 'TEAPOT';

forEachEngine((engine) => {
  it('two processes sell the last ten once and number the orders without a gap', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, sku);
    await setUnits(testApp, sku, 10);
    const shops = await Promise.all([startShop(environment(testApp)), startShop(environment(testApp))]);

    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => buy(shops[index % 2]?.url ?? '', sku)),
    );

    const orders = answers.filter((answer): answer is Acknowledged => answer !== null);
    expect(new Set(orders.map(({ orderID }) => orderID)).size).toBe(10);
    expect(await unitsOf(testApp.db.read, sku)).toEqual({ stock: 0, held: 0, sold: 10, all: 10 });
    const rows = await testApp.db.read
      .selectFrom('orders')
      .select('order_number as number')
      .where('state', '=', 'placed')
      .execute();
    const numbers = rows.map(({ number }) => Number(number?.slice(-6))).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 10 }, (_, index) => 204 + index));
    await Promise.all(shops.map((shop) => shop.end('SIGTERM')));
  });
});
