/** Refunds that a provider declines: who is notified, what the customer reads, and how the money is still refunded. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createContainer } from '#server/container.ts';
import type { MerchantAlert } from '#server/modules/notifications/outbox.service.ts';
import { mailsFor } from '#tests/accounts.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { sellProduct } from '#tests/products.ts';
import { setUnits, shopperWithCart } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const minute = 60_000;

onOneEngine((engine) => {
  let testApp: TestApp;
  let merchant: string;
  const stripe = new FakeProvider('Stripe');
  const alerts: MerchantAlert[] = [];

  beforeAll(async () => {
    testApp = await createTestApp({
      engine,
      demo: true,
      services: (deps) =>
        createContainer({
          ...deps,
          providers: { stripe },
          onMerchantAlert: (alert) => void alerts.push(alert),
        }),
    });
    await sellProduct(testApp, mug);
    merchant = (await testApp.services.settings.all()).contactEmail;
  });
  beforeEach(async () => {
    testApp.clock.set(testNow);
    Object.assign(stripe, { line: 'good', answer: 'take', refusesRefunds: false, refundsWait: false });
    stripe.charges.clear();
    alerts.length = 0;
    await setUnits(testApp, mug, 100);
  });

  const byStripe = (session: Shopper) =>
    testApp.ask('payByStripe', { session, body: { confirmationToken: 'ctoken_1' } });
  const back = (session: Shopper) => testApp.ask('resumePayment', { session, body: { provider: 'Stripe' } });
  const refused = () => testApp.services.payments.refunds.refused();
  const alertMails = async () => (await mailsFor(testApp, merchant, 'merchantAlert')).map(({ text }) => text);

  const shop = (...words: string[]) => shopCommand(testApp, words);

  /** A payment that arrives after its order has expired and its items are sold. */
  async function paysTooLate(): Promise<Shopper> {
    const session = await shopperWithCart(testApp, mug, 2);
    stripe.line = 'lost';
    await byStripe(session);
    stripe.line = 'good';
    testApp.clock.advance(15 * minute);
    await testApp.services.holds.expireHolds();
    await setUnits(testApp, mug, 0);
    return session;
  }

  describe('late payments whose automatic refund is rejected', () => {
    it('a rejected refund of late money alerts the merchant in the log, by email, in doctor and in orders', async () => {
      stripe.refusesRefunds = true;
      await paysTooLate();
      await testApp.services.payments.reconcile();
      const [problem, ...others] = await refused();
      expect(others).toEqual([]);
      const id = problem?.refund.id ?? '';
      expect(problem?.refund).toMatchObject({
        state: 'refused',
        providerNote: 'The fake gives nothing back',
      });
      expect(alerts).toEqual([
        {
          kind: 'refundRefused',
          reference: id,
          values: {
            provider: 'Stripe',
            amount: expect.stringMatching(/^\$\d+\.\d\d$/),
            order: expect.stringMatching(/^MC-/),
            reason: 'The fake gives nothing back',
          },
        },
      ]);
      expect(
        (await alertMails()).filter((text) => text.includes('The fake gives nothing back')),
      ).toHaveLength(1);
      for (const words of [['orders'], ['refunds'], ['doctor']])
        expect((await shop(...words)).printed, words[0]).toContain(id);
      expect((await shop('doctor')).code).toBe(1);
      // The same refund is not alerted twice.
      await testApp.services.payments.reconcile();
      expect(alerts).toHaveLength(1);
      await testApp.services.payments.refunds.settle(id);
    });

    it('a shopper whose late payment is being refunded, was refunded or could not be refunded reads exactly that', async () => {
      stripe.refundsWait = true;
      const waits = await paysTooLate();
      expect(await back(waits)).toMatchObject({ status: 402, body: { errorKey: 'payment.lateRefundDue' } });
      stripe.refundsWait = false;
      await testApp.services.payments.reconcile();
      expect(await back(waits)).toMatchObject({ status: 402, body: { errorKey: 'payment.lateRefunded' } });
      await setUnits(testApp, mug, 100);
      stripe.refusesRefunds = true;
      const owed = await paysTooLate();
      // Both the request that learns the outcome and the next one answer so.
      for (let time = 0; time < 2; time++)
        expect(await back(owed)).toMatchObject({
          status: 402,
          body: {
            errorKey: 'payment.lateRefundFailed',
            message: expect.stringContaining('the automatic refund failed'),
          },
        });
      for (const { refund } of await refused()) await testApp.services.payments.refunds.settle(refund.id);
    });

    it('a rejected refund succeeds when the merchant retries it', async () => {
      stripe.refusesRefunds = true;
      const session = await paysTooLate();
      await testApp.services.payments.reconcile();
      const [first] = await refused();
      const again = await shop('refunds', 'retry', first?.refund.id ?? '');
      // The command has no Stripe: the refund becomes due again, and the running shop requests it.
      expect(again.code).toBe(1);
      expect(await refused()).toEqual([]);
      stripe.refusesRefunds = false;
      expect(await testApp.services.payments.reconcile()).toMatchObject({ refunded: 1, refused: 0 });
      expect(stripe.taken).toBe(0);
      expect(await back(session)).toMatchObject({ body: { errorKey: 'payment.lateRefunded' } });
      expect((await shop('refunds', 'retry', first?.refund.id ?? '')).printed).toContain(
        'No refused refund has the id',
      );
      expect((await shop('doctor')).printed).toContain('Refunds: none refused');
    });

    it('a merchant records that late money was returned in another way, and nothing more is refunded', async () => {
      stripe.refusesRefunds = true;
      await paysTooLate();
      await testApp.services.payments.reconcile();
      const [problem] = await refused();
      expect(await shop('refunds', 'settle', problem?.refund.id ?? '')).toMatchObject({
        code: 0,
        printed: expect.stringContaining('as returned another way'),
      });
      expect(await shop('refunds')).toEqual({ code: 0, printed: 'No refunds need attention.' });
      stripe.refusesRefunds = false;
      expect(await testApp.services.payments.reconcile()).toMatchObject({ refunded: 0 });
      expect(
        (await testApp.services.payments.attempts.find('Stripe', problem?.payment.reference ?? ''))?.state,
      ).toBe('refunded');
    });
  });

  async function bought() {
    const session = await shopperWithCart(testApp, mug);
    const { body } = await byStripe(session);
    const order = await testApp.call('order', { session, params: { id: body.orderID ?? '' } });
    return { session, id: body.orderID ?? '', number: order.orderNumber ?? '' };
  }

  it('a cancelled order whose refund is rejected says so and alerts the merchant', async () => {
    const { number } = await bought();
    stripe.refusesRefunds = true;
    const { order, refund } = await testApp.services.orderRefunds.cancelOrder(number, 'out of clay');
    expect([order.state, refund?.given, refund?.refused]).toEqual([
      'cancelled',
      false,
      'The fake gives nothing back',
    ]);
    expect(alerts.map(({ kind }) => kind)).toEqual(['refundRefused']);
    expect((await shop('orders', 'show', number)).printed).toContain('Refund refused: ');
    stripe.refusesRefunds = false;
    // The merchant refunds it by hand instead: nothing is left to do.
    await testApp.services.orderRefunds.refund(number, { reason: 'cancelled' });
    expect(await refused()).toEqual([]);
  });

  it('a refund that fails after it succeeded counts as owed again and alerts the merchant once', async () => {
    const { session, id, number } = await bought();
    const { refund } = await testApp.services.orderRefunds.refund(number, { amount: 500, reason: 'chipped' });
    const [reference = ''] = stripe.charges.keys();
    const payment = await testApp.services.payments.attempts.find('Stripe', reference);
    const send = () => testApp.services.payments.webhook('Stripe', stripe.webhookAbout(reference, refund.id));
    expect(await send()).toBe(true);
    expect(alerts).toEqual([]);
    if (payment) stripe.failRefund(payment, refund.id, 'The account is closed');
    expect([await send(), await send()]).toEqual([true, true]);
    expect(alerts.map(({ values }) => values)).toMatchObject([
      { order: number, reason: 'The account is closed' },
    ]);
    expect(await testApp.call('order', { session, params: { id } })).toMatchObject({
      payment: { refunded: 0 },
      refunds: [],
    });
    await testApp.services.payments.refunds.settle(refund.id);
  });

  it('a pending refund is completed by the webhook about it', async () => {
    const { number } = await bought();
    stripe.refundsWait = true;
    const { refund, given } = await testApp.services.orderRefunds.refund(number, {
      amount: 500,
      reason: 'chipped',
    });
    expect(given).toBe(false);
    expect((await testApp.services.payments.refunds.find(refund.id))?.providerNote).toBe(
      'The fake gives it back later',
    );
    testApp.clock.advance(25 * 60 * minute);
    expect((await shop('refunds')).printed).toContain('DELAYED  $5.00');
    expect(await testApp.services.payments.refunds.delayed()).toMatchObject([{ refund: { id: refund.id } }]);
    stripe.refundsWait = false;
    const [reference = ''] = stripe.charges.keys();
    expect(await testApp.services.payments.webhook('Stripe', stripe.webhookAbout(reference, refund.id))).toBe(
      true,
    );
    expect((await testApp.services.payments.refunds.find(refund.id))?.state).toBe('done');
  });

  it('a provider that rejects every payment frees the cart at once, and the merchant gets one email a day', async () => {
    stripe.answer = 'refuse all';
    const session = await shopperWithCart(testApp, mug);
    for (let time = 0; time < 2; time++) {
      expect(await byStripe(session)).toMatchObject({
        status: 503,
        body: { errorKey: 'payment.unavailable' },
      });
      expect((await testApp.call('myCart', { session })).state).toBe('cart');
    }
    expect(alerts).toHaveLength(2);
    expect(alerts[0]).toMatchObject({
      kind: 'paymentsRefused',
      values: { provider: 'Stripe', reason: 'The key was revoked' },
    });
    expect((await alertMails()).filter((text) => text.includes('The key was revoked'))).toHaveLength(1);
    testApp.clock.advance(24 * 60 * minute);
    await byStripe(await shopperWithCart(testApp, mug));
    expect((await alertMails()).filter((text) => text.includes('The key was revoked'))).toHaveLength(2);
  });
});
