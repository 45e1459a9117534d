/** Shoppers who come back to a cart that is being paid. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PaymentInstrument } from '#contract/schemas/order.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import { diesWhilePaying, house, withHouse } from '#tests/payment-actions.ts';
import { add, pay, reserve, setUnits, shopperWithCart, visit } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MC-CM-01-OAT';

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
  });
  beforeEach(async () => {
    testApp.clock.set(testNow);
    await setUnits(testApp, mug, 100);
  });

  const orderOf = (session: Shopper, id: string) => testApp.call('order', { session, params: { id } });
  const charges = () => testApp.db.read.selectFrom('house_charges').selectAll().where('state', '=', 'succeeded').execute();

  describe('a cart that is being paid', () => {
    const change: [string, (session: Shopper) => Promise<{ status: number }>][] = [
      ['something is put in', (session) => add(testApp, session, mug)],
      ['it is to be fetched instead', (session) => visit(testApp, session)],
      [
        'it is to be paid at the store',
        async (session) => {
          await visit(testApp, session);
          return reserve(testApp, session);
        },
      ],
    ];

    it.each(change)('is given back when %s, and the attempt takes no money', async (_name, act) => {
      await testApp.services.editor.setStock(mug, 'toronto-queen-west', 10);
      const session = await shopperWithCart(testApp, mug);
      const { start } = house(testApp);
      const before = (await charges()).length;
      let meanwhile: { status: number } | null = null;
      const slow: Partial<PaymentProvider> = {
        start: async (charge, input, keep) => {
          const order = await testApp.call('myCart', { session });
          expect(order).toMatchObject({ state: 'paying', lineItems: [{ inventoryProcessingStatus: 'processing' }] });
          meanwhile = await act(session);
          return start(charge, input as PaymentInstrument, keep);
        },
      };
      const paid = await withHouse(testApp, slow, () => pay(testApp, session));
      expect([paid.status, paid.body.errorKey]).toEqual([402, 'payment.attemptEnded']);
      expect(meanwhile).toMatchObject({ status: 200 });
      expect((await charges()).length).toBe(before);
    });

    it.each(change.slice(0, 2))('is an order where it is too late when %s', async (name, act) => {
      const session = await shopperWithCart(testApp, mug);
      const { orderID } = await testApp.call('myCart', { session });
      await diesWhilePaying(testApp, session, true);
      const { status } = await act(session);
      expect(await orderOf(session, orderID ?? '')).toMatchObject({ state: 'placed', lineItems: [{ quantity: 1 }] });
      // What is put in goes into a new cart; a choice for a cart that is no more is refused.
      expect(status).toBe(name === 'something is put in' ? 200 : 409);
    });

    it('stays so while its provider cannot be reached', async () => {
      const session = await shopperWithCart(testApp, mug);
      await diesWhilePaying(testApp, session, false);
      const deaf = async () => ({ state: 'undecided' as const });
      const answer = await withHouse(testApp, { cancel: deaf }, () => add(testApp, session, mug));
      expect([answer.status, answer.body.errorKey]).toEqual([409, 'payment.inProgress']);
      expect((await add(testApp, session, mug)).status).toBe(200);
    });

    it('is given back by giving up, as often as one does', async () => {
      const session = await shopperWithCart(testApp, mug);
      await diesWhilePaying(testApp, session, false);
      for (const _twice of [1, 2])
        expect(await testApp.call('cancelPayment', { session, body: {} })).toMatchObject({
          state: 'cart',
          lineItems: [{ quantity: 1 }],
        });
      expect((await testApp.call('cancelPayment', { session: testApp.shopper() })).orderID).toBeNull();
    });

    it('is the order, where giving up comes too late', async () => {
      const session = await shopperWithCart(testApp, mug);
      await diesWhilePaying(testApp, session, true);
      expect(await testApp.call('cancelPayment', { session })).toMatchObject({ state: 'placed', payment: { paid: true } });
    });
  });
});
