/**
 * Random events of orders, payments and refunds: whatever happens, and wherever a transaction ends, each event sums to zero, the books
 * hold what came in, and the bills as they stand. LEDGER_EVENTS: how many, over the pure function; the databases take a fraction of it, or
 * as many minutes each as LEDGER_MINUTES says, and print how many events were booked.
 */
import { describe, expect, it } from 'vitest';
import { warehouse } from '#contract/limits.ts';
import { OperationError } from '#server/platform/errors.ts';
import { bookSums, eventsSince } from '#tests/book-sums.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { sellProduct } from '#tests/products.ts';
import { newOrder, nextOf, type Random, randomOf } from '#tests/random-orders.ts';
import { add, address, deliver, homeOf } from '#tests/shop-actions.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import { type Entry, eventsOf, type PaymentFacts, summed } from './entries.ts';

const wanted = Number(process.env.LEDGER_EVENTS ?? 5000);
const minutes = Number(process.env.LEDGER_MINUTES ?? 0);

const total = (entries: readonly Entry[], account: string) =>
  entries.reduce((sum, entry) => (entry.account === account ? sum + entry.amount : sum), 0);

/** One order's life: its events, of which some are lost with their transaction. Returns how many were booked. */
function live(seed: number, steps: number): number {
  const random = randomOf(seed);
  let order = newOrder(random, 'o');
  let booked = new Map<string, Entry[]>();
  let count = 0;
  for (let at = 1; at <= steps; at++) {
    const [before, next] = [booked, nextOf(random, order, at)];
    booked = new Map(before);
    for (const { source, entries, kind } of eventsOf(next, before)) {
      const sum = entries.reduce((all, { amount }) => all + amount, 0);
      if (sum !== 0) throw new Error(`Seed ${seed}, step ${at}: a ${kind} sums to ${sum}`);
      booked.set(source, summed(booked.get(source) ?? [], entries));
      count += 1;
    }
    // The process ends before the commit: neither the order nor the books have changed.
    if (random(10) === 0) booked = before;
    else order = next;
  }
  const again = eventsOf(order, booked);
  if (again.length > 0) throw new Error(`Seed ${seed}: asked again, the books lack a ${again[0]?.kind}`);
  const all = [...booked.values()].flat();
  const isIn = ({ receivedAt, undoneAt }: PaymentFacts) => receivedAt !== null && undoneAt === null;
  const received = order.payments.reduce(
    (sum, each) => (isIn(each) ? sum + each.amount + each.rounding : sum),
    0,
  );
  const back = order.refunds.reduce(
    (sum, { state, amount, rounding }) => (state === 'refused' ? sum : sum + amount + rounding),
    0,
  );
  if (total(all, 'money') !== received - back)
    throw new Error(`Seed ${seed}: money is ${total(all, 'money')}, not ${received - back}`);
  const bill = booked.get('bill') ?? [];
  const owed =
    order.standing === 'placed' ? (order.bill?.total ?? 0) : order.standing === 'cancelled' ? null : 0;
  if (owed !== null && total(bill, 'receivable') !== owed)
    throw new Error(`Seed ${seed}: the bill is ${total(bill, 'receivable')}, not ${owed}`);
  if (order.standing === 'placed' && order.bill && total(bill, 'tax') !== -order.bill.tax)
    throw new Error(`Seed ${seed}: tax is ${total(bill, 'tax')}, not ${-order.bill.tax}`);
  return count;
}

describe('entries of random lives', () => {
  it('every event of random orders sums to zero, and the books are what the orders are', {
    timeout: 3_600_000,
  }, () => {
    let count = 0;
    for (let seed = 1; count < wanted; seed++) count += live(seed, 1 + (seed % 25));
    expect(count).toBeGreaterThanOrEqual(wanted);
  });
});

const sku = 'RANDOM-MUG';

/** Ends a transaction before its commit, as a process does that is killed: nothing of it may be left. */
class Killed extends Error {}

/** Whether nothing else went wrong; what does several things names each of its failures. */
const isKilled = (error: unknown): boolean =>
  error instanceof AggregateError ? error.errors.every(isKilled) : error instanceof Killed;

