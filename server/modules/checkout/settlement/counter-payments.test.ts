/** Deposits, split bills, changed bills and refunds of orders with several payments. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { cashBackOfAll, fromFirst, partsTaken, restTaken } from '#contract/rules/refund-parts.ts';
import type { Order } from '#contract/schemas/order.ts';
import { partOf } from '#server/modules/orders/order/order-money.ts';
import { balanceOf } from '#server/modules/payments/payment/balance.repository.ts';
import { newAttempt, type Payment } from '#server/modules/payments/payment/payment.ts';
import { insertPayment } from '#server/modules/payments/payment/payments.repository.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { mailsFor } from '#tests/accounts.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { sellProduct } from '#tests/products.ts';
import { rebill } from '#tests/rebill.ts';
import { add, address, contact, deliver, reserve, unitsOf, visit } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-SPLIT';
const store = 'toronto-queen-west';

interface Bought {
  session: Shopper;
  id: string;
  number: string;
  total: number;
}

onBothEngines((engine) => {
  let testApp: TestApp;
  const stripe = new FakeProvider('Stripe');
  const payPal = new FakeProvider('PayPal');
  beforeAll(async () => {
    const env = { PUBLIC_URL: 'https://shop.example' };
    testApp = await createTestApp({
      engine,
      demo: true,
      now: Date.now(),
      env,
      providers: { stripe, paypal: payPal },
    });
    await sellProduct(testApp, mug);
    await testApp.services.stock.count([store, 'warehouse'].map((place) => ({ sku: mug, place, units: 50 })));
  });
  beforeEach(() => {
    for (const fake of [stripe, payPal])
      Object.assign(fake, { line: 'good', refusesRefunds: false, refundsWait: false });
  });

  const shop = (...words: string[]) => shopCommand(testApp, words);
  const orderOf = ({ session, id }: Bought): Promise<Order> =>
    testApp.call('order', { session, params: { id } });

  async function bought(session: Shopper, id: string | null): Promise<Bought> {
    const { orderNumber, bill } = await testApp.call('order', { session, params: { id: id ?? '' } });
    return { session, id: id ?? '', number: orderNumber ?? '', total: bill.total };
  }

  /** A network may have a limited number of orders in an hour that nobody has paid. */
  async function reserved(home?: string): Promise<Bought> {
    const session = testApp.shopper(home);
    await add(testApp, session, mug, 2);
    await visit(testApp, session);
    return bought(session, (await reserve(testApp, session)).body.orderID);
  }

  async function paidOnline(email = contact.email): Promise<Bought> {
    const session = testApp.shopper();
    await add(testApp, session, mug, 2);
    await deliver(testApp, session, { contact: { ...contact, email } });
    const body = { confirmationToken: 'ctoken_1', billingAddress: address };
    return bought(session, (await testApp.call('payByStripe', { session, body })).orderID);
  }

  /** An attempt to pay what is due at a provider, whose answer has not arrived. */
  async function begin({ id }: Bought, fake: FakeProvider): Promise<Payment> {
    testApp.clock.advance(1);
    return testApp.db.transaction(async (trx) => {
      const [head, before] = [await testApp.services.orders.findById(trx, id), await balanceOf(trx, id)];
      if (!head) throw new Error('There is no order');
      const payment = newAttempt(partOf(head, before.due, before), fake.name, testApp.clock.now());
      await insertPayment(trx, payment);
      fake.charges.set(payment.reference, { amount: payment.amount, state: 'taken', refunded: 0 });
      return payment;
    });
  }
  const settle = (payment: Payment) =>
    testApp.services.payments.attempts.settle(payment, { state: 'succeeded' });

  async function changeBill({ number }: Bought, change: number) {
    const { bill } = await testApp.services.fulfilment.find(number);
    if (!bill) throw new Error('The order has no bill');
    const total = bill.total + change;
    return rebill(
      testApp.services,
      number,
      { ...bill, subtotal: bill.subtotal + change, total },
      testApp.clock.now(),
    );
  }

  it('cash is rounded to the coins of the country, and the difference stands beside the payment, on the receipt and in takings', async () => {
    const order = await reserved();
    const { services } = testApp;
    const owner = await joinStaff(testApp, 'owner@cash.example');
    const sheet = () =>
      services.officeOrders.sheet(mintPermit('orders.read', { kind: 'terminal' }, null), order.number, 'en');
    const takings = async () => {
      const { cells } = (await askStaff(testApp, 'takings', { as: owner })).body;
      const cash = cells.flatMap(({ money }) => money.filter(({ way }) => way === 'cash'));
      const sum = (of: (each: (typeof cash)[number]) => number) =>
        cash.reduce((total, each) => total + of(each), 0);
      return { received: sum(({ received }) => received), rounding: sum(({ rounding }) => rounding) };
    };
    const before = await takings();
    expect([order.total, (await sheet()).cashDue]).toEqual([7232, 7230]);
    // A part is what was handed over.
    await shop('orders', 'paid', order.number, '20.01', '--cash');
    expect((await sheet()).cashDue).toBe(5230);
    await shop('orders', 'paid', order.number, '--cash');
    const { payments, due, paid } = await orderOf(order);
    expect([paid, due]).toEqual([order.total, 0]);
    expect(payments?.map(({ amount, rounding }) => [amount, rounding])).toEqual([
      [2001, undefined],
      [5231, -1],
    ]);
    const after = await takings();
    expect([after.received - before.received, after.rounding - before.rounding]).toEqual([7232, -1]);
    // Receipts wait until the payment can no longer be undone.
    testApp.clock.advance(60_000);
    const receipts = async () =>
      (await mailsFor(testApp, contact.email, 'paymentReceived')).map(({ text }) => text).join();
    await expect
      .poll(receipts, { timeout: 20_000 })
      .toContain('You paid $52.30 in cash. We rounded by −$0.01');

    const byTerminal = await reserved();
    await shop('orders', 'paid', byTerminal.number, '--terminal');
    expect((await orderOf(byTerminal)).payments?.[0]).not.toHaveProperty('rounding');
  });

  it('the cash that a refund, a cancellation or a change hands over is said before, and is what the books and the list of refunds then have', async () => {
    const owner = await joinStaff(testApp, 'back@cash.example');
    await secureStaff(testApp, owner);
    const { services } = testApp;
    const permit = mintPermit('orders.read', { kind: 'terminal' }, null);
    /** The drawer's part of an order, by the books. */
    const inDrawer = async (id: string) => {
      const { rows } = await sql<{
        cents: number | string | null;
      }>`select sum(amount_cents) as cents from ledger_entries
        where order_id = ${id} and account = 'money' and way = 'cash'`.execute(testApp.db.read);
      return Number(rows[0]?.cents ?? 0);
    };
    /** 30.02 by cash, 22.22 by terminal and the rest by cash: what goes back comes from three payments. */
    const split = async () => {
      const order = await reserved();
      for (const words of [['30.02', '--cash'], ['22.22', '--terminal'], ['--cash']]) {
        testApp.clock.advance(1000);
        expect(await shop('orders', 'paid', order.number, ...words)).toMatchObject({ code: 0 });
      }
      return {
        ...order,
        sheet: () => services.officeOrders.sheet(permit, order.number, 'en'),
        before: await inDrawer(order.id),
      };
    };
    type Split = Awaited<ReturnType<typeof split>>;
    const handedOver = async ({ id, before, sheet }: Split) => {
      const { refunds } = await sheet();
      const listed = refunds.reduce((sum, { cash }) => sum + (cash ?? 0), 0);
      expect(before - (await inDrawer(id))).toBe(listed);
      return listed;
    };
    const words = { reason: 'chipped', note: '', restock: false };

    const one = await split();
    const { order, refundable } = await one.sheet();
    expect(refundable.cashStep).toBe(5);
    const amount = refundable.lines[0]?.amounts[0] ?? 0;
    const said = cashBackOfAll(
      partsTaken(refundable.payments, { goods: amount, tip: 0 }),
      refundable.cashStep,
    );
    const lines = [{ line: order.lineItems[0]?.id ?? '', quantity: 1 }];
    const none = { shipping: false, serviceCharge: false, tip: 0 };
    const body = { ...words, ...none, lines, amount, refunded: 0 };
    expect(
      (await askStaff(testApp, 'refundOrder', { as: owner, params: { number: one.number }, body })).status,
    ).toBe(200);
    // 36.16: 20.08 of the last cash, which is 20.10 in coins, and 16.08 of the card.
    expect([amount, said, await handedOver(one)]).toEqual([3616, 2010, 2010]);

    const two = await split();
    const { cancellable, version, refundable: left } = await two.sheet();
    const most = cancellable?.most ?? 0;
    const back = cashBackOfAll(restTaken(left.payments, most), left.cashStep);
    const cancelled = { ...words, mail: false, version, most, refund: most };
    const params = { number: two.number };
    expect((await askStaff(testApp, 'cancelOrderBack', { as: owner, params, body: cancelled })).status).toBe(
      200,
    );
    expect([most, back, await handedOver(two)]).toEqual([7232, 2010 + 3000, 5010]);

    const three = await split();
    const { refundable: open, order: sold } = await three.sheet();
    const changed = [{ line: sold.lineItems[0]?.id ?? '', quantity: 1 }];
    const plan = await services.orderChanges.plan(three.id, changed, 'en');
    const change = { lines: changed, version: plan.version, from: 'terminal' };
    const fallen = cashBackOfAll(restTaken(fromFirst(open.payments, 'terminal'), plan.back), open.cashStep);
    const asked = { as: owner, params: { number: three.number }, body: change };
    expect((await askStaff(testApp, 'changeOrderBack', asked)).status).toBe(200);
    // 22.22 of the card first, then 13.94 of the last cash.
    expect([plan.back, fallen, await handedOver(three)]).toEqual([3616, 1395, 1395]);
  });

  it('orders that are handed over together are asked for in coins, each by itself, as the drawer has them', async () => {
    const owner = await joinStaff(testApp, 'bulk@cash.example');
    const drawer = async () =>
      (await askStaff(testApp, 'cashSheet', { as: owner, query: { store } })).body.closing;
    const chosen = [await reserved(), await reserved(), await reserved()].map(({ number }) => number);
    const rows = async () =>
      (await askStaff(testApp, 'orders', { as: owner, query: {} })).body.orders.filter(({ number }) =>
        chosen.includes(number),
      );
    const before = await drawer();
    const listed = await rows();
    expect(listed.map(({ due, cashDue }) => [due, cashDue])).toEqual(chosen.map(() => [7232, 7230]));
    const orders = listed.map(({ number, version }) => ({ number, version }));
    const moved = await askStaff(testApp, 'moveOrders', {
      as: owner,
      body: { to: 'completed', paid: 'cash', orders },
    });
    expect(moved.body.outcomes.map(({ problem }) => problem)).toEqual(['', '', '']);
    expect((await drawer()) - before).toBe(3 * 7230);
    expect((await rows()).map(({ due, cashDue }) => [due, cashDue])).toEqual(chosen.map(() => [0, 0]));
    const undone = moved.body.outcomes.map(({ number, version }) => ({ number, version }));
    expect((await askStaff(testApp, 'undoMoves', { as: owner, body: { orders: undone } })).status).toBe(200);
    expect(await drawer()).toBe(before);
  });

  it('commands name the coins of what they take and hand back', async () => {
    const order = await reserved();
    await shop('orders', 'paid', order.number, '20.01', '--cash');
    expect((await shop('orders', 'paid', order.number, '--cash')).printed).toMatch(
      / Nothing is due\. In cash: \$52\.30\.$/,
    );
    const tried = await shop('refund', order.number, '--amount', '52.31', '--dry-run');
    expect(tried.printed).toMatch(/^Would refund \$52\.31 .*\nIn cash: \$52\.30\.$/);
    expect((await shop('refund', order.number, '--amount', '52.31')).printed).toMatch(
      /\nIn cash: \$52\.30\.$/,
    );
    const handedOver = await reserved();
    expect((await shop('orders', 'complete', handedOver.number, '--cash')).printed).toContain(
      ' In cash: $72.30.',
    );
    expect((await shop('refund', handedOver.number)).printed).toMatch(/\nIn cash: \$72\.30\.$/);
  });

  it('a deposit and the rest are payments of a reservation, which is paid when they reach its bill', async () => {
    const order = await reserved();
    expect(await orderOf(order)).toMatchObject({
      payment: { paid: false },
      payments: [],
      paid: 0,
      due: order.total,
    });
    expect(await shop('orders', 'paid', order.number, '20.00', '--cash')).toEqual({
      code: 0,
      printed: `Recorded $20.00 for order ${order.number}. $${((order.total - 2000) / 100).toFixed(2)} is due.`,
    });
    expect(await orderOf(order)).toMatchObject({
      payment: { paid: false },
      paid: 2000,
      due: order.total - 2000,
    });
    const tooMuch = await shop('orders', 'paid', order.number, '99999.00');
    expect(tooMuch).toMatchObject({
      code: 1,
      printed: expect.stringContaining(`is due for order ${order.number}.`),
    });
    expect((await shop('orders', 'paid', order.number, '--terminal')).printed).toContain('Nothing is due.');
    const { payment, payments, due } = await orderOf(order);
    expect([payment, due]).toEqual([{ method: 'payAtStore', paid: true, refunded: 0 }, 0]);
    expect(payments).toMatchObject([
      { provider: 'counter', kind: 'cash', amount: 2000 },
      { provider: 'counter', kind: 'terminal', amount: order.total - 2000 },
    ]);
    expect((await shop('orders', 'paid', order.number)).printed).toBe(
      `Nothing is due for order ${order.number}.`,
    );
    const { printed } = await shop('orders', 'show', order.number);
    expect(printed).toMatch(/counter payment succeeded, \$20\.00, cash, /);
    // Handing it over takes nothing more.
    expect((await shop('orders', 'complete', order.number)).printed).toBe(
      `Marked order ${order.number} as completed.`,
    );
  });

  it('a reservation with a deposit does not expire, and its customer cannot cancel it or give it a deadline again', async () => {
    const [kept, gone] = [await reserved(), await reserved()];
    await testApp.services.fulfilment.take(kept.number, 'cash', 500);
    const token = await testApp.services.orderLinks.create(kept.id);
    const byLink = { params: { token } };
    expect(await testApp.call('orderLink', byLink)).toMatchObject({ canCancel: false, paid: 500 });
    expect((await testApp.ask('orderLinkCancel', byLink)).status).toBe(409);
    testApp.clock.advance(60 * 24 * 60 * 60_000);
    await testApp.services.holds.expireHolds();
    const { show } = testApp.services.fulfilment;
    const states = await Promise.all([kept, gone].map(async ({ number }) => (await show(number)).state));
    expect(states).toEqual(['reserved', 'lapsed']);
    testApp.clock.set(Date.now());
  });

  it('a reservation whose deposit is taken while expired ones are ended stays', async () => {
    const order = await reserved('198.51.100.44');
    const { stock } = testApp.container;
    const found = stock.expiredHolds;
    testApp.clock.advance(60 * 24 * 60 * 60_000);
    const lookup = vi.spyOn(stock, 'expiredHolds').mockImplementationOnce(async () => {
      const ids = await found();
      await testApp.services.fulfilment.take(order.number, 'cash', 500);
      return ids;
    });
    await testApp.services.holds.expireHolds();
    expect(await lookup.mock.results[0]?.value).toContain(order.id);
    expect((await testApp.services.fulfilment.show(order.number)).state).toBe('reserved');
    lookup.mockRestore();
    testApp.clock.set(Date.now());
  });

  it('completing an order that is paid at the store records what is due, and one that is paid online says what is due', async () => {
    const order = await reserved();
    await testApp.services.fulfilment.take(order.number, 'cash', 500);
    await shop('orders', 'complete', order.number, '--terminal');
    expect((await orderOf(order)).payments).toMatchObject([
      { kind: 'cash' },
      { kind: 'terminal', amount: order.total - 500 },
    ]);
    const online = await paidOnline();
    testApp.clock.advance(1);
    await changeBill(online, 700);
    const refused = await shop('orders', 'complete', online.number);
    expect(refused).toMatchObject({
      code: 1,
      printed: expect.stringContaining(`$7.00 is due for order ${online.number}`),
    });
    expect((await orderOf(online)).state).toBe('placed');
    expect((await shop('orders', 'complete', online.number, '--cash')).code).toBe(0);
    expect(await orderOf(online)).toMatchObject({
      state: 'completed',
      due: 0,
      payment: { method: 'Stripe', paid: true },
    });
  });

  it('an order that is paid online and owes money is shipped only if staff say how it was paid, or that it is not', async () => {
    const [cash, unpaid] = [await paidOnline(), await paidOnline()];
    testApp.clock.advance(1);
    for (const order of [cash, unpaid]) await changeBill(order, 700);
    const refused = await shop('orders', 'ship', cash.number);
    expect(refused).toMatchObject({
      code: 1,
      printed: expect.stringContaining(`$7.00 is due for order ${cash.number}`),
    });
    expect(await orderOf(cash)).toMatchObject({ state: 'placed', due: 700 });
    expect((await shop('--lang', 'zh', 'orders', 'ship', cash.number)).printed).toContain(
      `订单 ${cash.number} 还有`,
    );
    expect((await shop('orders', 'ship', cash.number, '--cash', '--unpaid')).code).toBe(1);
    expect((await shop('orders', 'ship', cash.number, '--cash')).printed).toContain(
      'Recorded $7.00 as paid at the counter.',
    );
    expect(await orderOf(cash)).toMatchObject({ state: 'shipped', due: 0 });
    expect((await shop('orders', 'shipped', unpaid.number, '--unpaid')).code).toBe(0);
    expect(await orderOf(unpaid)).toMatchObject({
      state: 'shipped',
      due: 700,
      dueVersion: expect.any(String),
    });
    expect((await shop('orders', 'complete', unpaid.number)).code).toBe(1);
    // At the store, handing it over is paying.
    expect((await shop('orders', 'complete', (await reserved()).number, '--unpaid')).code).toBe(1);
  });

  it('a higher bill leaves the difference due, and a lower one refunds it', async () => {
    const order = await paidOnline();
    await changeBill(order, 1000);
    expect(await orderOf(order)).toMatchObject({ due: 1000, paid: order.total, payment: { paid: false } });
    expect(await changeBill(order, -1500)).toMatchObject([
      { given: true, refund: { amount: 500, corrects: true } },
    ]);
    expect(await orderOf(order)).toMatchObject({
      due: 0,
      paid: order.total - 500,
      payment: { paid: true, refunded: 500 },
    });
    await changeBill(order, 700);
    await testApp.services.fulfilment.take(order.number, 'cash');
    await expect(changeBill({ ...order, number: 'MC-1' }, 1)).rejects.toThrow('There is no order MC-1');
  });

  it('a refund lowers what is owed, unless it corrects a payment', async () => {
    const order = await reserved();
    await testApp.services.fulfilment.take(order.number, 'cash');
    await testApp.services.orderRefunds.refund(order.number, { amount: 300, reason: 'chipped' });
    expect(await orderOf(order)).toMatchObject({ paid: order.total - 300, due: 0 });
    // Typed as cash, and paid by card.
    const words = ['--from', 'cash', '--corrects'];
    expect((await shop('refund', order.number, ...words)).printed).toContain(
      'paid at the counter (cash). Hand it to the customer.',
    );
    expect(await orderOf(order)).toMatchObject({ paid: 0, due: order.total - 300 });
    await testApp.services.fulfilment.take(order.number, 'terminal');
    expect(await orderOf(order)).toMatchObject({ paid: order.total - 300, due: 0, payment: { paid: true } });
  });

  it('a rest that is paid online twice is kept once, and a rest that has become less only in part', async () => {
    const order = await paidOnline();
    await changeBill(order, 1000);
    const [first, second] = [await begin(order, payPal), await begin(order, stripe)];
    expect(await Promise.all([settle(first), settle(second)])).toContain(null);
    expect(await orderOf(order)).toMatchObject({
      paid: order.total + 1000,
      due: 0,
      payments: [{ amount: order.total }, {}],
    });
    await changeBill(order, 1000);
    const third = await begin(order, payPal);
    await changeBill(order, -400);
    expect(await settle(third)).toBe(order.id);
    // The same webhook again.
    expect(await settle(third)).toBe(order.id);
    expect(await orderOf(order)).toMatchObject({ paid: order.total + 1600, due: 0 });
    expect(payPal.charges.get(third.reference)).toMatchObject({ amount: 1000, refunded: 400 });
  });

  it('an attempt to pay the rest of a reservation leaves its hold and its deadline as they are', async () => {
    const order = await reserved();
    const before = await testApp.db.read
      .selectFrom('holds')
      .selectAll()
      .where('order_id', '=', order.id)
      .execute();
    const attempt = await begin(order, stripe);
    const { attempts } = testApp.services.payments;
    await attempts.settle(attempt, { state: 'action', action: { type: 'fake', token: 'x' } });
    await attempts.settle(attempt, {
      state: 'failed',
      failure: { errorType: 'TRANSACTION_ERROR', errorKey: 'payment.declined' },
    });
    expect(
      await testApp.db.read.selectFrom('holds').selectAll().where('order_id', '=', order.id).execute(),
    ).toEqual(before);
    expect(await orderOf(order)).toMatchObject({ state: 'reserved', due: order.total });
    expect(await settle(await begin(order, stripe))).toBe(order.id);
    expect(await orderOf(order)).toMatchObject({
      state: 'reserved',
      due: 0,
      payment: { method: 'Stripe', paid: true },
    });
  });

  it('a refund comes from the newest payments first, and one that a provider refuses leaves the others', async () => {
    const email = 'parts@example.com';
    const order = await paidOnline(email);
    await changeBill(order, 1000);
    const takenBefore = payPal.taken;
    await settle(await begin(order, payPal));
    expect((await shop('refund', order.number, '--amount', '12.00', '--dry-run')).printed).toBe(
      'Would refund $10.00 paid by PayPal.\nWould refund $2.00 paid by Stripe.',
    );
    expect((await orderOf(order)).refunds).toEqual([]);
    expect(
      (await shop('refund', order.number, '--amount', '1.00', '--from', 'Stripe', '--dry-run')).printed,
    ).toContain('by Stripe');
    expect((await shop('refund', order.number, '--from', 'cash')).printed).toBe(
      'No payment of the order is "cash".',
    );
    payPal.refusesRefunds = true;
    const refunded = await testApp.services.orderRefunds.refund(order.number, {
      amount: 1200,
      reason: 'chipped',
    });
    expect(refunded.parts.map(({ given, refused }) => [given, refused])).toEqual([
      [false, 'The fake gives nothing back'],
      [true, undefined],
    ]);
    expect((await orderOf(order)).refunds).toMatchObject([{ amount: 200, done: true }]);
    await expect(
      testApp.services.orderRefunds.refund(order.number, { amount: 900, reason: '' }),
    ).rejects.toThrow('PayPal refused');
    payPal.refusesRefunds = false;
    const rest = await testApp.services.orderRefunds.refund(order.number, { reason: '' });
    expect(rest.parts.map(({ refund, payment }) => [payment.provider, refund.amount])).toEqual([
      ['PayPal', 1000],
      ['Stripe', order.total - 200],
    ]);
    expect([payPal.taken, (await orderOf(order)).paid, (await orderOf(order)).due]).toEqual([
      takenBefore,
      0,
      0,
    ]);
    await expect(testApp.services.orderRefunds.refund(order.number, { reason: '' })).rejects.toThrow(
      'refunded: $0.00',
    );
    expect(await mailsFor(testApp, email, 'refund')).toHaveLength(3);
  });

  it('cash that is handed back has a receipt, which says how much was handed over', async () => {
    const email = 'cash.back@example.com';
    const order = await paidOnline(email);
    await changeBill(order, 1000);
    testApp.clock.advance(1);
    await testApp.services.fulfilment.take(order.number, 'cash');
    await testApp.services.orderRefunds.refund(order.number, { amount: 303, reason: 'chipped' });
    const mails = await mailsFor(testApp, email, 'refund');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('You were given $3.05 back in cash. We rounded by $0.02');
    expect(mails[0]?.text).not.toContain('Depending on your bank');
  });

  it('cancelling an order refunds each payment, and records what staff hand back without an email about it', async () => {
    const email = 'handed.back@example.com';
    const order = await paidOnline(email);
    const before = await unitsOf(testApp.db.read, mug);
    await changeBill(order, 1000);
    testApp.clock.advance(1);
    await testApp.services.fulfilment.take(order.number, 'cash');
    const { refund } = await testApp.services.orderRefunds.cancelOrder(order.number, 'out of clay');
    expect(refund?.parts.map(({ given, payment }) => [given, payment.provider])).toEqual([
      [true, 'counter'],
      [true, 'Stripe'],
    ]);
    expect(await orderOf(order)).toMatchObject({ state: 'cancelled', paid: 0, due: 0 });
    expect((await unitsOf(testApp.db.read, mug)).stock).toBe(before.stock + 2);
    expect(await mailsFor(testApp, email, 'refund')).toHaveLength(1);
  });
});
