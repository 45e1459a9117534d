/** The shop with providers that require actions of the customer, send webhooks, or cannot be reached. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailsFor, register } from '#tests/accounts.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { sellProduct } from '#tests/products.ts';
import {
  add,
  address,
  cards,
  contact,
  deliver,
  pay,
  setUnits,
  shopperWithCart,
  unitsOf,
  visit,
} from '#tests/shop-actions.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const minute = 60_000;

onOneEngine((engine) => {
  let testApp: TestApp;
  let stripe: FakeProvider;
  let payPal: FakeProvider;
  beforeAll(async () => {
    stripe = new FakeProvider('Stripe');
    payPal = new FakeProvider('PayPal');
    testApp = await createTestApp({ engine, demo: true, providers: { stripe, paypal: payPal } });
    await sellProduct(testApp, mug);
  });
  beforeEach(async () => {
    // Clears open attempts of the previous test.
    testApp.clock.set(testNow + 60 * minute);
    await testApp.services.payments.reconcile();
    testApp.clock.set(testNow);
    for (const fake of [stripe, payPal]) {
      Object.assign(fake, {
        answer: fake === payPal ? 'ask' : 'take',
        line: 'good',
        around: () => {},
        refusesRefunds: false,
      });
      fake.charges.clear();
    }
    await setUnits(testApp, mug, 100);
  });

  const byStripe = (session: Shopper, body: object = {}) =>
    testApp.ask('payByStripe', {
      session,
      body: { confirmationToken: 'ctoken_1', billingAddress: address, ...body },
    });
  const resume = (session: Shopper, provider = 'Stripe') =>
    testApp.ask('resumePayment', { session, body: { provider } });
  const orderOf = (session: Shopper, id: string | null) =>
    testApp.call('order', { session, params: { id: id ?? '' } });
  const references = (fake: FakeProvider) => [...fake.charges.keys()];
  const webhook = (path: string, reference: string, headers: object = { 'fake-signature': 'good' }) =>
    testApp.app.inject({
      method: 'POST',
      url: `/api/webhooks/${path}`,
      headers: { 'content-type': 'application/json', ...headers },
      payload: reference,
    });

  describe('a provider that needs an action of the shopper', () => {
    beforeEach(() => {
      stripe.answer = 'ask';
    });

    it('a provider is asked again after the shopper’s action, and the order is placed', async () => {
      const session = await shopperWithCart(testApp, mug);
      const begun = await byStripe(session);
      const [reference = ''] = references(stripe);
      expect([begun.status, begun.body]).toEqual([
        200,
        { orderID: null, action: { type: 'fake', token: FakeProvider.idOf(reference) } },
      ]);
      // Resumed too early, it still waits.
      expect((await resume(session)).body).toEqual(begun.body);
      stripe.approve(reference);
      const answers = await Promise.all([resume(session), resume(session)]);
      expect(new Set(answers.map(({ body }) => body.orderID)).size).toBe(1);
      expect((await orderOf(session, answers[0].body.orderID)).payment).toEqual({
        method: 'Stripe',
        paid: true,
        refunded: 0,
      });
      expect((await resume(session)).body).toEqual(answers[0].body);
      expect(references(stripe)).toEqual([reference]);
    });

    it('a new attempt ends the earlier one', async () => {
      const session = await shopperWithCart(testApp, mug);
      await byStripe(session);
      const [first = ''] = references(stripe);
      await byStripe(session);
      const [, second = ''] = references(stripe);
      // The window of the first attempt is still open.
      stripe.approve(first);
      stripe.approve(second);
      const { body } = await resume(session);
      expect(await orderOf(session, body.orderID)).toMatchObject({ state: 'placed' });
      expect(stripe.charges.get(first)?.state).toBe('failed');
      expect(stripe.taken).toBe((await orderOf(session, body.orderID)).bill.total);
    });

    it('an attempt ends when the shopper chooses another payment method', async () => {
      const session = await shopperWithCart(testApp, mug);
      await byStripe(session);
      const { paymentConfig } = await testApp.services.settings.all();
      const offer = (defaultGateWayProviderName: string) =>
        testApp.services.settings.update({ paymentConfig: { ...paymentConfig, defaultGateWayProviderName } });
      await offer('{host}');
      const { status } = await pay(testApp, session, cards.approve);
      await offer(paymentConfig.defaultGateWayProviderName);
      expect(status).toBe(200);
      stripe.approve(references(stripe)[0] ?? '');
      expect((await resume(session)).status).toBe(402);
      expect(stripe.taken).toBe(0);
    });

    it('a waiting attempt has the time of its hold and no more', async () => {
      const session = await shopperWithCart(testApp, mug);
      const before = await unitsOf(testApp.db.read, mug);
      await byStripe(session);
      testApp.clock.advance(11 * minute);
      expect(await testApp.services.payments.reconcile()).toMatchObject({ open: 1, ended: 0 });
      testApp.clock.advance(minute);
      expect(await testApp.services.payments.reconcile()).toMatchObject({ open: 0, ended: 1 });
      expect((await testApp.call('myCart', { session })).state).toBe('cart');
      expect((await unitsOf(testApp.db.read, mug)).stock).toBe(before.stock);
      stripe.approve(references(stripe)[0] ?? '');
      expect((await resume(session)).status).toBe(402);
      expect(stripe.taken).toBe(0);
    });

    it('an attempt cannot be resumed by another shopper', async () => {
      await byStripe(await shopperWithCart(testApp, mug));
      stripe.approve(references(stripe)[0] ?? '');
      const stranger = await shopperWithCart(testApp, mug);
      expect((await resume(stranger)).status).toBe(409);
      expect(stripe.taken).toBe(0);
    });
  });

  it('a provider receives the shipping address of an order, and none for a pickup', async () => {
    await byStripe(await shopperWithCart(testApp, mug));
    expect(stripe.asked?.shipTo).toEqual({
      name: 'Jordan Lin',
      phone: contact.phoneNumber,
      line1: address.streetNumberAndNameDetails,
      line2: '',
      city: 'Waterloo',
      province: 'ON',
      postCode: 'N2L 0A1',
      country: 'CA',
    });
    const session = testApp.shopper();
    await setUnits(testApp, mug, 100, 'toronto-queen-west');
    await add(testApp, session, mug);
    await visit(testApp, session);
    await byStripe(session);
    expect([stripe.asked?.amount, stripe.asked?.shipTo]).toEqual([expect.any(Number), undefined]);
  });

  describe('PayPal payments', () => {
    const token = (session: Shopper, id?: string) =>
      testApp.ask('payPalToken', { session, query: id ? { id } : {} });
    const approved = (session: Shopper, paymentId: string) =>
      testApp.ask('payPalPayment', { session, body: { paymentId, payerID: 'PAYER' } });

    it('a PayPal payment gives a token, is approved, and places the order', async () => {
      const session = await shopperWithCart(testApp, mug);
      const { bill } = await testApp.call('myCart', { session });
      const begun = await token(session, bill.billVersion);
      const [reference = ''] = references(payPal);
      expect(begun.body).toEqual({ token: FakeProvider.idOf(reference) });
      payPal.approve(reference);
      const { body } = await approved(session, begun.body.token);
      expect(await orderOf(session, body.orderID)).toMatchObject({
        state: 'placed',
        payment: { method: 'PayPal' },
        bill,
      });
      expect(payPal.taken).toBe(bill.total);
      expect((await approved(session, begun.body.token)).body).toEqual(body);
    });

    it('an approval of another shopper’s PayPal payment is rejected', async () => {
      const begun = await token(await shopperWithCart(testApp, mug));
      payPal.approve(references(payPal)[0] ?? '');
      const stranger = await shopperWithCart(testApp, mug);
      expect((await approved(stranger, begun.body.token)).status).toBe(409);
      expect((await approved(stranger, 'made-up')).status).toBe(409);
      expect(payPal.taken).toBe(0);
    });

    it('a PayPal payment for a bill that the shopper has not seen is a conflict', async () => {
      const session = await shopperWithCart(testApp, mug);
      const { bill } = await testApp.call('myCart', { session });
      await add(testApp, session, mug);
      expect(await token(session, bill.billVersion)).toMatchObject({
        status: 409,
        body: { errorKey: 'billChanged' },
      });
    });

    it('an abandoned PayPal payment leaves the cart as it was', async () => {
      const session = await shopperWithCart(testApp, mug, 2);
      await token(session);
      expect(await testApp.call('cancelPayment', { session })).toMatchObject({
        state: 'cart',
        lineItems: [{ quantity: 2 }],
      });
    });
  });

  describe('webhooks of providers', () => {
    it('a webhook that arrives before the shopper is back places the order, and the shopper finds it', async () => {
      const customer = await register(testApp);
      const { session, email } = customer;
      await add(testApp, session, mug);
      await deliver(testApp, session, { contact: { ...contact, email } });
      stripe.answer = 'ask';
      await byStripe(session);
      const [reference = ''] = references(stripe);
      stripe.approve(reference);
      const answers = await Promise.all([webhook('stripe', reference), webhook('stripe', reference)]);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
      const { body } = await resume(session);
      expect(await orderOf(session, body.orderID)).toMatchObject({ state: 'placed' });
      expect((await webhook('stripe', reference)).statusCode).toBe(200);
      expect(await mailsFor(testApp, email, 'orderConfirmation')).toHaveLength(1);
      expect(references(stripe)).toHaveLength(1);
    });

    it('a webhook that never arrives is not needed', async () => {
      const session = await shopperWithCart(testApp, mug);
      stripe.answer = 'ask';
      await byStripe(session);
      stripe.approve(references(stripe)[0] ?? '');
      expect(await testApp.services.payments.reconcile()).toMatchObject({ placed: 1 });
      expect((await testApp.call('myCart', { session })).lineItems).toEqual([]);
    });

    it('a webhook is verified by asking the provider', async () => {
      const session = await shopperWithCart(testApp, mug);
      stripe.answer = 'ask';
      await byStripe(session);
      expect((await webhook('stripe', references(stripe)[0] ?? '')).statusCode).toBe(200);
      expect((await testApp.call('myCart', { session })).state).toBe('paying');
    });

    it('a webhook without its signature is rejected and changes nothing', async () => {
      const session = await shopperWithCart(testApp, mug);
      stripe.answer = 'ask';
      await byStripe(session);
      const [reference = ''] = references(stripe);
      stripe.approve(reference);
      for (const path of ['stripe', 'paypal'])
        expect((await webhook(path, reference, {})).statusCode).toBe(400);
      // Braintree is not set up here.
      expect((await webhook('braintree', reference)).statusCode).toBe(400);
      expect((await testApp.call('myCart', { session })).state).toBe('paying');
    });

    it('a webhook is to be sent again if the provider is out of reach', async () => {
      const session = await shopperWithCart(testApp, mug);
      stripe.answer = 'ask';
      await byStripe(session);
      const [reference = ''] = references(stripe);
      stripe.approve(reference);
      stripe.line = 'silent';
      expect((await webhook('stripe', reference)).statusCode).toBe(503);
      stripe.line = 'good';
      expect((await webhook('stripe', reference)).statusCode).toBe(200);
      expect((await testApp.call('myCart', { session })).lineItems).toEqual([]);
    });

    it('a webhook about something else is accepted, so that it is not sent again', async () => {
      for (const reference of ['', 'unknown'])
        expect((await webhook('stripe', reference)).statusCode).toBe(200);
    });

    it('a webhook may be a megabyte long, whatever its type, and no longer', async () => {
      const send = (length: number) =>
        webhook('stripe', 'x'.repeat(length), { 'fake-signature': 'good', 'content-type': 'text/x' });
      expect((await send(1024 * 1024)).statusCode).toBe(200);
      expect((await send(1024 * 1024 + 1)).statusCode).toBe(413);
    });
  });

  describe('a provider that is out of reach', () => {
    it('a payment stays open while its provider is out of reach, and the shopper may try again', async () => {
      const session = await shopperWithCart(testApp, mug);
      stripe.line = 'silent';
      const { status, body } = await byStripe(session);
      expect([status, body.errorType, body.errorKey]).toEqual([503, 'SYSTEM_ERROR', 'payment.undecided']);
      stripe.line = 'good';
      expect((await byStripe(session)).status).toBe(200);
      expect(references(stripe)).toHaveLength(1);
    });

    it('a charge whose answer was lost is found later', async () => {
      const session = await shopperWithCart(testApp, mug);
      stripe.line = 'lost';
      expect((await byStripe(session)).status).toBe(503);
      stripe.line = 'good';
      expect(await testApp.services.payments.reconcile()).toMatchObject({ placed: 1 });
      expect((await byStripe(session)).status).toBe(200);
      expect(stripe.charges.size).toBe(1);
    });
  });

  it('the calls of a provider that is not set up say so', async () => {
    const bare = await createTestApp({ engine, demo: true });
    await sellProduct(bare, mug);
    const session = await shopperWithCart(bare, mug);
    const statuses = await Promise.all([
      bare.ask('stripePublicKey', { session }),
      bare.ask('braintreeToken', { session }),
      bare.ask('payPalToken', { session }),
      bare.ask('payByStripe', { session, body: { confirmationToken: 'x' } }),
      bare.ask('payByBraintree', { session, body: { payment_method_nonce: 'x' } }),
      bare.ask('payPalPayment', { session, body: { paymentId: 'x' } }),
      bare.ask('resumePayment', { session, body: { provider: 'Stripe' } }),
    ]);
    expect(statuses.map(({ status, body }) => `${status} ${body.errorKey}`)).toEqual(
      Array(7).fill('404 rule.gatewayNotSetUp'),
    );
    expect(await bare.call('payPalOption', { session })).toEqual({
      payPalPaymentOption: { testingMode: false, enabled: false, sandBoxClientID: '', prodClientID: '' },
    });
  });

  it('the payment methods on offer depend on what is set up', async () => {
    expect(await testApp.call('stripePublicKey')).toEqual({ publishableKey: 'pk_test_fake' });
    expect((await testApp.call('payPalOption')).payPalPaymentOption.enabled).toBe(true);
    const config = () => testApp.call('paymentConfig');
    // The demo leaves the choice to the providers that are set up.
    expect(await config()).toMatchObject({
      paymentOnline: true,
      payPalEnabled: true,
      defaultGateWayProviderName: 'Stripe',
    });
    const { paymentConfig } = await testApp.services.settings.all();
    const set = (change: object) =>
      testApp.services.settings.update({ paymentConfig: { ...paymentConfig, ...change } });
    await set({ defaultGateWayProviderName: '{host}' });
    expect(await config()).toMatchObject({ defaultGateWayProviderName: '{host}' });
    await set({ defaultGateWayProviderName: 'Braintree' });
    expect(await config()).toMatchObject({ defaultGateWayProviderName: 'Stripe' });
    await set({ paymentOnline: false });
    expect(await config()).toMatchObject({
      paymentOnline: false,
      payPalEnabled: false,
      defaultGateWayProviderName: '',
    });
    await set({});
  });
});
