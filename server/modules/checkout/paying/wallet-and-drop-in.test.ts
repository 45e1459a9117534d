/** A complete shop with fakes of PayPal and Braintree, used through the browser's calls. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBraintreeClient } from '#payment-providers/braintree/server/client.ts';
import { readBraintreeConfig } from '#payment-providers/braintree/server/config.ts';
import type { Webhook } from '#server/modules/payments/providers/provider.ts';
import { type BraintreeFake, startBraintreeFake } from '#tests/fakes/braintree/braintree.ts';
import { type PayPalFake, startPayPalFake } from '#tests/fakes/paypal/paypal.ts';
import { sellProduct } from '#tests/products.ts';
import { setUnits, shopperWithCart } from '#tests/shop-actions.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const minute = 60_000;

onOneEngine((engine) => {
  let testApp: TestApp;
  let payPal: PayPalFake;
  let braintree: BraintreeFake;
  beforeAll(async () => {
    [payPal, braintree] = await Promise.all([startPayPalFake(), startBraintreeFake()]);
    payPal.now = () => testNow;
    testApp = await createTestApp({ engine, demo: true, env: { ...payPal.env, ...braintree.env } });
    await sellProduct(testApp, mug);
  });
  afterAll(() => Promise.all([payPal.close(), braintree.close()]));
  beforeEach(async () => {
    payPal.lift();
    braintree.lift();
    testApp.clock.set(testNow);
    await setUnits(testApp, mug, 100);
  });

  const send = async (path: string, { headers, body }: Webhook) => {
    const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    return (
      await testApp.app.inject({ method: 'POST', url: `/api/webhooks/${path}`, headers: sent, payload: body })
    ).statusCode;
  };
  const cart = (session: Shopper) => testApp.call('myCart', { session });
  const orders = async () =>
    (await testApp.db.read.selectFrom('orders').select('id').where('state', '=', 'placed').execute()).length;

  describe('PayPal in the shop', () => {
    const reference = (token: string) => payPal.orders.get(token)?.customId ?? '';
    const begin = async () => {
      const session = await shopperWithCart(testApp, mug);
      const { bill } = await cart(session);
      const { token } = await testApp.call('payPalToken', { session, query: { id: bill.billVersion } });
      return { session, token, total: bill.total };
    };
    const approved = (session: Shopper, paymentId: string) =>
      testApp.ask('payPalPayment', { session, body: { paymentId, payerID: 'QYR5Z8XDVJNXQ' } });

    it('a shop with PayPal publishes the client ID of its mode alone', async () => {
      expect((await testApp.call('paymentConfig')).payPalEnabled).toBe(true);
      expect((await testApp.call('payPalOption')).payPalPaymentOption).toEqual({
        testingMode: true,
        enabled: true,
        sandBoxClientID: payPal.env.PAYPAL_CLIENT_ID,
        prodClientID: '',
      });
    });

    it('a capture by PayPal’s page after the shopper had gone back to the cart is refunded', async () => {
      const { session, token } = await begin();
      await testApp.call('cancelPayment', { session, body: {} });
      payPal.approve(token);
      expect(await send('paypal', payPal.webhook(token, 'CHECKOUT.ORDER.APPROVED'))).toBe(200);
      expect((await cart(session)).state).toBe('cart');
      payPal.captureThere(token);
      expect(payPal.taken(reference(token))).toBeGreaterThan(0);
      expect(await send('paypal', payPal.webhook(token, 'PAYMENT.CAPTURE.COMPLETED'))).toBe(200);
      expect(payPal.taken(reference(token))).toBe(0);
      expect(await cart(session)).toMatchObject({ state: 'cart', lineItems: [{ sku: mug }] });
    });

    it('a PayPal approval charges the total of the bill and places the order once', async () => {
      const { session, token, total } = await begin();
      payPal.approve(token);
      const before = await orders();
      const answers = await Promise.all([approved(session, token), approved(session, token)]);
      expect(new Set(answers.map(({ body }) => body.orderID)).size).toBe(1);
      expect(payPal.taken(reference(token))).toBe(total);
      expect(await orders()).toBe(before + 1);
    });

    it('a PayPal webhook alone places the order, even twice and before the shopper', async () => {
      const { session, token } = await begin();
      payPal.approve(token);
      const webhook = payPal.webhook(token, 'CHECKOUT.ORDER.APPROVED');
      expect([await send('paypal', webhook), await send('paypal', webhook)]).toEqual([200, 200]);
      expect((await cart(session)).lineItems).toEqual([]);
      expect((await approved(session, token)).body.orderID).toEqual(expect.any(String));
      expect(await send('paypal', { ...webhook, body: Buffer.from('{}') })).toBe(400);
    });

    it('a PayPal order is placed by reconciliation when neither webhook nor shopper arrives', async () => {
      const { session, token, total } = await begin();
      payPal.approve(token);
      testApp.clock.advance(2 * minute);
      expect((await testApp.services.payments.reconcile()).placed).toBeGreaterThan(0);
      expect((await cart(session)).lineItems).toEqual([]);
      expect(payPal.taken(reference(token))).toBe(total);
    });

    it('a cancelled PayPal payment frees the cart, and a later approval charges nothing', async () => {
      const { session, token } = await begin();
      expect(await testApp.call('cancelPayment', { session, body: {} })).toMatchObject({
        state: 'cart',
        lineItems: [{ sku: mug }],
      });
      payPal.approve(token);
      expect(await send('paypal', payPal.webhook(token, 'CHECKOUT.ORDER.APPROVED'))).toBe(200);
      testApp.clock.advance(20 * minute);
      await testApp.services.payments.reconcile();
      expect(payPal.taken(reference(token))).toBe(0);
      expect((await cart(session)).lineItems).toHaveLength(1);
    });

    it('a declined PayPal payment has the words of SPEC §8, and the cart can be paid again', async () => {
      const { session, token } = await begin();
      payPal.approve(token, 'PAYER_CANNOT_PAY');
      const { status, body } = await approved(session, token);
      expect([status, body.errorType, body.errorKey]).toEqual([
        402,
        'TRANSACTION_ERROR',
        'payment.paypal.declined',
      ]);
      const again = await testApp.call('payPalToken', { session });
      payPal.approve(again.token);
      expect((await approved(session, again.token)).status).toBe(200);
    });

    it('a PayPal order carries the number of its order and the shipping address', async () => {
      const { session, token } = await begin();
      const unit = () => payPal.orders.get(token)?.request.purchase_units[0];
      expect((await cart(session)).orderNumber).toBeNull();
      payPal.approve(token, 'PAYER_CANNOT_PAY');
      await approved(session, token);
      expect((await cart(session)).orderNumber).toBeNull();
      const again = await testApp.call('payPalToken', { session });
      payPal.approve(again.token);
      const { orderID } = (await approved(session, again.token)).body;
      const { orderNumber } = await testApp.call('order', { session, params: { id: orderID ?? '' } });
      // The same cart keeps its number from one attempt to the next.
      expect(orderNumber).toBe(unit()?.invoice_id);
      expect(orderNumber).toBe(payPal.orders.get(again.token)?.request.purchase_units[0]?.invoice_id);
      expect(unit()?.shipping?.address).toMatchObject({
        admin_area_2: 'Waterloo',
        admin_area_1: 'ON',
        country_code: 'CA',
      });
    });

    it('the PayPal window opens again after a decline, and the new choice is charged', async () => {
      const { session, token, total } = await begin();
      payPal.approve(token, 'INSTRUMENT_DECLINED');
      const { status, body } = await approved(session, token);
      expect([status, body]).toEqual([200, { orderID: null, action: { type: 'paypal', token } }]);
      testApp.clock.advance(2 * minute);
      await testApp.services.payments.reconcile();
      expect((await cart(session)).state).toBe('paying');
      payPal.approve(token);
      expect((await approved(session, token)).body.orderID).toEqual(expect.any(String));
      expect(payPal.taken(reference(token))).toBe(total);
    });

    it.each(['error', 'down', 'lost'] as const)(
      'a payment without a PayPal token (%s) leaves the cart to be paid in another way',
      async (kind) => {
        const session = await shopperWithCart(testApp, mug);
        payPal.fail(kind, /\/v2\/checkout\/orders$/);
        const { status, body } = await testApp.ask('payPalToken', { session });
        expect([status, body.errorType]).toEqual([503, 'SYSTEM_ERROR']);
        expect(await cart(session)).toMatchObject({ state: 'cart', lineItems: [{ sku: mug }] });
      },
    );

    it('a shop whose PayPal keys are rejected reports invalid settings', async () => {
      const session = await shopperWithCart(testApp, mug);
      payPal.revoke();
      const { body } = await testApp.ask('payPalToken', { session });
      payPal.restore();
      expect(body.message).toBe(
        'The PayPal settings for this store is invalid, please use another method of payment',
      );
    });
  });

  describe('Braintree in the shop', () => {
    const payBy = (session: Shopper, payment_method_nonce: string) =>
      testApp.ask('payByBraintree', { session, body: { payment_method_nonce } });
    /** Sends a sale of $49.72 for an attempt, as a process that died before the answer. */
    const sellBeside = async (fake: BraintreeFake, orderId: string) => {
      const { config } = readBraintreeConfig(fake.env);
      if (!config) throw new Error('The fake is no configuration');
      const paymentMethodNonce = fake.nonce('good');
      const sale = {
        amount: '49.72',
        merchantAccountId: 'shop_cad',
        deviceData: '',
        threeDSecureRequired: false,
      };
      await createBraintreeClient(config, 5000).sale({ ...sale, orderId, paymentMethodNonce });
    };
    const latest = () => [...braintree.transactions.values()].at(-1);

    it('a Braintree sale charges the total of the bill, however often it is sent', async () => {
      const session = await shopperWithCart(testApp, mug);
      const { bill } = await cart(session);
      const sends = await Promise.all([1, 2, 3].map(() => payBy(session, braintree.nonce('good'))));
      expect(new Set(sends.map(({ body }) => body.orderID)).size).toBe(1);
      expect(braintree.taken(latest()?.orderId ?? '')).toBe(bill.total);
    });

    it('a Braintree sale whose answer was lost is found', async () => {
      const session = await shopperWithCart(testApp, mug);
      braintree.fail('lost', /\/transactions$/, 1);
      expect((await payBy(session, braintree.nonce('good'))).body.orderID).toEqual(expect.any(String));
    });

    it('reconciliation places the order of a sale whose answers were lost', async () => {
      const session = await shopperWithCart(testApp, mug);
      const lift = braintree.fail('lost', /\/transactions/);
      const { status, body } = await payBy(session, braintree.nonce('good'));
      expect([status, body.errorKey]).toEqual([503, 'payment.undecided']);
      lift();
      testApp.clock.advance(2 * minute);
      await testApp.services.payments.reconcile();
      expect((await cart(session)).lineItems).toEqual([]);
    });

    it('a sale that a suspended process sent after it was given up is refunded a day later', async () => {
      const session = await shopperWithCart(testApp, mug);
      braintree.fail('down', /\/transactions$/, 1);
      expect((await payBy(session, braintree.nonce('good'))).status).toBe(503);
      testApp.clock.advance(11 * minute);
      await testApp.services.payments.reconcile();
      expect((await cart(session)).state).toBe('cart');
      const { provider_reference: reference } = await testApp.db.read
        .selectFrom('payments')
        .select('provider_reference')
        .where('provider', '=', 'Braintree')
        .where('state', '=', 'failed')
        .where('next_check_at', 'is not', null)
        .executeTakeFirstOrThrow();
      await sellBeside(braintree, reference);
      const taken = [braintree.taken(reference)];
      testApp.clock.advance(23 * 60 * minute);
      await testApp.services.payments.checkDue();
      taken.push(braintree.taken(reference));
      testApp.clock.advance(2 * 60 * minute);
      const lift = braintree.fail('down');
      await expect(testApp.services.payments.checkDue()).rejects.toThrow('Braintree');
      lift();
      testApp.clock.advance(4 * 60 * minute);
      await testApp.services.payments.checkDue();
      expect([...taken, braintree.taken(reference)]).toEqual([4972, 4972, 0]);
    });

    it('a webhook about a dispute is accepted, and a forged one is not', async () => {
      const session = await shopperWithCart(testApp, mug);
      expect((await payBy(session, braintree.nonce('good'))).status).toBe(200);
      const webhook = await braintree.webhook('dispute_opened', latest()?.id ?? '');
      expect(await send('braintree', webhook)).toBe(200);
      expect(await send('braintree', { ...webhook, body: Buffer.from(`${webhook.body}A`) })).toBe(400);
    });

    it('device data from the form is sent with the sale', async () => {
      const session = await shopperWithCart(testApp, mug);
      const deviceData = JSON.stringify({ correlation_id: '0f1e2d3c4b5a' });
      const body = { payment_method_nonce: braintree.nonce('good'), deviceData };
      expect((await testApp.ask('payByBraintree', { session, body })).status).toBe(200);
      expect(latest()?.deviceData).toBe(deviceData);
    });

    it('a declined Braintree payment has the words of SPEC §8, and the cart can be paid again', async () => {
      const session = await shopperWithCart(testApp, mug);
      const { status, body } = await payBy(session, braintree.nonce('declined'));
      expect([status, body.errorType]).toEqual([402, 'TRANSACTION_ERROR']);
      expect((await payBy(session, braintree.nonce('good'))).status).toBe(200);
    });

    it('the Braintree form gets a token, or the call answers 503', async () => {
      expect((await testApp.call('braintreeToken')).token).toEqual(expect.any(String));
      braintree.fail('down');
      testApp.clock.advance(10 * minute);
      expect((await testApp.ask('braintreeToken')).status).toBe(503);
    });
  });
});
