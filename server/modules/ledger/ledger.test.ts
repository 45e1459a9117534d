/** The books of a shop: written with what happens, never changed, closed for good, and made again from what a shop knew before. */
import { StatementSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { warehouse } from '#contract/limits.ts';
import { bookCosts, touchBooks } from '#db/before-commit.ts';
import type { Reader } from '#db/database.ts';
import { plainEntry } from '#server/modules/ledger/entries.ts';
import { isAnyUnbooked } from '#server/modules/ledger/index.ts';
import { newAttempt } from '#server/modules/payments/payment/payment.ts';
import { insertPayment } from '#server/modules/payments/payment/payments.repository.ts';
import { sampleBill } from '#tests/sample-bill.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';

const at = Date.UTC(2026, 10, 5, 16);
const paidOrder = 'MC-2026-000900';

/** The demo shop with an order that was paid by cash. */
async function demoShop(engine: 'sqlite' | 'postgres'): Promise<TestApp> {
  const testApp = await createTestApp({ engine, demo: true, now: at });
  const { fulfilment, orders } = testApp.services;
  const contact = { firstName: 'Ada', lastName: 'L', phoneNumber: '', email: '' };
  await orders.import([
    {
      id: 'paid',
      number: paidOrder,
      customerId: null,
      language: 'en',
      method: 'pickup',
      storeId: 'waterloo-uptown',
      tableNumber: null,
      pickupAt: null,
      shippingAddress: null,
      billingAddress: null,
      shippingMethod: null,
      paidBy: null,
      contact,
      comment: '',
      lines: [],
      tipBasisPoints: 0,
      placedAt: at - 1000,
      states: [{ state: 'reserved', at: at - 1000 }],
      bill: { ...sampleBill, taxLines: [{ label: 'HST 13%', amount: 884 }], tax: 884, total: 7684 },
    },
  ]);
  await fulfilment.take(paidOrder, 'cash');
  return testApp;
}

const entriesOf = (reader: Reader, orderId?: string) =>
  reader
    .selectFrom('ledger_entries')
    .selectAll()
    .$if(orderId !== undefined, (query) => query.where('order_id', '=', orderId ?? ''))
    .execute();

/** Sums by order and account, without when and how they came about. */
async function standing(reader: Reader) {
  const { rows } = await sql`select order_id, account, part, sku, tax, rate, way, sum(amount_cents) as amount
    from ledger_entries group by order_id, account, part, sku, tax, rate, way having sum(amount_cents) <> 0
    order by order_id, account, part, sku, tax, rate, way`.execute(reader);
  return rows;
}

onBothEngines((engine) => {
  describe('the books of a shop', () => {
    it('each event sums to zero, carries who made it, and stands in the transaction of what happened', async () => {
      const testApp = await demoShop(engine);
      const { orderRefunds, ledger } = testApp.services;
      const before = (await entriesOf(testApp.db.read)).length;
      await orderRefunds.refund(paidOrder, { amount: 500, reason: 'late' });
      const fresh = (await entriesOf(testApp.db.read)).slice(before).length;
      expect(fresh).toBeGreaterThan(0);
      const refund = (await entriesOf(testApp.db.read)).filter(({ kind }) => kind === 'refund');
      expect(new Set(refund.map(({ actor }) => actor))).toEqual(new Set(['terminal']));
      expect(new Set(refund.map(({ booked_at }) => booked_at))).toEqual(new Set([at]));
      const { rows } =
        await sql`select event_id from ledger_entries group by event_id having sum(amount_cents) <> 0`.execute(
          testApp.db.read,
        );
      expect(rows).toEqual([]);
      expect(await ledger.wrong()).toEqual([]);
    });

    it.runIf(engine === 'sqlite')(
      'a sale takes six statements of the books, which write it with what its units cost',
      async () => {
        const { db } = await demoShop(engine);
        const entry = {
          at,
          place: warehouse,
          actor: null,
          sku: 'MUG',
          part: 'sold' as const,
          units: 1,
          cents: 650,
        };
        const isPlaced = { state: 'reserved', placed_at: at } as const;
        const bill = JSON.stringify({ ...sampleBill, shippingMethod: null });
        const cart = {
          state: 'cart' as const,
          version: 1,
          language: 'en',
          customer_comment: '',
          pay_at_store: 0 as const,
          tip_basis_points: 0,
          total_cents: 6800,
        };
        await db.transaction((trx) =>
          trx
            .insertInto('orders')
            .values({ ...cart, id: 'sold', currency: 'CAD', created_at: at, updated_at: at })
            .execute(),
        );
        const statements: string[] = [];
        const spies = (['all', 'run'] as const).map((name) => {
          const own = StatementSync.prototype[name] as (...values: unknown[]) => never;
          return vi.spyOn(StatementSync.prototype, name).mockImplementation(function (
            this: StatementSync,
            ...values: unknown[]
          ) {
            statements.push(this.sourceSQL.trim());
            return own.apply(this, values);
          });
        });
        let before = 0;
        try {
          await db.transaction(async (trx) => {
            await trx
              .updateTable('orders')
              .set({ ...isPlaced, bill })
              .where('id', '=', 'sold')
              .execute();
            touchBooks(trx, 'sold');
            bookCosts(trx, [{ ...entry, order: 'sold' }]);
            before = statements.length;
          });
        } finally {
          for (const spy of spies) spy.mockRestore();
        }
        const own = statements.slice(before);
        expect([own.length, own.filter((text) => text.startsWith('insert'))]).toEqual([
          6,
          [expect.stringContaining('ledger_entries')],
        ]);
        const kinds = (await entriesOf(db.read, 'sold')).map(
          ({ kind, currency }) => `${kind} in ${currency}`,
        );
        expect([...new Set(kinds)].sort()).toEqual(['cost in CAD', 'sale in CAD']);
      },
    );

    it('events that are written together at one moment are read in their order, such as a sale before its payment', async () => {
      const { db, services } = await demoShop(engine);
      const notes = Array.from({ length: 12 }, (_, index) => `event ${index}`);
      const entries = [plainEntry('money', 100, 'cash'), plainEntry('bank', -100)];
      const event = {
        kind: 'cashIn',
        order: null,
        store: null,
        currency: 'CAD',
        actor: null,
        at,
        entries,
      } as const;
      await db.transaction((trx) =>
        services.ledger.record(
          trx,
          notes.map((note) => ({ ...event, source: note, note })),
        ),
      );
      const read = db.read
        .selectFrom('ledger_entries')
        .select('note')
        .where('note', 'like', 'event %')
        .where('no', '=', 0);
      const rows = await read.orderBy('booked_at').orderBy('event_id').execute();
      expect(rows.map(({ note }) => note)).toEqual(notes);
    });

    it('a transaction that fails leaves nothing in the books', async () => {
      const testApp = await demoShop(engine);
      const order = await testApp.services.fulfilment.find(paidOrder);
      const before = await entriesOf(testApp.db.read);
      await expect(
        testApp.db.transaction(async (trx) => {
          const money = {
            amount: 100,
            tip: 0,
            currency: 'CAD',
            locale: 'en' as const,
            contact: null,
            shipTo: null,
          };
          const attempt = newAttempt(
            { orderId: order.id, orderNumber: order.number, ...money },
            'counter',
            at,
          );
          await insertPayment(trx, { ...attempt, kind: 'cash', state: 'succeeded' });
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(await entriesOf(testApp.db.read)).toEqual(before);
    });

    it('an order that is being paid, or whose payment never came, has nothing to book', async () => {
      const testApp = await demoShop(engine);
      await testApp.db.transaction((trx) =>
        trx
          .insertInto('orders')
          .values(
            (['paying', 'lapsed'] as const).map((state) => ({
              id: state,
              state,
              version: 2,
              language: 'en',
              customer_comment: '',
              pay_at_store: 0,
              tip_basis_points: 0,
              currency: 'CAD',
              bill: JSON.stringify({ ...sampleBill, shippingMethod: null }),
              total_cents: 6800,
              session_hash: state,
              created_at: at,
              updated_at: at,
            })),
          )
          .execute(),
      );
      expect(await isAnyUnbooked(testApp.db.read)).toBe(false);
      expect(await testApp.services.ledger.rebuild()).toBe(0);
    });

    it('entries are neither changed nor deleted', async () => {
      const testApp = await demoShop(engine);
      for (const statement of [
        sql`update ledger_entries set amount_cents = 0`,
        sql`delete from ledger_entries`,
      ])
        await expect(testApp.db.transaction((trx) => statement.execute(trx))).rejects.toThrow('append-only');
    });

    it('an event of a closed period counts in the open one, and nothing is added to the closed one', async () => {
      const testApp = await demoShop(engine);
      const end = at + 1000;
      await testApp.db.transaction((trx) =>
        trx
          .insertInto('ledger_periods')
          .values({
            id: 'p',
            from_at: 0,
            to_at: end,
            from_day: '2026-10-01',
            to_day: '2026-11-05',
            figures: '{}',
            closed_at: at,
            closed_by: 'terminal',
            reopened_at: null,
            reopened_by: null,
          })
          .execute(),
      );
      await testApp.services.orderRefunds.refund(paidOrder, { amount: 500, reason: 'late' });
      const [refund] = (await entriesOf(testApp.db.read)).filter(({ kind }) => kind === 'refund');
      expect([refund?.at, refund?.booked_at]).toEqual([at, end]);
      const copied = sql`insert into ledger_entries select event_id || 'x', no, kind, source, at, booked_at - 2000 from ledger_entries`;
      await expect(testApp.db.transaction((trx) => copied.execute(trx))).rejects.toThrow();
      const { event_id, ...entry } = refund ?? (await entriesOf(testApp.db.read))[0] ?? expect.fail();
      await expect(
        testApp.db.transaction((trx) =>
          trx
            .insertInto('ledger_entries')
            .values({ ...entry, event_id: `${event_id} again`, booked_at: end - 1 })
            .execute(),
        ),
      ).rejects.toThrow('closed period');
    });

    it('an order from before the books that changes before its turn has its past marked, and not what happens now', async () => {
      const testApp = await demoShop(engine);
      await testApp.db.transaction(async (trx) => {
        const triggers =
          engine === 'sqlite'
            ? ['drop trigger ledger_no_delete']
            : ['alter table ledger_entries disable trigger all'];
        for (const statement of triggers) await sql.raw(statement).execute(trx);
        await sql`delete from ledger_entries`.execute(trx);
      });
      testApp.clock.advance(3_600_000);
      await testApp.services.orderRefunds.refund(paidOrder, { amount: 500, reason: 'late' });
      const marks = async () =>
        new Map(
          (await entriesOf(testApp.db.read, 'paid')).map(({ kind, rebuilt }) => [kind, rebuilt] as const),
        );
      expect(Object.fromEntries(await marks())).toEqual({ sale: 1, payment: 1, refund: 0 });
      // Once the past is booked, what is late, such as an order that is brought along, is as new as any.
      await testApp.services.ledger.rebuild();
      await testApp.db.transaction((trx) => sql`delete from ledger_entries`.execute(trx));
      await testApp.services.orderRefunds.refund(paidOrder, { amount: 100, reason: 'later' });
      expect([...(await marks()).values()].includes(1)).toBe(false);
    });

    it('the books of a shop from before are made again from its orders, payments and refunds, and are marked', async () => {
      const testApp = await demoShop(engine);
      await testApp.services.orderRefunds.refund(paidOrder, { amount: 500, reason: 'late' });
      const before = await standing(testApp.db.read);
      await testApp.db.transaction(async (trx) => {
        const triggers =
          engine === 'sqlite'
            ? ['drop trigger ledger_no_delete']
            : ['alter table ledger_entries disable trigger all'];
        for (const statement of triggers) await sql.raw(statement).execute(trx);
        await sql`delete from ledger_entries`.execute(trx);
      });
      const { ledger } = testApp.services;
      expect((await ledger.wrong()).length).toBe(4);
      expect(await isAnyUnbooked(testApp.db.read)).toBe(true);
      expect(await ledger.rebuild()).toBe(4);
      expect(await ledger.rebuild()).toBe(0);
      expect(await standing(testApp.db.read)).toEqual(before);
      expect((await entriesOf(testApp.db.read)).every(({ rebuilt }) => rebuilt === 1)).toBe(true);
      expect(await ledger.wrong()).toEqual([]);
      // The past is booked; what an older version sold last, while it was being updated, is found all the same.
      expect(await isAnyUnbooked(testApp.db.read)).toBe(false);
      await testApp.db.transaction((trx) =>
        sql`delete from ledger_entries where order_id =
          (select id from orders where placed_at is not null order by placed_at desc limit 1)`.execute(trx),
      );
      expect(await isAnyUnbooked(testApp.db.read)).toBe(true);
      expect(await ledger.rebuild()).toBe(1);
    });
  });
});
