import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Trx } from '#db/database.ts';
import { sellProduct } from '#tests/products.ts';
import { setUnits, unitsOf } from '#tests/shop-actions.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import { createStockService, type StockService } from './stock.service.ts';

const mug = 'MUG-OAT';
const pot = 'TEAPOT';

onBothEngines((engine) => {
  let testApp: TestApp;
  let stock: StockService;
  let crossings: string[] = [];
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug);
    await sellProduct(testApp, pot);
    stock = createStockService(
      { ...testApp.services, db: testApp.db, now: testApp.clock.now },
      {
        lock: async () => {},
        stockCrossed: async (_trx, { crossed }) => {
          crossings.push(...crossed);
        },
      },
    );
  });

  let orders = 0;
  /** An order to hold for, with nothing in it. */
  const newOrder = async (trx: Trx): Promise<string> => {
    const id = `order-${++orders}`;
    const values = { id, state: 'paying', version: 1, language: 'en', customer_comment: '', currency: 'CAD' };
    const zeros = {
      pay_at_store: 0,
      tip_basis_points: 0,
      total_cents: 0,
      created_at: 0,
      updated_at: 0,
    } as const;
    await trx
      .insertInto('orders')
      .values({ ...values, ...zeros })
      .execute();
    return id;
  };
  const hold = (quantity: number, sku = mug, place = 'warehouse') =>
    testApp.db.transaction(async (trx) => {
      const id = await newOrder(trx);
      const short = await stock.hold(trx, id, [{ sku, quantity }], { location: place, until: null });
      return short.length > 0 ? null : id;
    });
  const release = (id: string) => testApp.db.transaction((trx) => stock.release(trx, id));

  describe('stock levels', () => {
    it('stock is held only where there is enough', async () => {
      await setUnits(testApp, mug, 5);
      expect(await hold(6)).toBeNull();
      expect(await hold(5)).not.toBeNull();
      expect(await hold(1)).toBeNull();
      expect(await unitsOf(testApp.db.read, mug)).toMatchObject({ stock: 0, held: 5 });
      expect(await hold(1, mug, 'no-such-place')).toBeNull();
    });

    it('a failed hold names every SKU that is short, not just the first', async () => {
      await setUnits(testApp, mug, 1);
      await setUnits(testApp, pot, 1);
      const wanted = [
        { sku: pot, quantity: 2 },
        { sku: mug, quantity: 2 },
      ];
      const short = await testApp.db.transaction(async (trx) =>
        stock.hold(trx, await newOrder(trx), wanted, { location: 'warehouse', until: null }),
      );
      expect(short).toEqual([mug, pot]);
    });

    it('a SKU that sells out or comes back everywhere is announced, and no other change', async () => {
      await setUnits(testApp, mug, 2);
      await testApp.services.stock.count([{ sku: mug, place: 'toronto-queen-west', units: 1 }]);
      crossings = [];
      const first = await hold(1);
      const second = await hold(1);
      expect(crossings).toEqual([]);
      const last = await hold(1, mug, 'toronto-queen-west');
      expect(crossings).toEqual([mug]);
      await release(first ?? '');
      expect(crossings).toEqual([mug, mug]);
      await release(second ?? '');
      await release(last ?? '');
      expect(crossings).toEqual([mug, mug]);
    });

    it('a hold that is released twice returns its units once', async () => {
      await setUnits(testApp, mug, 3);
      const id = (await hold(3)) ?? '';
      await Promise.all([release(id), release(id)]);
      expect((await unitsOf(testApp.db.read, mug)).stock).toBe(3);
    });

    it('no unit is made or lost, whatever is held, released and sold at once', async () => {
      const step = fc.record({
        quantity: fc.integer({ min: 1, max: 4 }),
        end: fc.constantFrom('keep', 'release', 'sell'),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          await setUnits(testApp, pot, 10);
          const before = await unitsOf(testApp.db.read, pot);
          const held = await Promise.all(
            steps.map(async ({ quantity, end }) => {
              const id = await hold(quantity, pot);
              if (id && end === 'release') await release(id);
              if (id && end === 'sell') await testApp.db.transaction((trx) => stock.sell(trx, id));
              return id && end !== 'release' ? { quantity, end } : null;
            }),
          );
          const sum = (end: string) =>
            held.reduce((total, each) => total + (each?.end === end ? each.quantity : 0), 0);
          const after = await unitsOf(testApp.db.read, pot);
          expect(after.stock).toBe(10 - sum('keep') - sum('sell'));
          expect(after.held - before.held).toBe(sum('keep'));
          expect(after.stock).toBeGreaterThanOrEqual(0);
        }),
        { numRuns: engine === 'sqlite' ? 40 : 15 },
      );
    });
  });
});
