/** Payments with unknown outcomes, and expiring holds. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Attempt, PaymentProvider } from '#server/modules/payments/providers/provider.ts';
import { crashDuringPayment, seeBill, withHouse } from '#tests/payment-actions.ts';
import { sellProduct } from '#tests/products.ts';
import { add, cards, pay, setUnits, shopperWithCart, unitsOf, visit } from '#tests/shop-actions.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const pot = 'TEAPOT';
const minute = 60_000;

onBothEngines((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    for (const sku of [mug, pot]) await sellProduct(testApp, sku);
  });
  beforeEach(async () => {
    testApp.clock.set(testNow);
    await setUnits(testApp, mug, 100);
  });

  const orderOf = (session: Shopper, id: string) => testApp.call('order', { session, params: { id } });
  const cartId = async (session: Shopper) => (await testApp.call('myCart', { session })).orderID ?? '';
  const charges = () =>
    testApp.db.read.selectFrom('house_charges').selectAll().where('state', '=', 'succeeded').execute();

  describe('payments with a lost answer', () => {
    it('a payment without an answer is requested once more', async () => {
      const session = await shopperWithCart(testApp, mug);
      const { status, body } = await pay(testApp, session, cards.answerLost);
      expect(status).toBe(200);
      expect((await orderOf(session, body.orderID ?? '')).state).toBe('placed');
    });

    it('a charge with a lost answer places the order at the next reconciliation', async () => {
      const session = await shopperWithCart(testApp, mug);
      const { bill } = await testApp.call('myCart', { session });
      const lost = await crashDuringPayment(testApp, session, true);
      expect([lost.status, lost.body.errorType]).toEqual([503, 'SYSTEM_ERROR']);
      await testApp.services.payments.reconcile();
      const again = await pay(testApp, session, cards.approve, { billVersion: bill.billVersion });
      expect((await orderOf(session, again.body.orderID ?? '')).state).toBe('placed');
    });

    it('a shopper with a lost answer may simply try again', async () => {
      const before = (await charges()).length;
      const session = await shopperWithCart(testApp, mug);
      await crashDuringPayment(testApp, session, true);
      const again = await pay(testApp, session);
      expect(again.status).toBe(200);
      expect((await charges()).length).toBe(before + 1);
    });

    it('an attempt that failed frees the cart after a minute', async () => {
      const session = await shopperWithCart(testApp, mug);
      const { stock } = await unitsOf(testApp.db.read, mug);
      await crashDuringPayment(testApp, session, false);
      await testApp.services.payments.reconcile();
      expect((await testApp.call('myCart', { session })).state).toBe('paying');
      expect((await unitsOf(testApp.db.read, mug)).stock).toBe(stock - 1);
      testApp.clock.advance(minute);
      await testApp.services.payments.reconcile();
      expect(await testApp.call('myCart', { session })).toMatchObject({
        state: 'cart',
        lineItems: [{ quantity: 1 }],
      });
      expect((await unitsOf(testApp.db.read, mug)).stock).toBe(stock);
      expect((await pay(testApp, session)).status).toBe(200);
    });
  });

  describe('expired holds', () => {
    const deaf: Partial<PaymentProvider> = {
      complete: async () => ({ state: 'undecided' }),
      cancel: async () => ({ state: 'undecided' }),
    };

    it('an expired hold releases stock and time, and the shopper gets a copy of the cart', async () => {
      const session = testApp.shopper();
      await testApp.services.stock.count([{ sku: mug, place: 'toronto-queen-west', units: 10 }]);
      await add(testApp, session, mug, 2);
      await visit(testApp, session);
      const at = testNow + 4 * 60 * minute;
      await testApp.call('orderPickupDate', { session, body: { pickupDate: at } });
      const { orderID } = await testApp.call('myCart', { session });
      const before = await unitsOf(testApp.db.read, mug);
      const taken = async () =>
        (
          await testApp.db.read
            .selectFrom('pickup_slots')
            .select('taken')
            .where('slot_at', '=', at)
            .executeTakeFirst()
        )?.taken ?? 0;
      const placesBefore = await taken();
      await crashDuringPayment(testApp, session, false);
      expect(await taken()).toBe(placesBefore + 1);
      testApp.clock.advance(15 * minute);
      await withHouse(testApp, deaf, () => testApp.services.payments.reconcile());
      expect(await unitsOf(testApp.db.read, mug)).toEqual(before);
      expect(await taken()).toBe(placesBefore);
      const cart = await testApp.call('myCart', { session });
      expect(cart).toMatchObject({
        state: 'cart',
        method: 'pickup',
        pickupDate: at,
        lineItems: [{ sku: mug, quantity: 2 }],
      });
      expect(cart.orderID).not.toBe(orderID);
    });

    it('an expired hold is released at once to somebody who wants the items', async () => {
      await setUnits(testApp, mug, 1);
      await crashDuringPayment(testApp, await shopperWithCart(testApp, mug), false);
      testApp.clock.advance(15 * minute);
      const other = await add(testApp, testApp.shopper(), mug);
      expect([other.status, other.body.lineItems[0]?.obtainable]).toEqual([200, 1]);
      await setUnits(testApp, mug, 0);
      expect((await add(testApp, testApp.shopper(), mug)).status).toBe(409);
    });

    it('late money still places the order while its items are in stock', async () => {
      const session = await shopperWithCart(testApp, mug, 2);
      const { orderID } = await testApp.call('myCart', { session });
      const before = await unitsOf(testApp.db.read, mug);
      await crashDuringPayment(testApp, session, true);
      testApp.clock.advance(15 * minute);
      await testApp.services.holds.expireHolds();
      expect(await testApp.call('myCart', { session })).toMatchObject({ lineItems: [{ quantity: 2 }] });
      await testApp.services.payments.reconcile();
      expect((await orderOf(session, orderID ?? '')).state).toBe('placed');
      expect(await unitsOf(testApp.db.read, mug)).toEqual({
        ...before,
        stock: before.stock - 2,
        sold: before.sold + 2,
      });
      // The cart that replaced it is deleted too, so that the customer does not buy the same items twice by mistake.
      expect((await testApp.call('myCart', { session })).lineItems).toEqual([]);
    });

    it('late money for sold-out items is refunded', async () => {
      const session = await shopperWithCart(testApp, mug, 2);
      const { orderID } = await testApp.call('myCart', { session });
      await crashDuringPayment(testApp, session, true);
      testApp.clock.advance(15 * minute);
      await testApp.services.holds.expireHolds();
      await setUnits(testApp, mug, 1);
      await settleLate(orderID ?? '');
      await testApp.services.payments.reconcile();
      expect((await testApp.ask('order', { session, params: { id: orderID ?? '' } })).status).toBe(404);
      const { provider_reference } = await paymentOf(orderID ?? '');
      const charge = (await charges()).find(({ reference }) => reference === provider_reference);
      expect(charge?.refunded_cents).toBe(charge?.amount_cents);
      expect((await paymentOf(orderID ?? '')).state).toBe('refunded');
      expect((await unitsOf(testApp.db.read, mug)).stock).toBe(1);
    });

    it('late money for what was bought again meanwhile is refunded', async () => {
      for (const again of ['bought', 'bought, after lapsing once more', 'being paid'] as const) {
        const session = await shopperWithCart(testApp, mug, 2);
        const orderID = await cartId(session);
        const before = await unitsOf(testApp.db.read, mug);
        await crashDuringPayment(testApp, session, true);
        testApp.clock.advance(15 * minute);
        await testApp.services.holds.expireHolds();
        if (again === 'bought, after lapsing once more') {
          await crashDuringPayment(testApp, session, false);
          testApp.clock.advance(15 * minute);
          await testApp.services.holds.expireHolds();
        }
        if (again === 'being paid') await crashDuringPayment(testApp, session, false);
        else {
          await seeBill(testApp, session);
          expect((await pay(testApp, session)).status).toBe(200);
        }
        await settleLate(orderID);
        await testApp.services.payments.reconcile();
        expect((await paymentOf(orderID)).state, again).toBe('refunded');
        expect((await testApp.ask('order', { session, params: { id: orderID } })).status).toBe(404);
        const { stock } = await unitsOf(testApp.db.read, mug);
        expect(stock, again).toBe(before.stock - 2);
      }
    });

    it('the copied cart is removed though a card was declined for it, and stays if it was changed', async () => {
      for (const change of ['declined', 'lapsed once more', 'changed'] as const) {
        const session = await shopperWithCart(testApp, mug, 2);
        const orderID = await cartId(session);
        await crashDuringPayment(testApp, session, true);
        testApp.clock.advance(15 * minute);
        await testApp.services.holds.expireHolds();
        await seeBill(testApp, session);
        if (change === 'declined') expect((await pay(testApp, session, cards.decline)).status).toBe(402);
        if (change === 'changed') await add(testApp, session, pot);
        if (change === 'lapsed once more') {
          await crashDuringPayment(testApp, session, false);
          testApp.clock.advance(15 * minute);
          await testApp.services.holds.expireHolds();
        }
        await settleLate(orderID);
        expect((await orderOf(session, orderID)).state, change).toBe('placed');
        const left = (await testApp.call('myCart', { session })).lineItems.map(({ sku }) => sku);
        expect(left, change).toEqual(change === 'changed' ? [mug, pot] : []);
        if (change !== 'changed') continue;
        // It is a separate purchase now, even if money arrives late.
        const next = await cartId(session);
        await crashDuringPayment(testApp, session, true);
        testApp.clock.advance(15 * minute);
        await testApp.services.holds.expireHolds();
        await settleLate(next);
        expect((await orderOf(session, next)).state).toBe('placed');
      }
    });

    it('a shopper who returns to a refunded payment is not told that it is an order', async () => {
      const session = await shopperWithCart(testApp, mug, 2);
      const orderID = await cartId(session);
      await crashDuringPayment(testApp, session, true);
      testApp.clock.advance(15 * minute);
      await testApp.services.holds.expireHolds();
      await setUnits(testApp, mug, 1);
      await settleLate(orderID);
      await testApp.services.payments.reconcile();
      const { provider_reference: reference } = await paymentOf(orderID);
      expect(await testApp.services.payables.paid({ provider: 'house', reference })).toBeNull();
      const back = await testApp.ask('resumePayment', { session, body: { provider: 'house' } });
      expect([back.status, back.body.errorKey]).toEqual([402, 'payment.lateRefunded']);
    });

    const paymentOf = (orderId: string) =>
      testApp.db.read
        .selectFrom('payments')
        .selectAll()
        .where('order_id', '=', orderId)
        .executeTakeFirstOrThrow();
    /** Settles as a provider's webhook would. */
    const settleLate = async (orderId: string) => {
      const { provider_reference } = await paymentOf(orderId);
      await testApp.services.payables.paid({ provider: 'house', reference: provider_reference });
    };
  });

  it('one payment that cannot be settled does not block others', async () => {
    const stuck = await shopperWithCart(testApp, mug);
    const other = await shopperWithCart(testApp, mug);
    const stuckId = (await testApp.call('myCart', { session: stuck })).orderID;
    await crashDuringPayment(testApp, stuck, false);
    await crashDuringPayment(testApp, other, false);
    testApp.clock.advance(minute);
    const { reference } = (await testApp.services.payments.attempts.undecided()).find(
      ({ orderId }) => orderId === stuckId,
    ) ?? {
      reference: '',
    };
    const complete = async (asked: Attempt) => {
      if (asked.reference !== reference) return { state: 'undecided' } as const;
      return {
        state: 'failed',
        get failure(): never {
          throw new Error('What cannot be written down');
        },
      } as const;
    };
    await withHouse(testApp, { complete }, () =>
      expect(testApp.services.payments.reconcile()).rejects.toThrow('1 payments could not be settled'),
    );
    expect((await testApp.call('myCart', { session: stuck })).state).toBe('paying');
    expect((await testApp.call('myCart', { session: other })).state).toBe('cart');
    await testApp.services.payments.reconcile();
    expect((await testApp.call('myCart', { session: stuck })).state).toBe('cart');
  });
});