onBothEngines((engine) => {
  describe('the books of a shop that is killed', () => {
    it('payments and bills are those of the ledger, wherever transactions end', {
      timeout: 3_600_000,
    }, async () => {
      const start = Date.UTC(2027, 2, 1, 15);
      const stripe = new FakeProvider('Stripe');
      const testApp = await createTestApp({ engine, demo: true, now: start, providers: { stripe } });
      const random = randomOf(20_270_301);
      await sellProduct(testApp, sku, { priceCents: 1799 });
      await testApp.services.stock.correct({ sku, place: warehouse, units: 100_000 }, 'received', {
        unitCost: 650,
      });
      const { services, clock, db } = testApp;
      let [killed, happened] = [0, 0];
      let isSafe = false;
      // The last thing before a commit, after all that the shop itself writes then.
      db.beforeCommit(async () => {
        if (!isSafe && random(12) === 0) {
          killed += 1;
          throw new Killed();
        }
      });
      const orders: { id: string; number: string }[] = [];
      const steps = Math.min(400, Math.max(60, Math.ceil(wanted / 100)));
      const began = performance.now();
      const isOver = (step: number) =>
        minutes > 0 ? performance.now() - began > minutes * 60_000 : step >= steps;
      let step = 0;
      for (; !isOver(step); step++) {
        clock.advance(60_000);
        // Old orders rest, as in a shop: the last hundred change.
        const order = orders[Math.max(0, orders.length - 100) + random(Math.min(100, orders.length || 1))];
        if (orders.length < 5 || random(2) === 0 || !order) {
          const placed = await place(testApp, step, () => killed);
          if (placed) orders.push(placed);
          continue;
        }
        // What the shop refuses, such as a refund of more than is left, and what was killed changes nothing.
        await happen(services, order, random).then(
          () => (happened += 1),
          (error: unknown) => {
            if (!(isKilled(error) || error instanceof OperationError)) throw error;
          },
        );
      }
      clock.advance(3 * 3_600_000);
      for (let round = 0; round < 20; round++)
        await services.payments.reconcile().catch((error: unknown) => {
          if (!isKilled(error)) throw error;
        });
      isSafe = true;
      await services.payments.reconcile();
      expect({
        placed: orders.length > step / 5,
        happened: happened > step / 10,
        killed: killed > step / 20,
      }).toEqual({
        placed: true,
        happened: true,
        killed: true,
      });
      const { uneven, money, payments, billed, bills } = await bookSums(db.read, start);
      expect({ uneven, money, billed }).toEqual({ uneven: 0, money: payments, billed: bills });
      // The provider lost nothing to a process that ended after it had been asked.
      expect(stripe.taken).toBe(payments);
      const seconds = (performance.now() - began) / 1000;
      if (minutes > 0) {
        const events = await eventsSince(db.read, start);
        console.log(
          `${engine}: ${events} events, ${killed} transactions killed, ${(events / seconds).toFixed(1)} events a second`,
        );
      }
      expect(await services.ledger.wrong()).toEqual([]);
      expect(await services.stock.differences()).toEqual([]);
    });
  });
});

/** A shopper buys; null if the shop was killed meanwhile. Nothing else keeps them from it. */
async function place(
  testApp: TestApp,
  step: number,
  killed: () => number,
): Promise<{ id: string; number: string } | null> {
  const session = testApp.shopper(homeOf(step + 1));
  const before = killed();
  const isAnswered = ({ status, body }: { status: number; body: unknown }) => {
    if (status !== 200 && killed() === before)
      throw new Error(`Nothing was killed, and the answer is ${JSON.stringify(body)}`);
    return status === 200;
  };
  if (!isAnswered(await add(testApp, session, sku, 1 + (step % 4)))) return null;
  if (!isAnswered(await deliver(testApp, session))) return null;
  const body = { confirmationToken: 'ctoken_1', billingAddress: address };
  const paid = await testApp.ask('payByStripe', { session, body });
  if (!isAnswered(paid) || paid.body.orderID === null) return null;
  const id = paid.body.orderID;
  const { orderNumber } = await testApp.call('order', { session, params: { id } });
  return orderNumber ? { id, number: orderNumber } : null;
}

/** A person does something with an order. */
async function happen(
  services: TestApp['services'],
  { id, number }: { id: string; number: string },
  random: Random,
): Promise<null> {
  switch (random(5)) {
    case 0:
      await services.orderRefunds.refund(number, { amount: 1 + random(900), reason: `late ${random(1e6)}` });
      break;
    case 1:
      await services.orderRefunds.cancelOrder(number, 'changed their mind');
      break;
    case 2:
      await services.orderRefunds.cancelOrder(number, 'made to order', { refund: 100 + random(900) });
      break;
    default: {
      const lines = [{ sku, quantity: 1 + random(3) }];
      const { version } = await services.orderChanges.plan(id, lines, 'en');
      await services.orderChanges.book(id, { lines, version, mayGiveBack: true }, 'en');
    }
  }
  return null;
}
