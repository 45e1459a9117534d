/** Customers who return to a cart that is being paid. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PaymentInstrument } from '#contract/schemas/order.ts';
import type { PaymentProvider } from '#server/modules/payments/providers/provider.ts';
import { crashDuringPayment, house, withHouse } from '#tests/payment-actions.ts';
import { sellProduct } from '#tests/products.ts';
import { add, pay, reserve, setUnits, shopperWithCart, visit } from '#tests/shop-actions.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';

onOneEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug);
  });
  beforeEach(async () => {
    testApp.clock.set(testNow);
    await setUnits(testApp, mug, 100);
  });

  const orderOf = (session: Shopper, id: string) => testApp.call('order', { session, params: { id } });
  const charges = () =>
    testApp.db.read.selectFrom('house_charges').selectAll().where('state', '=', 'succeeded').execute();

  describe('a return to a cart that is being paid', () => {
    const change: [string, (session: Shopper) => Promise<{ status: number }>][] = [
      ['an item is added', (session) => add(testApp, session, mug)],
      ['pickup is chosen instead', (session) => visit(testApp, session)],
      [
        'payment in store is chosen instead',
        async (session) => {
          await visit(testApp, session);
          return reserve(testApp, session);
        },
      ],
    ];

    it.each(change)(
      'a cart in payment is freed when %s, and the attempt charges nothing',
      async (_name, act) => {
        await testApp.services.stock.count([{ sku: mug, place: 'toronto-queen-west', units: 10 }]);
        const session = await shopperWithCart(testApp, mug);
        const { start } = house(testApp);
        const before = (await charges()).length;
        let meanwhile: { status: number } | null = null;
        const slow: Partial<PaymentProvider> = {
          start: async (charge, input, keep) => {
            const order = await testApp.call('myCart', { session });
            expect(order).toMatchObject({
              state: 'paying',
              lineItems: [{ inventoryProcessingStatus: 'processing' }],
            });
            meanwhile = await act(session);
            return start(charge, input as PaymentInstrument, keep);
          },
        };
        const paid = await withHouse(testApp, slow, () => pay(testApp, session));
        expect([paid.status, paid.body.errorKey]).toEqual([402, 'payment.attemptEnded']);
        expect(meanwhile).toMatchObject({ status: 200 });
        expect((await charges()).length).toBe(before);
      },
    );

    it.each(change.slice(0, 2))(
      'a cart that was charged already becomes an order when %s',
      async (name, act) => {
        const session = await shopperWithCart(testApp, mug);
        const { orderID } = await testApp.call('myCart', { session });
        await crashDuringPayment(testApp, session, true);
        const { status } = await act(session);
        expect(await orderOf(session, orderID ?? '')).toMatchObject({
          state: 'placed',
          lineItems: [{ quantity: 1 }],
        });
        // An added item goes into a new cart; a choice for a cart that is gone is rejected.
        expect(status).toBe(name === 'an item is added' ? 200 : 409);
      },
    );

    it('a cart in payment stays so while its provider is out of reach', async () => {
      const session = await shopperWithCart(testApp, mug);
      await crashDuringPayment(testApp, session, false);
      const deaf = async () => ({ state: 'undecided' as const });
      const answer = await withHouse(testApp, { cancel: deaf }, () => add(testApp, session, mug));
      expect([answer.status, answer.body.errorKey]).toEqual([409, 'payment.inProgress']);
      expect((await add(testApp, session, mug)).status).toBe(200);
    });

    it('a cart in payment is freed by cancelling, however often', async () => {
      const session = await shopperWithCart(testApp, mug);
      await crashDuringPayment(testApp, session, false);
      for (const _twice of [1, 2])
        expect(await testApp.call('cancelPayment', { session, body: {} })).toMatchObject({
          state: 'cart',
          lineItems: [{ quantity: 1 }],
        });
      expect((await testApp.call('cancelPayment', { session: testApp.shopper() })).orderID).toBeNull();
    });

    it('a cart in payment becomes an order if the cancellation comes too late', async () => {
      const session = await shopperWithCart(testApp, mug);
      await crashDuringPayment(testApp, session, true);
      expect(await testApp.call('cancelPayment', { session })).toMatchObject({
        state: 'placed',
        payment: { paid: true },
      });
    });
  });
});
