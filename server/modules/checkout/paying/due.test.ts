/** Paying online what is due of a placed order: in several tabs, by its link, and while the order changes. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { houseChallengeCode } from '#payment-providers/house/values.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { withHouse } from '#tests/payment-actions.ts';
import { sellProduct } from '#tests/products.ts';
import { rebill } from '#tests/rebill.ts';
import { add, cards, everything, pay, reserve, shopperWithCart, visit } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-DUE';

interface Owing {
  session: Shopper;
  id: string;
  number: string;
  total: number;
}

forEachEngine((engine) => {
  let testApp: TestApp;
  const payPal = new FakeProvider('PayPal');
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, now: Date.now(), providers: { paypal: payPal } });
    await sellProduct(testApp, mug);
    await testApp.services.stock.count(
      ['warehouse', 'toronto-queen-west'].map((place) => ({ sku: mug, place, units: 200 })),
    );
  });
  beforeEach(() => {
    payPal.answer = 'take';
    testApp.clock.advance(60 * 60_000);
  });

  const orderOf = ({ session, id }: Owing) => testApp.call('order', { session, params: { id } });
  const versionOf = async (owing: Owing) => (await orderOf(owing)).dueVersion ?? '';
  const seen = (session: Shopper, dueVersion: string) =>
    testApp.ask('getBilling', { session, params: { gatewayName: '{host}' }, query: { dueVersion } });
  const chargesOf = async ({ id }: Owing) =>
    (
      await testApp.db.read
        .selectFrom('payments')
        .select('amount_cents')
        .where('order_id', '=', id)
        .where('state', '=', 'succeeded')
        .orderBy('created_at')
        .execute()
    ).map((row) => row.amount_cents);

  async function changeBill({ number }: Owing, change: number, billVersion?: string) {
    const { bill } = await testApp.services.fulfilment.find(number);
    if (!bill) throw new Error('The order has no bill');
    const total = bill.total + change;
    const changed = {
      ...bill,
      subtotal: bill.subtotal + change,
      total,
      billVersion: billVersion ?? bill.billVersion,
    };
    return rebill(testApp.services, number, changed, testApp.clock.now());
  }

  /** A paid order whose bill has risen by `more` cents since. */
  async function owing(more = 1000): Promise<Owing> {
    const session = await shopperWithCart(testApp, mug);
    const id = (await pay(testApp, session)).body.orderID ?? '';
    const { orderNumber, bill } = await testApp.call('order', { session, params: { id } });
    const order = { session, id, number: orderNumber ?? '', total: bill.total };
    testApp.clock.advance(1);
    await changeBill(order, more);
    return order;
  }

  it('the rest of an order is paid by card, once, and leaves the cart as it is', async () => {
    const order = await owing();
    const { session } = order;
    await add(testApp, session, mug, 2);
    const cart = await testApp.call('myCart', { session });
    const billVersion = await versionOf(order);
    expect((await seen(session, billVersion)).body).toMatchObject({
      orderID: order.id,
      due: 1000,
      dueVersion: billVersion,
    });
    const first = await pay(testApp, session, cards.approve, { billVersion });
    expect([first.status, first.body]).toEqual([200, { orderID: order.id, action: null }]);
    const before = await everything(testApp.db.read);
    expect((await pay(testApp, session, cards.approve, { billVersion })).body).toEqual(first.body);
    expect(await everything(testApp.db.read)).toEqual(before);
    expect(await orderOf(order)).toMatchObject({
      paid: order.total + 1000,
      due: 0,
      payment: { paid: true },
      payments: [{}, {}],
    });
    expect(await orderOf(order)).not.toHaveProperty('dueVersion');
    expect(await testApp.call('myCart', { session })).toEqual(cart);
  });

  it('a declined card leaves what is due as it was', async () => {
    const order = await owing();
    const billVersion = await versionOf(order);
    const declined = await pay(testApp, order.session, cards.decline, { billVersion });
    expect([declined.status, declined.body.errorKey]).toEqual([402, 'payment.declined']);
    expect(await orderOf(order)).toMatchObject({ state: 'placed', due: 1000, dueVersion: billVersion });
    expect((await pay(testApp, order.session, cards.approve, { billVersion })).status).toBe(200);
  });

  it('several tabs that pay at once, by card and by a wallet, pay no more than is due', async () => {
    const order = await owing();
    const { session } = order;
    const billVersion = await versionOf(order);
    const wallet = () => testApp.ask('payPalToken', { session, query: { id: billVersion } });
    const tabs = await Promise.all([
      ...[1, 2, 3].map(() => pay(testApp, session, cards.approve, { billVersion })),
      wallet(),
      wallet(),
    ]);
    expect(tabs.map(({ status }) => status)).toContain(200);
    await testApp.services.payments.reconcile();
    const { paid, due } = await orderOf(order);
    expect([paid, due]).toEqual([order.total + 1000, 0]);
    expect(await chargesOf(order)).toEqual([order.total, 1000]);
    // Nothing was taken twice and refunded.
    const rows = await testApp.db.read
      .selectFrom('payments')
      .select('state')
      .where('order_id', '=', order.id)
      .execute();
    expect(rows.filter(({ state }) => state !== 'failed')).toHaveLength(2);
  });

  it('a tab that waits for its customer gives way to another tab, and its approval then takes nothing', async () => {
    const order = await owing();
    const { session } = order;
    payPal.answer = 'ask';
    const billVersion = await versionOf(order);
    const { body: begun } = await testApp.ask('payPalToken', { session, query: { id: billVersion } });
    const reference = payPal.asked?.reference ?? '';
    expect([payPal.asked?.amount, payPal.asked?.orderNumber]).toEqual([1000, `${order.number}-2`]);
    expect((await pay(testApp, session, cards.approve, { billVersion })).body.orderID).toBe(order.id);
    payPal.approve(reference);
    const approval = { paymentId: begun.token, payerID: 'x', dueVersion: billVersion };
    expect((await testApp.ask('payPalPayment', { session, body: approval })).status).toBe(402);
    expect(payPal.charges.get(reference)?.state).toBe('failed');
    expect(await chargesOf(order)).toEqual([order.total, 1000]);
  });

  it('whoever has the link to an order pays what is due on another device, without learning who ordered', async () => {
    const order = await owing();
    const token = await testApp.services.orderLinks.create(order.id);
    const { dueVersion = '' } = await testApp.call('orderLink', { params: { token } });
    const friend = testApp.shopper();
    const { body: shown } = await seen(friend, dueVersion);
    expect(shown).toMatchObject({
      due: 1000,
      orderContact: null,
      shippingAddress: null,
      billingAddress: null,
    });
    expect(JSON.stringify(shown)).not.toMatch(/Jordan|Demonstration Road|@/);
    const { body } = await pay(testApp, friend, cards.challenge, { billVersion: dueVersion });
    const { token: challenge } = (body.action ?? {}) as { token: string };
    await testApp.ask('houseChallenge', {
      session: friend,
      body: { token: challenge, code: houseChallengeCode },
    });
    const resume = (more: object) =>
      testApp.ask('resumePayment', { session: friend, body: { provider: 'house', ...more } });
    // Without the order it would be a payment of the friend's own cart.
    expect((await resume({})).status).toBe(409);
    expect((await resume({ dueVersion })).body).toEqual({ orderID: order.id, action: null });
    expect(await orderOf(order)).toMatchObject({ due: 0 });
    expect((await seen(friend, dueVersion)).body).toMatchObject({ due: 0 });
  });

  it('a customer who gives up paying the rest owes it still, and their cart is not touched', async () => {
    const order = await owing();
    const dueVersion = await versionOf(order);
    await add(testApp, order.session, mug);
    await pay(testApp, order.session, cards.challenge, { billVersion: dueVersion });
    const after = await testApp.call('cancelPayment', { session: order.session, body: { dueVersion } });
    expect(after).toMatchObject({ orderID: order.id, due: 1000, dueVersion });
    expect((await testApp.call('myCart', { session: order.session })).lineItems).toHaveLength(1);
    const rows = testApp.db.read.selectFrom('payments').select('state').where('order_id', '=', order.id);
    expect((await rows.execute()).map(({ state }) => state).toSorted()).toEqual(['failed', 'succeeded']);
  });

  it('an amount that has changed is refused until the customer has seen it', async () => {
    const order = await owing();
    const old = await versionOf(order);
    await testApp.services.fulfilment.take(order.number, 'cash', 400);
    const refused = await pay(testApp, order.session, cards.approve, { billVersion: old });
    expect([refused.status, refused.body.errorKey]).toEqual([409, 'billChanged']);
    // The page asks for the order under the name that it has.
    const now = (await seen(order.session, old)).body.dueVersion ?? '';
    expect((await pay(testApp, order.session, cards.approve, { billVersion: now })).status).toBe(200);
    expect(await chargesOf(order)).toEqual([order.total, 400, 600]);
    await changeBill(order, 500, 'another-bill');
    expect((await seen(order.session, old)).status).toBe(404);
    const gone = await pay(testApp, order.session, cards.approve, { billVersion: old });
    expect([gone.status, gone.body.errorKey]).toEqual([409, 'error.orderChanged']);
  });

  it('an order that is cancelled takes no payment, and one under way then is refunded', async () => {
    const [before, meanwhile] = [await owing(), await owing()];
    const old = await versionOf(before);
    await testApp.services.orderRefunds.cancelOrder(before.number, 'out of clay');
    expect((await seen(before.session, old)).body).not.toHaveProperty('dueVersion');
    const refused = await pay(testApp, before.session, cards.approve, { billVersion: old });
    expect([refused.status, refused.body.errorKey]).toEqual([409, 'error.orderChanged']);
    const billVersion = await versionOf(meanwhile);
    const held = await withHouse(
      testApp,
      {
        start: async () => {
          await testApp.services.orderRefunds.cancelOrder(meanwhile.number, 'out of clay');
          return { state: 'succeeded' };
        },
        refund: async () => {},
      },
      () => pay(testApp, meanwhile.session, cards.approve, { billVersion }),
    );
    expect([held.status, held.body.errorKey]).toEqual([402, 'payment.lateRefunded']);
    expect(await orderOf(meanwhile)).toMatchObject({ state: 'cancelled', paid: 0, due: 0 });
  });

  it('an order to be paid at the store is paid online only once a part was paid', async () => {
    const session = testApp.shopper();
    await add(testApp, session, mug, 2);
    await visit(testApp, session);
    const { orderID: id } = (await reserve(testApp, session)).body;
    const reserved = await testApp.call('order', { session, params: { id } });
    expect(reserved).not.toHaveProperty('dueVersion');
    const guess = `${id}.${reserved.due}.${'A'.repeat(22)}`;
    expect((await seen(session, guess)).status).toBe(404);
    expect((await pay(testApp, session, cards.approve, { billVersion: guess })).status).toBe(409);
    await testApp.services.fulfilment.take(reserved.orderNumber ?? '', 'cash', 500);
    const { dueVersion = '', due = 0 } = await testApp.call('order', { session, params: { id } });
    const { body } = await pay(testApp, session, cards.approve, { billVersion: dueVersion });
    expect(body.orderID).toBe(id);
    expect(await testApp.call('order', { session, params: { id } })).toMatchObject({
      paid: 500 + due,
      due: 0,
      state: 'reserved',
    });
  });
});
