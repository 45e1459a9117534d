/**
 * Random events in the database of each engine, of many orders in each transaction, of which some end before their commit: each event
 * sums to zero, and the books hold what came in and the bills as they stand. LEDGER_EVENTS: how many on each engine.
 */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { touchBooks } from '#db/before-commit.ts';
import { insertMany } from '#db/bulk-writes.ts';
import type { Database, Trx } from '#db/database.ts';
import { counter } from '#server/modules/payments/payment/payment.ts';
import { bookSums, eventsSince } from '#tests/book-sums.ts';
import { newOrder, nextOf, randomOf } from '#tests/random-orders.ts';
import { createTestApp, onBothEngines } from '#tests/test-app.ts';
import type { OrderFacts, PaymentFacts, RefundFacts } from './entries.ts';

const wanted = Number(process.env.LEDGER_EVENTS ?? 5000);
/** Then it says how far it is, by when, and with how much memory. */
const isLong = wanted > 50_000;
const ordersAtOnce = 200;
/** Something may happen to an order so often; then another takes its place. */
const steps = 25;
const countedEvery = 100;

/** The last thing before a commit, after all that the shop itself writes then. */
class Killed extends Error {}

const headOf = ({ standing, bill, placedAt }: OrderFacts) => ({
  state: standing === 'none' ? 'cart' : standing,
  placed_at: placedAt,
  bill: JSON.stringify(bill),
  total_cents: bill?.total ?? 0,
});

/** Orders that nobody has placed, as carts. */
async function putCarts(db: Database, trx: Trx, orders: readonly OrderFacts[], at: number): Promise<void> {
  const columns = [
    'id',
    'state',
    'version',
    'language',
    'customer_comment',
    'pay_at_store',
    'tip_basis_points',
    'total_cents',
  ];
  await insertMany(db, trx, {
    into: 'orders',
    columns: [...columns, 'currency', 'created_at', 'updated_at'],
    rows: orders.map(({ id, currency }) => [id, 'cart', 1, 'en', '', 0, 0, 0, currency, at, at]),
  });
  await insertMany(db, trx, {
    into: 'order_lines',
    columns: [
      'id',
      'order_id',
      'identity',
      'sku',
      'product_id',
      'quantity',
      'position',
      'unit_price_cents',
      'tax_class',
    ],
    rows: orders.flatMap((order) =>
      order.lines.map(({ id, sku, product, quantity, unitPrice, taxClass }, position) => [
        id,
        order.id,
        id,
        sku,
        product,
        quantity,
        position,
        unitPrice,
        taxClass,
      ]),
    ),
  });
}

/** What has become of orders, as the shop's own repositories would leave it. */
async function write(
  db: Database,
  trx: Trx,
  changes: readonly { was: OrderFacts; is: OrderFacts }[],
  at: number,
): Promise<void> {
  for (const { was, is } of changes) {
    if (was.standing === is.standing && was.bill === is.bill) continue;
    await trx
      .updateTable('orders')
      .set({ ...headOf(is), updated_at: at })
      .where('id', '=', is.id)
      .execute();
    if (is.endedAt === null) continue;
    const ended = {
      version: 2,
      from_state: 'placed',
      to_state: is.standing,
      at: is.endedAt,
      reason: 'random',
    };
    await trx
      .insertInto('order_events')
      .values({ order_id: is.id, ...ended })
      .execute();
  }
  const payments = changes.flatMap(({ was, is }) =>
    newOf(was.payments, is.payments).map((each) => ({ order: is.id, ...each })),
  );
  await insertMany(db, trx, {
    into: 'payments',
    columns: [
      'id',
      'order_id',
      'provider',
      'provider_reference',
      'kind',
      'amount_cents',
      'tip_cents',
      'rounding_cents',
      'currency',
      'state',
      'received_at',
      'created_at',
      'updated_at',
    ],
    rows: payments.map(({ id, order, way, amount, tip, rounding, receivedAt }) => [
      id,
      order,
      way === 'Stripe' ? way : counter,
      id,
      way === 'Stripe' ? null : way,
      amount,
      tip,
      rounding,
      'CAD',
      'succeeded',
      receivedAt,
      at,
      at,
    ]),
  });
  for (const { was, is } of changes)
    for (const { id, undoneAt } of changedOf(was.payments, is.payments))
      await trx.updateTable('payments').set({ undone_at: undoneAt }).where('id', '=', id).execute();
  const refunds = changes.flatMap(({ was, is }) =>
    newOf(was.refunds, is.refunds).map((each) => ({
      order: is.id,
      payment: is.payments.at(-1)?.id ?? '',
      ...each,
    })),
  );
  await insertMany(db, trx, {
    into: 'refunds',
    columns: [
      'id',
      'payment_id',
      'order_id',
      'amount_cents',
      'tip_cents',
      'currency',
      'corrects',
      'reason',
      'state',
      'created_at',
      'updated_at',
    ],
    rows: refunds.map(
      ({ id, payment, order, amount, tip, corrects, reason, state, createdAt, updatedAt }) => [
        id,
        payment,
        order,
        amount,
        tip,
        'CAD',
        corrects ? 1 : 0,
        reason,
        state,
        createdAt,
        updatedAt,
      ],
    ),
  });
  await insertMany(db, trx, {
    into: 'disputes',
    columns: [
      'id',
      'payment_id',
      'order_id',
      'provider_dispute_id',
      'amount_cents',
      'currency',
      'reason',
      'state',
      'opened_at',
      'updated_at',
    ],
    rows: refunds
      .filter(({ isLostDispute }) => isLostDispute)
      .map(({ id, payment, order, amount }) => [
        id,
        payment,
        order,
        id,
        amount,
        'CAD',
        'random',
        'lost',
        at,
        at,
      ]),
  });
  for (const { was, is } of changes)
    for (const { id, state, updatedAt } of changedOf(was.refunds, is.refunds))
      await trx.updateTable('refunds').set({ state, updated_at: updatedAt }).where('id', '=', id).execute();
  touchBooks(trx, ...changes.map(({ is }) => is.id));
}

