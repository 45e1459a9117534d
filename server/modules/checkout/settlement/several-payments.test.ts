/**
 * Orders with several payments: whatever happens in whatever order, what was paid is never more than the bill. A failure prints the seed;
 * `SEVERAL_PAYMENTS_SEED=…` repeats it, `SEVERAL_PAYMENTS_RUNS=10000` makes more of them.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EngineName } from '#db/database.ts';
import { partOf } from '#server/modules/orders/order/order-money.ts';
import { balanceOf } from '#server/modules/payments/payment/balance.repository.ts';
import { newAttempt } from '#server/modules/payments/payment/payment.ts';
import { insertPayment, transitionPayment } from '#server/modules/payments/payment/payments.repository.ts';
import { attemptEnded } from '#server/modules/payments/providers/provider.ts';
import { OperationError } from '#server/platform/errors.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { repeats } from '#tests/long.ts';
import { rebill } from '#tests/rebill.ts';
import { sampleBill } from '#tests/sample-bill.ts';
import { createTestApp, forEachEngine, type TestApp, testNow } from '#tests/test-app.ts';

const seed = Number(process.env.SEVERAL_PAYMENTS_SEED ?? randomInt(2 ** 31));
const sqliteRuns = Number(process.env.SEVERAL_PAYMENTS_RUNS ?? repeats(200, 1000));
/** Fewer on PostgreSQL, where events of a group really are under way at once. */
const runs: Record<EngineName, number> = { sqlite: sqliteRuns, postgres: Math.ceil(sqliteRuns / 10) };

