/**
 * Takings against the orders' own balances, whatever happened to them. A failure prints the seed; `TAKINGS_SEED=…` repeats it,
 * `TAKINGS_RUNS=1000` makes more shops.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { soldAccounts } from '#contract/staff/accounts-of-books.ts';
import { bookGroups, figuresOf } from '#contract/staff/book-figures.ts';
import type { BooksFilter, BooksReport } from '#contract/staff/books.ts';
import type { Takings } from '#contract/staff/takings.ts';
import { partOf } from '#server/modules/orders/order/order-money.ts';
import { balanceOf } from '#server/modules/payments/payment/balance.repository.ts';
import { newAttempt } from '#server/modules/payments/payment/payment.ts';
import { insertPayment } from '#server/modules/payments/payment/payments.repository.ts';
import { AppError, OperationError } from '#server/platform/errors.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { hourMs, wallClock } from '#server/platform/time-zone.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { repeats } from '#tests/long.ts';
import { rebill } from '#tests/rebill.ts';
import { sampleBill } from '#tests/sample-bill.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import { createTakings } from './takings.ts';

const seed = Number(process.env.TAKINGS_SEED ?? randomInt(2 ** 31));
const runs = {
  sqlite: Number(process.env.TAKINGS_RUNS ?? repeats(10, 30)),
  postgres: Math.ceil(Number(process.env.TAKINGS_RUNS ?? 30) / 5),
};

const zone = 'America/Toronto';
/** Clocks in Toronto go back on the next day, after the orders of the demo. */
const start = Date.UTC(2027, 10, 6, 16);
const cents = fc.integer({ min: 0, max: 9000 });
const bill = fc.record({
  subtotal: cents,
  off: cents,
  shipping: cents,
  charge: cents,
  hst: cents,
  pst: cents,
  tip: cents,
});
const places = ['toronto-queen-west', 'waterloo-uptown', null] as const;
const which = fc.nat({ max: 9 });
const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('order' as const), bill, place: fc.constantFrom(...places) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('take' as const),
      which,
      kind: fc.constantFrom('cash', 'terminal', 'other'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('online' as const),
      which,
      amount: fc.integer({ min: 1, max: 9000 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      which,
      amount: cents,
      corrects: fc.boolean(),
      refused: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('complete' as const),
      which,
      kind: fc.constantFrom('cash', 'terminal', 'other'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('takeBack' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rebill' as const), which, bill }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.nat({ max: 400 }) }) },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** A shop in which a refund is refused, another is sent, an order is cancelled, and cash is undone, however few runs there are. */
const plainBill = { subtotal: 5000, off: 0, shipping: 0, charge: 0, hst: 650, pst: 0, tip: 0 };
const everyEnding: Event[] = [
  { do: 'order', bill: plainBill, place: null },
  { do: 'online', which: 0, amount: 9000 },
  { do: 'refund', which: 0, amount: 100, corrects: false, refused: true },
  { do: 'refund', which: 0, amount: 200, corrects: false, refused: false },
  { do: 'order', bill: plainBill, place: 'toronto-queen-west' },
  { do: 'cancel', which: 1 },
  { do: 'order', bill: plainBill, place: 'toronto-queen-west' },
  { do: 'complete', which: 2, kind: 'cash' },
  ...Array<Event>(4).fill({ do: 'wait', minutes: 400 }),
  { do: 'takeBack', which: 2 },
  { do: 'complete', which: 2, kind: 'terminal' },
];

function agreed({
  subtotal,
  off,
  shipping,
  charge,
  hst,
  pst,
  tip,
}: typeof bill extends fc.Arbitrary<infer T> ? T : never) {
  const discount = Math.min(off, subtotal);
  const taxLines = [
    ...(hst > 0 ? [{ label: 'HST', amount: hst }] : []),
    ...(pst > 0 ? [{ label: 'PST', amount: pst }] : []),
  ];
  return {
    ...sampleBill,
    subtotal,
    discount,
    shipping,
    tip,
    taxLines,
    tax: hst + pst,
    shippingMethod: null,
    ...(charge > 0 ? { serviceCharge: { nameContent: { en: 'Service' }, amount: charge, taxes: [] } } : {}),
    total: subtotal - discount + shipping + charge + hst + pst + tip,
  };
}

function createPlay(testApp: TestApp, stripe: FakeProvider, name: string) {
  const { fulfilment, orderRefunds, orders, payments } = testApp.services;
  const placed: string[] = [];
  const numberOf = (at: number) => placed[at % Math.max(1, placed.length)] ?? 'none';

  async function order(total: ReturnType<typeof agreed>, storeId: string | null): Promise<void> {
    const id = `${name}-${placed.length}`;
    const at = testApp.clock.now();
    placed.push(id);
    await orders.import([
      {
        id,
        number: id,
        customerId: null,
        language: 'en',
        method: storeId === null ? 'shipping' : 'pickup',
        storeId,
        tableNumber: null,
        pickupAt: null,
        shippingAddress: null,
        billingAddress: null,
        shippingMethod: null,
        paidBy: null,
        contact: { firstName: 'Ada', lastName: 'L', phoneNumber: '', email: '' },
        comment: '',
        lines: [],
        tipBasisPoints: 0,
        bill: total,
        placedAt: at,
        states: [{ state: 'reserved', at }],
      },
    ]);
  }

  async function online(id: string, amount: number): Promise<void> {
    const payment = await testApp.db.transaction(async (trx) => {
      const head = await orders.findById(trx, id);
      const before = head && (await balanceOf(trx, id));
      if (!head || !before || before.due === 0) return null;
      const begun = newAttempt(
        partOf(head, Math.min(amount, before.due), before),
        'Stripe',
        testApp.clock.now(),
      );
      await insertPayment(trx, begun);
      return begun;
    });
    if (!payment) return;
    // It arrives later than it began, and perhaps in another hour.
    testApp.clock.advance(hourMs / 2);
    stripe.charges.set(payment.reference, { amount: payment.amount, state: 'taken', refunded: 0 });
    const found = await payments.attempts.find('Stripe', payment.reference);
    if (found) await payments.attempts.settle(found, { state: 'succeeded' });
  }

  async function play(what: Event): Promise<void> {
    if (what.do === 'wait') return testApp.clock.advance(what.minutes * 60_000);
    if (what.do === 'order') return order(agreed(what.bill), what.place);
    const number = numberOf(what.which);
    if (what.do === 'take') return void (await fulfilment.take(number, what.kind as 'cash'));
    if (what.do === 'complete') return void (await fulfilment.move(number, 'completed', what.kind as 'cash'));
    if (what.do === 'takeBack') return void (await fulfilment.takeBack(number, 'a mistake'));
    if (what.do === 'online') return online(number, what.amount);
    if (what.do === 'rebill')
      return void (await rebill(testApp.services, number, agreed(what.bill), testApp.clock.now()));
    if (what.do === 'cancel') return void (await orderRefunds.cancelOrder(number, ''));
    stripe.refusesRefunds = what.refused;
    await orderRefunds.refund(number, { amount: what.amount, corrects: what.corrects, reason: '' });
  }

  return async (what: Event): Promise<void> => {
    await play(what).catch((error: unknown) => {
      if (!(error instanceof OperationError || error instanceof AppError)) throw error;
    });
    stripe.refusesRefunds = false;
  };
}

const permit = (stores: string[] | null = null) => mintPermit('reports.read', { kind: 'terminal' }, stores);
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** The figures of some cells in one object, to be compared. */
function totals({ cells }: Pick<Takings, 'cells'>) {
  const money = cells.flatMap((cell) => cell.money);
  return {
    orders: sum(cells.map(({ orders }) => orders)),
    cancelled: sum(cells.map(({ cancelled }) => cancelled)),
    parts: sum(
      cells.map(
        (cell) =>
          cell.subtotal -
          cell.discount +
          cell.shipping +
          cell.serviceCharge +
          cell.kept +
          sum(cell.taxes.map(({ amount }) => amount)) +
          cell.tip,
      ),
    ),
    total: sum(cells.map(({ total }) => total)),
    received: sum(money.map(({ received }) => received)),
    refunded: sum(money.map(({ refunded }) => refunded)),
    tips: sum(money.map(({ tips, refundedTips }) => tips - refundedTips)),
  };
}

const booksPermit = mintPermit('books.read', { kind: 'terminal' }, null);
const soldIn = ({ rows }: BooksReport) =>
  figuresOf(rows, { accounts: [...soldAccounts], movements: ['sold', 'cancelled'] }).amount;

/** The same, by the report of the books. */
function ofReport(report: BooksReport) {
  const figure = (filter: BooksFilter) => figuresOf(report.rows, filter).amount;
  const total = figure({ accounts: [...soldAccounts, 'tax', 'tips'], movements: ['sold', 'cancelled'] });
  /** Cash as it was handed over, without what rounding it to coins added. */
  const exact = (movement: 'received' | 'back') =>
    figure({ accounts: ['money'], movements: [movement] }) -
    figure({ accounts: ['rounding'], movements: [movement] });
  return {
    orders: sum(report.counts.map(({ placed }) => placed)),
    cancelled: sum(report.counts.map(({ cancelled }) => cancelled)),
    parts: total,
    total,
    received: exact('received'),
    refunded: -exact('back') + 0,
    tips: figure({ accounts: ['money'], parts: ['tip'], movements: ['received', 'back'] }),
  };
}

/** Cash as it was handed over, in coins: the same in takings and in the report. */
const handedIn = ({ cells }: Takings) => {
  const money = cells.flatMap((cell) => cell.money);
  return [
    sum(money.map(({ received, rounding }) => received + rounding)),
    sum(money.map(({ refunded, refundedRounding }) => refunded - refundedRounding)),
  ];
};
const handedOf = ({ rows }: BooksReport) => [
  figuresOf(rows, { accounts: ['money'], movements: ['received'] }).amount,
  -figuresOf(rows, { accounts: ['money'], movements: ['back'] }).amount + 0,
];

/** The same, by each order's own balance. */
async function fromBalances(testApp: TestApp) {
  const orders = await testApp.db.read
    .selectFrom('orders')
    .select(['id', 'state'])
    .where('placed_at', '>=', start)
    .execute();
  const balances = await Promise.all(orders.map(({ id }) => balanceOf(testApp.db.read, id)));
  const payments = await testApp.db.read
    .selectFrom('payments')
    .selectAll()
    .where('state', 'in', ['succeeded', 'refundDue', 'refunded'])
    .where('created_at', '>=', start)
    .execute();
  const total = sum(balances.map(({ bill: owed }) => owed));
  return {
    orders: orders.length,
    cancelled: orders.filter(({ state }) => state === 'cancelled').length,
    parts: total,
    total,
    received: sum(payments.map(({ amount_cents }) => amount_cents)),
    refunded: sum(payments.map(({ refunded_cents }) => refunded_cents)),
    tips: sum(payments.map(({ tip_cents, refunded_tip_cents }) => tip_cents - refunded_tip_cents)),
  };
}

onBothEngines((engine) => {
  describe(`takings (TAKINGS_SEED=${seed})`, () => {
    it('takings equal the bills, payments and refunds to the cent, in whatever way they are divided', {
      timeout: 600_000,
    }, async () => {
      const stripe = new FakeProvider('Stripe');
      const testApp = await createTestApp({ engine, demo: true, now: start, providers: { stripe } });
      const takings = createTakings({
        db: testApp.db,
        now: testApp.clock.now,
        stores: testApp.container.stores,
      });
      const { books } = testApp.services;
      let count = 0;
      const cellsOf = async (day: string) => (await takings.of(permit(), { from: day, to: day })).cells;
      // All runs are of one shop: what was there before has to stay in the sums.
      const property = fc.asyncProperty(fc.array(event, { minLength: 10, maxLength: 40 }), async (events) => {
        count += 1;
        testApp.clock.set(start);
        const play = createPlay(testApp, stripe, `T${count}`);
        const range = { from: '2027-11-06', to: '2027-11-30' };
        const closed = new Map<string, unknown>();
        for (const each of events) {
          const day = wallClock(testApp.clock.now(), zone).date;
          await play(each);
          if (wallClock(testApp.clock.now(), zone).date > day) closed.set(day, await cellsOf(day));
        }
        // Attempts that failed are deleted after a month.
        testApp.clock.advance(31 * 24 * hourMs);
        await testApp.services.payments.attempts.deleteOld();
        for (const [day, cells] of closed)
          expect(await cellsOf(day), `${day}, which was over`).toEqual(cells);
        expect(await testApp.services.ledger.wrong()).toEqual([]);
        const whole = await takings.of(permit(), range);
        const expected = await fromBalances(testApp);
        expect(totals(whole)).toEqual(expected);
        const report = await books.report(booksPermit, range, 'en');
        expect(ofReport(report), 'the report of the books').toEqual(expected);
        expect(handedIn(whole), 'what was handed over').toEqual(handedOf(report));
        for (const by of bookGroups)
          expect(soldIn(await books.report(booksPermit, { ...range, by }, 'en')), by).toBe(soldIn(report));
        const days = whole.steps.map((at) => wallClock(at, zone).date);
        const byDay = await Promise.all(days.map((day) => takings.of(permit(), { from: day, to: day })));
        expect(totals({ cells: byDay.flatMap(({ cells }) => cells) })).toEqual(expected);
        // Each day has in its hours what the range has in it.
        for (const [index, { cells }] of byDay.entries())
          expect(totals({ cells })).toEqual(
            totals({ cells: whole.cells.filter(({ at }) => at === whole.steps[index]) }),
          );
        const byStore = await Promise.all(
          places.slice(0, 2).map((id) => takings.of(permit([id ?? '']), range)),
        );
        const shipped = whole.cells.filter(({ store }) => store === null);
        expect(totals({ cells: [...byStore.flatMap(({ cells }) => cells), ...shipped] })).toEqual(expected);
      });
      await fc.assert(property, {
        seed,
        numRuns: runs[engine],
        endOnFailure: true,
        examples: [[everyEnding]],
      });
      const refunds = await testApp.db.read.selectFrom('refunds').select('state').distinct().execute();
      expect(refunds.map(({ state }) => state)).toEqual(expect.arrayContaining(['done', 'refused']));
      expect((await fromBalances(testApp)).cancelled).toBeGreaterThan(0);
    });

    it('a day of takings begins and ends on the clock of the shop, and a repeated hour is two', async () => {
      const testApp = await createTestApp({ engine, demo: true, now: start });
      const { stores } = testApp.container;
      const takings = createTakings({ db: testApp.db, now: testApp.clock.now, stores });
      const play = createPlay(testApp, new FakeProvider('Stripe'), 'D');
      const simple = { subtotal: 1000, off: 0, shipping: 0, charge: 0, hst: 130, pst: 0, tip: 0 };
      // 23:59 on Saturday, midnight, both times it is 1:30, and the last minute of Sunday.
      for (const at of [
        '2027-11-07T03:59Z',
        '2027-11-07T04:00Z',
        '2027-11-07T05:30Z',
        '2027-11-07T06:30Z',
        '2027-11-08T04:59Z',
      ]) {
        testApp.clock.set(Date.parse(at.replace('Z', ':00Z')));
        await play({ do: 'order', bill: simple, place: 'waterloo-uptown' });
      }
      const sunday = await takings.of(permit(), { from: '2027-11-07', to: '2027-11-07' });
      expect([sunday.unit, sunday.steps.length]).toEqual(['hour', 25]);
      expect(
        sunday.cells.map(({ at, total, taxes }) => [new Date(at).toISOString().slice(0, 16), total, taxes]),
      ).toEqual(
        ['2027-11-07T04:00', '2027-11-07T05:00', '2027-11-07T06:00', '2027-11-08T04:00'].map((at) => [
          at,
          1130,
          [{ label: 'HST', amount: 130 }],
        ]),
      );
      const days = await takings.of(permit(), { from: '2027-11-05', to: '2027-11-08' });
      expect(days.cells.map(({ at, orders }) => [days.steps.indexOf(at), orders])).toEqual([
        [1, 1],
        [2, 4],
      ]);
      const year = await takings.of(permit(), { from: '2027-01-15', to: '2027-12-31' });
      expect([year.unit, year.steps.length, totals(year).orders]).toEqual(['month', 12, 5]);
      for (const wrong of [
        { from: '2026-02-30', to: '2026-03-01' },
        { from: '2026-03-02', to: '2026-03-01' },
        { from: '2025-01-01', to: '2026-12-31' },
      ])
        await expect(takings.of(permit(), wrong)).rejects.toThrow(AppError);
    });
  });
});
