/** When stock is held for a payment that waits for its customer: on approval at PayPal, and only briefly elsewhere. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { holdMs, waitingHoldMs } from '#server/modules/payments/payment/payment.ts';
import { type PayPalFake, startPayPalFake } from '#tests/fakes/paypal/paypal.ts';
import { sellProduct } from '#tests/products.ts';
import { cards, pay, setUnits, shopperWithCart, unitsOf } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';

forEachEngine((engine) => {
  let testApp: TestApp;
  let payPal: PayPalFake;
  beforeAll(async () => {
    payPal = await startPayPalFake();
    payPal.now = () => testNow;
    testApp = await createTestApp({ engine, demo: true, env: payPal.env });
    await sellProduct(testApp, mug);
  });
  afterAll(() => payPal.close());
  beforeEach(async () => {
    payPal.lift();
    testApp.clock.set(testNow);
    await setUnits(testApp, mug, 1);
  });

  const begin = async (session: Shopper) => {
    const { bill } = await testApp.call('myCart', { session });
    return (await testApp.call('payPalToken', { session, query: { id: bill.billVersion } })).token;
  };
  const approved = (session: Shopper, paymentId: string) =>
    testApp.ask('payPalPayment', { session, body: { paymentId, payerID: 'QYR5Z8XDVJNXQ' } });
  const taken = (token: string) => payPal.taken(payPal.orders.get(token)?.customId ?? '');
  const held = async () => (await unitsOf(testApp.db.read, mug)).held;

  it('a PayPal order that nobody has approved holds no stock', async () => {
    const sessions = [await shopperWithCart(testApp, mug), await shopperWithCart(testApp, mug)];
    const tokens = await Promise.all(sessions.map(begin));
    expect(await held()).toBe(0);
    expect((await pay(testApp, await shopperWithCart(testApp, mug))).status).toBe(200);
    for (const [n, session] of sessions.entries()) {
      const token = tokens[n] ?? '';
      payPal.approve(token);
      const answer = await approved(session, token);
      expect(answer).toMatchObject({ status: 409, body: { errorKey: 'rule.outOfStockLine' } });
      expect(taken(token)).toBe(0);
      expect((await testApp.call('myCart', { session })).state).toBe('cart');
    }
    expect(await held()).toBe(0);
  });

  it('one of two approvals for the last unit is charged and placed', async () => {
    const sessions = [await shopperWithCart(testApp, mug), await shopperWithCart(testApp, mug)];
    const tokens = await Promise.all(sessions.map(begin));
    for (const token of tokens) payPal.approve(token);
    const answers = await Promise.all(sessions.map((session, n) => approved(session, tokens[n] ?? '')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(tokens.filter((token) => taken(token) > 0)).toHaveLength(1);
    expect(await unitsOf(testApp.db.read, mug)).toMatchObject({ stock: 0, held: 0 });
  });

  it('a capture by PayPal’s own page for a sold-out item is refunded', async () => {
    const session = await shopperWithCart(testApp, mug);
    const token = await begin(session);
    expect((await pay(testApp, await shopperWithCart(testApp, mug))).status).toBe(200);
    payPal.approve(token);
    payPal.captureThere(token);
    expect((await approved(session, token)).status).toBe(402);
    expect(taken(token)).toBe(0);
    expect((await testApp.call('myCart', { session })).state).toBe('cart');
  });

  it.each(['answers', 'is away'])(
    'a cart whose PayPal order is never approved comes back in time while PayPal %s',
    async (how) => {
      const session = await shopperWithCart(testApp, mug);
      const token = await begin(session);
      if (how === 'is away') payPal.fail('down', /\/v2\/checkout\/orders/);
      testApp.clock.advance(holdMs);
      await testApp.services.payments.reconcile();
      expect(await testApp.call('myCart', { session })).toMatchObject({
        state: 'cart',
        lineItems: [{ sku: mug }],
      });
      payPal.lift();
      await testApp.services.payments.reconcile();
      payPal.approve(token);
      expect((await approved(session, token)).status).toBe(402);
      expect(taken(token)).toBe(0);
    },
  );

  it('an approval that PayPal declines holds nothing until the shopper approves again', async () => {
    const session = await shopperWithCart(testApp, mug);
    const token = await begin(session);
    payPal.approve(token, 'INSTRUMENT_DECLINED');
    expect((await approved(session, token)).body).toMatchObject({ orderID: null });
    expect(await held()).toBe(0);
    payPal.approve(token);
    expect((await approved(session, token)).status).toBe(200);
    expect(await unitsOf(testApp.db.read, mug)).toMatchObject({ stock: 0, held: 0 });
  });

  it('a hold of a payment that waits for its shopper ends sooner', async () => {
    const session = await shopperWithCart(testApp, mug);
    expect((await pay(testApp, session, cards.challenge)).status).toBe(200);
    expect(waitingHoldMs).toBeLessThan(holdMs);
    expect(await held()).toBe(1);
    testApp.clock.advance(waitingHoldMs - 1);
    await testApp.services.payments.reconcile();
    expect(await held()).toBe(1);
    testApp.clock.advance(1);
    await testApp.services.payments.reconcile();
    expect(await held()).toBe(0);
    expect((await testApp.call('myCart', { session })).state).toBe('cart');
  });

  it('another shopper gets the last unit as soon as the shopper of a waiting payment has had their time', async () => {
    const waiting = await shopperWithCart(testApp, mug);
    const next = await shopperWithCart(testApp, mug);
    expect((await pay(testApp, waiting, cards.challenge)).status).toBe(200);
    testApp.clock.advance(waitingHoldMs - 1);
    expect((await pay(testApp, next)).status).toBe(409);
    testApp.clock.advance(1);
    expect((await pay(testApp, next)).status).toBe(200);
  });
});
