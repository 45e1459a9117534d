/** Orders that cost nothing, with a coupon for the full amount. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailsFor } from '#tests/accounts.ts';
import { enter, issueCoupon, usesOf } from '#tests/coupons.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { sellProduct } from '#tests/products.ts';
import { add, contact, deliver, pay, reserve, setUnits, unitsOf, visit } from '#tests/shop-actions.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-OAT';

onOneEngine((engine) => {
  let testApp: TestApp;
  const payPal = new FakeProvider('PayPal');
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, providers: { paypal: payPal } });
    await sellProduct(testApp, mug);
  });
  beforeEach(() => setUnits(testApp, mug, 100, 'toronto-queen-west'));

  const free = () => issueCoupon(testApp, { percent: 100_000 });

  /** A dine-in customer whose coupon pays for everything. */
  async function atTable(): Promise<{ session: Shopper; code: string; email: string }> {
    const session = testApp.shopper();
    const code = await free();
    const email = `${code.toLowerCase()}@example.com`;
    await add(testApp, session, mug, 2);
    await testApp.call('orderContactInfo', {
      session,
      query: { methodName: 'instore', localStoreName: 'toronto-queen-west', tableNumber: '4' },
      body: { contact: { ...contact, email } },
    });
    expect((await enter(testApp, session, code)).body.order.bill.total).toBe(0);
    return { session, code, email };
  }

  async function expectPlaced(
    { session, code, email }: Awaited<ReturnType<typeof atTable>>,
    id: string,
  ): Promise<void> {
    const order = await testApp.call('order', { session, params: { id } });
    expect(order).toMatchObject({
      state: 'placed',
      orderReserved: false,
      payment: null,
      bill: { total: 0, couponCode: code },
    });
    expect(order.orderNumber).toMatch(/^MC-/);
    expect(await usesOf(testApp, code)).toEqual({ used: 1, held: 0, final: 1 });
    const mails = await mailsFor(testApp, email);
    expect(mails.map(({ text }) => text.includes('Nothing to pay'))).toEqual([true]);
    expect((await testApp.call('myCart', { session })).lineItems).toEqual([]);
    expect(
      await testApp.db.read.selectFrom('payments').select('id').where('order_id', '=', id).execute(),
    ).toEqual([]);
  }

  describe('free orders', () => {
    it('a free order is placed without payment, once, and its items are sold', async () => {
      const before = await unitsOf(testApp.db.read, mug);
      const shopper = await atTable();
      const { bill } = await testApp.call('myCart', { session: shopper.session });
      const answers = await Promise.all(
        [1, 2].map(() => reserve(testApp, shopper.session, { billVersion: bill.billVersion })),
      );
      const [id = ''] = answers.map(({ body }) => body.orderID);
      expect(answers.map(({ status, body }) => [status, body.orderID])).toEqual([
        [200, id],
        [200, id],
      ]);
      await expectPlaced(shopper, id);
      expect(await unitsOf(testApp.db.read, mug)).toEqual({
        ...before,
        stock: before.stock - 2,
        sold: before.sold + 2,
      });
    });

    it('a free order is placed by any of the placing calls without asking a provider', async () => {
      const card = await atTable();
      const paid = await pay(testApp, card.session);
      expect(paid.status).toBe(200);
      await expectPlaced(card, paid.body.orderID);

      const wallet = await atTable();
      const { orderID } = await testApp.call('myCart', { session: wallet.session });
      const token = await testApp.ask('payPalToken', { session: wallet.session });
      expect([token.status, token.body.errorKey]).toEqual([409, 'payment.alreadyPlaced']);
      expect(payPal.charges.size).toBe(0);
      await expectPlaced(wallet, orderID ?? '');
    });

    it('a free order may be shipped and needs no payment method', async () => {
      const { paymentConfig, shippingMethods } = await testApp.services.settings.all();
      await testApp.services.settings.update({
        paymentConfig: { ...paymentConfig, paymentOnline: false, payAtStoreEnabled: false },
        shippingMethods: shippingMethods.map((method) => ({ ...method, priceCents: 0 })),
      });
      await setUnits(testApp, mug, 100);
      const session = testApp.shopper();
      const code = await free();
      const email = `${code.toLowerCase()}@example.com`;
      await add(testApp, session, mug);
      await deliver(testApp, session, { contact: { ...contact, email } });
      await enter(testApp, session, code);
      const { status, body } = await reserve(testApp, session);
      expect(status).toBe(200);
      await expectPlaced({ session, code, email }, body.orderID);
      await testApp.services.settings.update({ paymentConfig, shippingMethods });
    });

    it('an order whose coupon has ended is not free', async () => {
      const { session, code } = await atTable();
      const { bill } = await testApp.call('myCart', { session });
      await testApp.services.coupons.end(code);
      const { status, body } = await reserve(testApp, session, { billVersion: bill.billVersion });
      expect([status, body.errorKey]).toEqual([409, 'billChanged']);
      expect((await testApp.call('myCart', { session })).state).toBe('cart');
    });
  });

  it('a cancelled free order releases its items and refunds nothing', async () => {
    const session = testApp.shopper();
    const code = await free();
    await add(testApp, session, mug);
    await visit(testApp, session);
    await enter(testApp, session, code);
    const before = await unitsOf(testApp.db.read, mug);
    const { body } = await reserve(testApp, session);
    const { orderNumber } = await testApp.call('order', { session, params: { id: body.orderID } });
    expect((await testApp.services.orderRefunds.cancelOrder(orderNumber ?? '', 'rang')).refund).toBeNull();
    expect(await unitsOf(testApp.db.read, mug)).toEqual(before);
  });
});
