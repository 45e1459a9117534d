import { beforeAll, describe, expect, it } from 'vitest';
import type { Trx } from '#db/database.ts';
import { repeats } from '#tests/long.ts';
import { sellProduct } from '#tests/products.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';
import { differences } from './movements.repository.ts';
import { correctionReasons } from './stock.repository.ts';

const skus = ['LEDGER-A', 'LEDGER-B', 'LEDGER-C'];
/** Sold beyond stock, and not counted. */
const endless = ['LEDGER-OVER', 'LEDGER-FREE'];
const all = [...skus, ...endless];
const places = ['warehouse', 'toronto-queen-west', 'waterloo-uptown'];

/** The same numbers in every run (mulberry32), so that a failure can be repeated. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

let orders = 0;
/** A placed order with nothing in it. */
async function newOrder(trx: Trx): Promise<string> {
  const id = `ledger-${++orders}`;
  const texts = {
    id,
    order_number: `L-${orders}`,
    state: 'paying',
    language: 'en',
    customer_comment: '',
    currency: 'CAD',
  };
  const zeros = {
    pay_at_store: 0,
    tip_basis_points: 0,
    total_cents: 0,
    created_at: 0,
    updated_at: 0,
  } as const;
  await trx
    .insertInto('orders')
    .values({ ...texts, ...zeros, version: 1 })
    .execute();
  return id;
}

/** One random operation; those that are not possible now change nothing. */
function createOperations({ db, services, container }: TestApp, random: (below: number) => number) {
  const { stock } = container;
  const known: string[] = [];
  const any = <V>(values: readonly V[]): V => values[random(values.length)] as V;
  const order = () => (known.length === 0 ? 'none' : any(known));
  const refused = (error: unknown) => {
    if (!/fewer than that|both locations|rolled back/.test(String(error))) throw error;
  };
  const hold = async () => {
    const wanted = all.filter(() => random(2) === 0).map((sku) => ({ sku, quantity: 1 + random(4) }));
    const place = any(places);
    const id = await db.transaction(async (trx) => {
      const orderId = await newOrder(trx);
      if ((await stock.hold(trx, orderId, wanted, { location: place, until: null })).length > 0)
        throw new Error('rolled back');
      return orderId;
    });
    known.push(id);
  };
  const sell = (id: string) => db.transaction((trx) => stock.sell(trx, id));
  const release = (id: string) => db.transaction((trx) => stock.release(trx, id));
  const restock = (id: string) => db.transaction((trx) => stock.restock(trx, id, { kind: 'terminal' }));
  const possible: readonly (() => Promise<unknown>)[] = [
    hold,
    hold,
    hold,
    () => sell(order()),
    () => sell(order()),
    () => release(order()),
    () => restock(order()),
    () => services.stock.count([{ sku: any(all), place: any(places), units: random(30) }]),
    () => services.stock.transfer(any(all), { from: any(places), to: any(places), units: 1 + random(6) }),
    () =>
      services.stock.correct(
        { sku: any(all), place: any(places), units: random(15) - 7 },
        any(correctionReasons),
        {
          unitCost: random(3) === 0 ? random(900) : undefined,
        },
      ),
  ];
  return () => any(possible)().catch(refused);
}

/** What movements say of costs, and what is kept beside them, by SKU. */
async function costsOf({ db }: TestApp) {
  const movements = await db.read.selectFrom('stock_movements').selectAll().execute();
  const sums = [...Map.groupBy(movements, ({ sku }) => sku)].map(([sku, own]) => {
    const sum = (of: (movement: (typeof own)[number]) => number) =>
      own.reduce((all, each) => all + of(each), 0);
    const isCost = ({ kind, reason }: (typeof own)[number]) =>
      !['transfer', 'cost'].includes(kind) && reason !== 'received';
    return {
      sku,
      pool: [
        sum(({ quantity }) => quantity),
        sum(({ costed }) => costed),
        sum(({ cost_cents }) => cost_cents),
      ],
      goods: sum((each) => each.late_cents - (isCost(each) ? each.cost_cents : 0)),
    };
  });
  const kept = await db.read.selectFrom('stock_costs').selectAll().execute();
  const books = await db.read
    .selectFrom('ledger_entries')
    .select(({ fn }) => ['sku', 'account', fn.sum<number>('amount_cents').as('amount')])
    .where('kind', '=', 'cost')
    .groupBy(['sku', 'account'])
    .execute();
  return {
    sums,
    kept,
    booked: new Map(books.map(({ sku, account, amount }) => [`${sku} ${account}`, Number(amount)])),
  };
}

