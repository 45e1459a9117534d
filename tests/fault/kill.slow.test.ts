/** Kills the server while it sells. Every acknowledged order survives, and stock adds up. */
import { expect, it } from 'vitest';
import { apiBase } from '#contract/limits.ts';
import { startShop } from '#tests/processes.ts';
import { sellProduct } from '#tests/products.ts';
import { setUnits, unitsOf } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';
import { type Acknowledged, buy, environment } from './buying.ts';

const skus = ['MUG-OAT', 'TEAPOT', 'GLASS-TEAPOT'];
const units = 500;
const shoppers = 12;
const ordersBeforeTheKill = 40;

forEachEngine((engine) => {
  it('every acknowledged order survives SIGKILL, and no unit is made or lost', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    for (const each of skus) await sellProduct(testApp, each);
    for (const sku of skus) await setUnits(testApp, sku, units);
    const shop = await startShop(environment(testApp));
    const acknowledged: Acknowledged[] = [];
    let killed = false;

    const buyUntilKilled = async (index: number) => {
      for (let round = 0; !killed; round++) {
        const order = await buy(shop.url, skus[(index + round) % skus.length] ?? '').catch(() => null);
        if (order) acknowledged.push(order);
        // In the middle: others are adding, paying and being answered at this very moment.
        if (acknowledged.length >= ordersBeforeTheKill && !killed) {
          killed = true;
          shop.child.kill('SIGKILL');
        }
      }
    };
    await Promise.all(Array.from({ length: shoppers }, (_, index) => buyUntilKilled(index)));
    await shop.end();

    const again = await startShop(environment(testApp));
    for (const { orderID, cookie } of acknowledged) {
      const answer = await fetch(`${again.url}${apiBase}admin/orderManagement/order/${orderID}`, {
        headers: { cookie },
      });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ orderID, state: 'placed', payment: { paid: true } });
    }
    expect(await again.end('SIGTERM')).toBe(0);

    for (const sku of skus) expect((await unitsOf(testApp.db.read, sku)).all).toBe(units);
    expect(await testApp.container.stock.differences()).toEqual([]);
    // An hour on, everything that was open has been settled one way or the other.
    testApp.clock.set(Date.now() + 3_600_000);
    await testApp.services.payments.reconcile();
    for (const sku of skus)
      expect(await unitsOf(testApp.db.read, sku)).toMatchObject({ held: 0, all: units });
    expect(await chargedOrders(testApp)).toEqual(await placedOrders(testApp));
    const numbers = (await placedOrders(testApp)).map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

/** Orders that were charged, with their numbers. */
async function chargedOrders({ db }: TestApp): Promise<{ id: string; number: string | null }[]> {
  const rows = await db.read
    .selectFrom('house_charges as charge')
    .innerJoin('payments as payment', 'payment.provider_reference', 'charge.reference')
    .innerJoin('orders', 'orders.id', 'payment.order_id')
    .select(['orders.id', 'orders.order_number as number'])
    .where('charge.state', '=', 'succeeded')
    .orderBy('orders.id')
    .execute();
  return rows;
}

async function placedOrders({ db }: TestApp): Promise<{ id: string; number: string | null }[]> {
  return db.read
    .selectFrom('orders')
    .select(['id', 'order_number as number'])
    .where('state', '=', 'placed')
    .orderBy('id')
    .execute();
}