const cents = fc.integer({ min: 1, max: 6000 });
const which = fc.nat({ max: 3 });
/** What can happen to a placed order's money. `which` names an attempt, modulo how many there are. */
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('begin' as const), most: cents }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('succeed' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('fail' as const, 'lapse' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('refund' as const), amount: cents, corrects: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('rebill' as const), total: fc.integer({ min: 0, max: 6000 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('take' as const), amount: cents }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;
/** Events of one group are under way at once. */
const schedule = fc.array(fc.array(event, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 5 });

/** A payment that fails, one that is refunded in part, and one that comes too late before the bill is lowered: however few the runs. */
const everyEnding: Event[][][] = [
  [[{ do: 'begin', most: 2000 }], [{ do: 'fail', which: 0 }]],
  [
    [{ do: 'begin', most: 2000 }],
    [{ do: 'succeed', which: 0 }],
    [{ do: 'refund', amount: 100, corrects: false }],
  ],
  [
    [{ do: 'begin', most: 2000 }],
    [{ do: 'take', amount: 2000 }],
    [{ do: 'succeed', which: 0 }],
    [{ do: 'rebill', total: 500 }],
  ],
];

const tip = 300;
const billOf = (total: number) => ({ ...sampleBill, total, tip: Math.min(tip, total), shippingMethod: null });

/** Adds an order that waits to be paid at the store. */
async function order(testApp: TestApp, name: string, total: number): Promise<string> {
  const empty = {
    contact: { firstName: 'Ada', lastName: 'Lovelace', phoneNumber: '', email: '' },
    comment: '',
    lines: [],
  };
  await testApp.services.orders.import([
    {
      id: name,
      number: `SP-2026-${name}`,
      customerId: null,
      language: 'en',
      method: 'pickup',
      storeId: 'toronto-queen-west',
      tableNumber: null,
      pickupAt: null,
      shippingAddress: null,
      billingAddress: null,
      shippingMethod: null,
      paidBy: null,
      tipBasisPoints: 0,
      bill: billOf(total),
      placedAt: testNow,
      states: [{ state: 'reserved', at: testNow }],
      ...empty,
    },
  ]);
  return `SP-2026-${name}`;
}

/** Plays events on an order. An operation that is refused with a sentence has changed nothing. */
function createPlay(testApp: TestApp, stripe: FakeProvider, id: string, number: string) {
  const { attempts } = testApp.services.payments;
  const { fulfilment, orderRefunds, orders } = testApp.services;
  const begun: string[] = [];

  async function begin(most: number): Promise<void> {
    await testApp.db.transaction(async (trx) => {
      const head = await orders.findById(trx, id);
      const before = await balanceOf(trx, id);
      if (!head || before.due === 0) return;
      const payment = newAttempt(
        partOf(head, Math.min(most, before.due), before),
        'Stripe',
        testApp.clock.now(),
      );
      await insertPayment(trx, payment);
      begun.push(payment.reference);
    });
  }

  async function play(what: Event): Promise<void> {
    switch (what.do) {
      case 'begin':
        return begin(what.most);
      case 'refund':
        return void (await orderRefunds.refund(number, {
          amount: what.amount,
          corrects: what.corrects,
          reason: '',
        }));
      case 'rebill':
        return void (await rebill(testApp.services, number, billOf(what.total), testApp.clock.now()));
      case 'take':
        return void (await fulfilment.take(number, 'cash', what.amount));
      case 'cancel':
        return void (await orderRefunds.cancelOrder(number, ''));
      default: {
        const reference = begun[what.which % Math.max(1, begun.length)];
        const payment = reference === undefined ? null : await attempts.find('Stripe', reference);
        if (!payment) return;
        if (what.do === 'lapse')
          return void (await testApp.db.transaction((trx) =>
            transitionPayment(trx, payment.id, ['pending'], 'lapsed', testNow),
          ));
        if (what.do === 'fail')
          return void (await attempts.settle(payment, { state: 'failed', failure: attemptEnded }));
        if (!stripe.charges.has(payment.reference))
          stripe.charges.set(payment.reference, { amount: payment.amount, state: 'taken', refunded: 0 });
        await attempts.settle(payment, { state: 'succeeded' });
      }
    }
  }

  return (what: Event): Promise<void> =>
    play(what).catch((error: unknown) => {
      if (!(error instanceof OperationError)) throw error;
    });
}

/** What is wrong with an order's money, from its rows and the provider's books. */
async function complaints(testApp: TestApp, stripe: FakeProvider, id: string): Promise<string[]> {
  const { read } = testApp.db;
  const [head] = await read.selectFrom('orders').selectAll().where('id', '=', id).execute();
  const payments = await read.selectFrom('payments').selectAll().where('order_id', '=', id).execute();
  const refunds = await read.selectFrom('refunds').selectAll().where('order_id', '=', id).execute();
  const sum = (rows: readonly { amount_cents: number }[]) =>
    rows.reduce((total, row) => total + row.amount_cents, 0);
  const of = (payment: { id: string }) => refunds.filter(({ payment_id }) => payment_id === payment.id);
  const received = payments.filter(({ state }) => state === 'succeeded');
  const bill = head?.state === 'cancelled' ? 0 : (head?.total_cents ?? Number.NaN);
  const back = received.flatMap(of);
  const [paid, conceded] = [sum(received) - sum(back), sum(back.filter(({ corrects }) => corrects === 0))];
  const found: string[] = [];
  const check = (holds: boolean, complaint: string) => void (holds || found.push(complaint));
  check(paid >= 0 && paid <= bill, `${paid} is paid of ${bill}`);
  const { due, excess, ...shown } = await balanceOf(read, id);
  check(
    shown.paid === paid && shown.bill === bill && excess === 0,
    `shown: ${JSON.stringify({ due, excess, ...shown })}`,
  );
  check(
    due === Math.max(0, bill - conceded - paid),
    `${due} is due of ${bill}, with ${paid} paid and ${conceded} conceded`,
  );
  check(shown.tip >= 0 && shown.tip <= sum(received), `${shown.tip} of tips are paid`);
  for (const payment of payments) {
    const given = sum(of(payment));
    const taken = stripe.charges.get(payment.provider_reference);
    check(
      payment.refunded_cents === given,
      `payment ${payment.id}: ${payment.refunded_cents} set aside, refunds of ${given}`,
    );
    check(payment.state !== 'refundDue', `payment ${payment.id} is not refunded`);
    if (payment.provider === 'Stripe')
      check((taken?.refunded ?? 0) === given, `payment ${payment.id}: ${taken?.refunded} refunded in truth`);
    // What was taken after a failure is refunded, and nothing else that was taken is forgotten.
    if (taken)
      check(
        ['succeeded', 'refunded'].includes(payment.state),
        `payment ${payment.id} was taken and is ${payment.state}`,
      );
  }
  return found;
}

forEachEngine((engine) => {
  describe(`money of orders with several payments (SEVERAL_PAYMENTS_SEED=${seed})`, () => {
    it('the payments of an order less its refunds are no more than its bill after any interleaving', {
      timeout: 900_000,
    }, async () => {
      const stripe = new FakeProvider('Stripe');
      const testApp = await createTestApp({ engine, demo: true, providers: { stripe } });
      let count = 0;
      const property = fc.asyncProperty(schedule, cents, async (groups, total) => {
        count += 1;
        stripe.charges.clear();
        const id = String(count);
        const play = createPlay(testApp, stripe, id, await order(testApp, id, total));
        for (const group of groups) {
          await Promise.all(group.map(play));
          expect(await complaints(testApp, stripe, id)).toEqual([]);
        }
      });
      await fc.assert(property, {
        seed,
        numRuns: runs[engine],
        examples: everyEnding.map((groups) => [groups, 2000]),
      });
      // Each way of ending must have happened.
      const rows = await testApp.db.read
        .selectFrom('refunds')
        .select(['reason', 'corrects'])
        .distinct()
        .execute();
      expect(rows.map(({ reason }) => reason)).toEqual(
        expect.arrayContaining(['paid too late', 'changed', '']),
      );
      const ends = await testApp.db.read
        .selectFrom('payments')
        .select(['provider', 'state'])
        .distinct()
        .execute();
      for (const state of ['succeeded', 'failed', 'refunded'])
        expect(ends).toContainEqual({ provider: 'Stripe', state });
    });
  });
});