async function soldOf({ db }: TestApp): Promise<number> {
  const rows = await db.read
    .selectFrom('stock_movements')
    .select('quantity')
    .where('kind', '=', 'sale')
    .execute();
  return -rows.reduce((sum, { quantity }) => sum + quantity, 0);
}

forEachEngine((engine) => {
  describe('the movements of stock', () => {
    let testApp: TestApp;
    beforeAll(async () => {
      testApp = await createTestApp({ engine, demo: true });
      for (const sku of skus)
        await sellProduct(testApp, sku, {
          skus: [{ sku, options: {}, stock: {}, ...(sku === 'LEDGER-A' ? {} : { costCents: 350 }) }],
        });
      const [over = '', free = ''] = endless;
      await sellProduct(testApp, over, { skus: [{ sku: over, options: {}, oversell: true, stock: {} }] });
      await sellProduct(testApp, free, { skus: [{ sku: free, options: {}, counted: false, stock: {} }] });
    });

    // 5,000 of them take PostgreSQL four times as long.
    const operations = engine === 'sqlite' ? repeats(1500, 5000) : 1000;

    it(`the sum of the movements is what is there after ${operations} random operations, and at any time between`, {
      timeout: 300_000,
    }, async () => {
      /** No SKU is promised twice but those that are sold beyond stock. */
      const belowZero = new Set<string>();
      const look = async () => {
        const below = await testApp.db.read
          .selectFrom('stock')
          .select('sku')
          .where('quantity', '<', 0)
          .execute();
        for (const { sku } of below) belowZero.add(sku);
      };
      const operate = createOperations(testApp, createRandom(7));
      const atOnce = 10;
      for (let done = 0; done < operations; done += atOnce) {
        await Promise.all(Array.from({ length: atOnce }, operate));
        testApp.clock.advance(1000);
        await look();
        if (done % 500 === 0)
          expect(await testApp.container.stock.differences(), `after ${done}`).toEqual([]);
      }
      expect(await testApp.container.stock.differences()).toEqual([]);
      expect([...belowZero]).toEqual(['LEDGER-OVER']);
      const { sums, kept, booked } = await costsOf(testApp);
      for (const { sku, pool, goods } of sums) {
        const own = kept.find((each) => each.sku === sku);
        expect([sku, own?.units, own?.costed, own?.cost_cents]).toEqual([sku, ...pool]);
        expect([sku, booked.get(`${sku} goods`) ?? 0, booked.get(`${sku} inventory`) ?? 0]).toEqual([
          sku,
          goods,
          0 - goods,
        ]);
      }
      for (const sku of skus.slice(1)) expect(sums.find((each) => each.sku === sku)?.goods).not.toBe(0);
      // Enough happened for the sums to mean something.
      expect(await soldOf(testApp)).toBeGreaterThan(operations / 10);
      for (const sku of skus) {
        const movements = await testApp.container.stock.history({ sku, most: 100_000 });
        const kinds = new Set(movements.map(({ kind }) => kind));
        expect([...kinds].sort()).toEqual(['correction', 'count', 'refund', 'sale', 'transfer']);
      }
    });

    it('an order takes no units of a SKU that is not counted, and holds until its deadline', async () => {
      const { db, container } = testApp;
      const { stock } = container;
      const before = await stock.history({ sku: 'LEDGER-FREE', most: 100_000 });
      const id = await db.transaction(async (trx) => {
        const order = await newOrder(trx);
        await stock.hold(trx, order, [{ sku: 'LEDGER-FREE', quantity: 90 }], {
          location: 'warehouse',
          until: 5,
        });
        return order;
      });
      expect(await stock.heldUntil(db.read, id)).toBe(5);
      await db.transaction((trx) => stock.sell(trx, id));
      expect(await db.transaction((trx) => stock.restock(trx, id))).toBe(0);
      expect(await stock.history({ sku: 'LEDGER-FREE', most: 100_000 })).toEqual(before);
      expect(before.filter(({ kind }) => kind === 'sale')).toEqual([]);
    });

    it('the database refuses units below zero, unless a SKU is sold beyond stock', async () => {
      const take = (sku: string) =>
        testApp.db.transaction(async (trx) => {
          await trx.updateTable('stock').set({ quantity: -5 }).where('sku', '=', sku).execute();
          throw new Error('taken');
        });
      await expect(take('LEDGER-A')).rejects.toThrow('below zero');
      await expect(take('LEDGER-OVER')).rejects.toThrow('taken');
    });

    it('a level that changes without a movement is a difference', async () => {
      const rolledBack = testApp.db.transaction(async (trx) => {
        await trx
          .updateTable('stock')
          .set((eb) => ({ quantity: eb('quantity', '+', 2) }))
          .where('sku', '=', 'LEDGER-A')
          .where('location_id', '=', 'warehouse')
          .execute();
        expect(await differences(trx)).toEqual([{ sku: 'LEDGER-A', location_id: 'warehouse', quantity: 2 }]);
        throw new Error('rolled back');
      });
      await expect(rolledBack).rejects.toThrow('rolled back');
    });

    it('units that come back are returned once, to where they were sold, with the order and the person', async () => {
      const { db, container, services } = testApp;
      await services.stock.count(places.map((place) => ({ sku: 'LEDGER-B', place, units: 10 })));
      testApp.clock.advance(1000);
      const id = await db.transaction(async (trx) => {
        const order = await newOrder(trx);
        await container.stock.hold(trx, order, [{ sku: 'LEDGER-B', quantity: 3 }], {
          location: 'waterloo-uptown',
          until: null,
        });
        await container.stock.sell(trx, order);
        return order;
      });
      testApp.clock.advance(1000);
      const restock = () => db.transaction((trx) => container.stock.restock(trx, id, { kind: 'terminal' }));
      expect([await restock(), await restock()]).toEqual([3, 0]);
      const number = `L-${orders}`;
      const common = { sku: 'LEDGER-B', location: 'waterloo-uptown', orderNumber: number, reason: null };
      expect(await container.stock.history({ sku: 'LEDGER-B', most: 2 })).toMatchObject([
        { ...common, quantity: 3, kind: 'refund', actor: { kind: 'terminal' } },
        { ...common, quantity: -3, kind: 'sale', actor: null },
      ]);
      const levels = await container.stock.levels(db.read, ['LEDGER-B']);
      expect(levels.get('LEDGER-B')?.get('waterloo-uptown')).toBe(10);
    });

    it('a history is read in pages without a gap', async () => {
      const { stock } = testApp.container;
      const whole = await stock.history({ sku: 'LEDGER-A', most: 1000 });
      const first = await stock.history({ sku: 'LEDGER-A', most: 7 });
      const next = await stock.history({ sku: 'LEDGER-A', most: 7, after: first.at(-1)?.id });
      expect([...first, ...next]).toEqual(whole.slice(0, 14));
    });

    it('the units of a removed product leave with it, also those that an order holds', async () => {
      const { db, container, services } = testApp;
      const sku = 'LEDGER-GONE';
      await sellProduct(testApp, sku);
      await services.stock.count([{ sku, place: 'warehouse', units: 5 }]);
      const id = await db.transaction(async (trx) => {
        const order = await newOrder(trx);
        await container.stock.hold(trx, order, [{ sku, quantity: 2 }], {
          location: 'warehouse',
          until: null,
        });
        return order;
      });
      await services.removal.remove({ kind: 'product', id: sku.toLowerCase(), to: null, confirmed: true });
      expect(await container.stock.differences()).toEqual([]);
      await db.transaction((trx) => container.stock.release(trx, id));
      expect(await container.stock.differences()).toEqual([]);
      const history = await container.stock.history({ sku, most: 100 });
      expect(history.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(0);
      const removed = history.flatMap(({ kind, quantity, location }) =>
        kind === 'removal' && location === 'warehouse' ? [quantity] : [],
      );
      expect(removed.sort()).toEqual([-2, -3]);
    });

    it('the database refuses to change or delete a movement', async () => {
      const deleted = testApp.db.transaction((trx) => trx.deleteFrom('stock_movements').execute());
      await expect(deleted).rejects.toThrow('append-only');
    });
  });
});