type Money = PaymentFacts | RefundFacts;

function newOf<T extends Money>(was: readonly T[], is: readonly T[]): T[] {
  const known = new Set(was.map(({ id }) => id));
  return is.filter(({ id }) => !known.has(id));
}

function changedOf<T extends Money>(was: readonly T[], is: readonly T[]): T[] {
  const known = new Map(was.map((each) => [each.id, each]));
  return is.filter((each) => known.has(each.id) && known.get(each.id) !== each);
}

onBothEngines((engine) => {
  describe('the books of very many orders', () => {
    it('payments and bills are those of the ledger after as many events as were asked for', {
      timeout: 7_200_000,
    }, async () => {
      const start = Date.UTC(2027, 2, 1, 15);
      const testApp = await createTestApp({ engine, demo: true, now: start });
      const { db, clock, services } = testApp;
      const random = randomOf(20_270_301);
      const began = performance.now();
      let killed = 0;
      let isKilled = false;
      db.beforeCommit(async () => {
        if (isKilled) throw new Killed();
      });
      let at = start;
      let made = 0;
      let lives: { order: OrderFacts; left: number }[] = [];
      let events = 0;
      for (let turn = 0; events < wanted; turn++) {
        at += 1000;
        clock.set(at);
        const fresh = Array.from({ length: ordersAtOnce - lives.length }, () =>
          newOrder(random, `order-${made++}`),
        );
        await db.transaction((trx) => putCarts(db, trx, fresh, at));
        lives = [...lives, ...fresh.map((order) => ({ order, left: 1 + random(steps) }))];
        const changes = lives.map(({ order }) => ({ was: order, is: nextOf(random, order, at) }));
        isKilled = random(12) === 0;
        try {
          await db.transaction((trx) => write(db, trx, changes, at));
          lives = changes.map(({ is }, index) => ({ order: is, left: (lives[index]?.left ?? 0) - 1 }));
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
          killed += 1;
        }
        isKilled = false;
        lives = lives.filter(({ left }) => left > 0);
        if (turn % countedEvery !== 0) continue;
        events = await eventsSince(db.read, start);
        const { rss } = process.memoryUsage();
        if (isLong)
          console.log(
            `${engine} ${events} ${((performance.now() - began) / 1000).toFixed(0)} s ${Math.round(rss / 2 ** 20)} MiB`,
          );
        // As a real server does by itself: it chooses indexes by what it knows of the tables.
        if (engine === 'postgres') await sql`analyze`.execute(db.read);
      }
      const seconds = (performance.now() - began) / 1000;
      expect(killed).toBeGreaterThan(0);
      const { uneven, money, payments, billed, bills } = await bookSums(db.read, start);
      expect({ uneven, money, billed }).toEqual({ uneven: 0, money: payments, billed: bills });
      expect(await services.ledger.wrong()).toEqual([]);
      console.log(
        `${engine}: ${events} events of ${made} orders, ${killed} transactions killed, ${(events / seconds).toFixed(0)} a second`,
      );
    });
  });
});
