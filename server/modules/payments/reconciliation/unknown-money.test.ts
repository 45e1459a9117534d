/** Money at providers whose payment the database does not know, such as after a backup was restored. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBraintreeClient } from '#payment-providers/braintree/server/client.ts';
import { readBraintreeConfig } from '#payment-providers/braintree/server/config.ts';
import { createContainer } from '#server/container.ts';
import type { MerchantAlert } from '#server/modules/notifications/outbox.service.ts';
import { mailsFor } from '#tests/accounts.ts';
import { type BraintreeFake, startBraintreeFake } from '#tests/fakes/braintree/braintree.ts';
import { type PayPalFake, startPayPalFake } from '#tests/fakes/paypal/paypal.ts';
import { testCards } from '#tests/fakes/stripe/cards.ts';
import { type StripeFake, startStripeFake } from '#tests/fakes/stripe/server.ts';
import { sellProduct } from '#tests/products.ts';
import { setUnits, shopperWithCart } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, onBothEngines, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';

onBothEngines((engine) => {
  let testApp: TestApp;
  let stripe: StripeFake;
  let payPal: PayPalFake;
  let braintree: BraintreeFake;
  const alerts: MerchantAlert[] = [];

  beforeAll(async () => {
    [stripe, payPal, braintree] = await Promise.all([
      startStripeFake(),
      startPayPalFake(),
      startBraintreeFake(),
    ]);
    payPal.now = () => testNow;
    testApp = await createTestApp({
      engine,
      demo: true,
      env: { ...stripe.env, ...payPal.env, ...braintree.env },
      services: (deps) => createContainer({ ...deps, onMerchantAlert: (alert) => void alerts.push(alert) }),
    });
    await sellProduct(testApp, mug);
  });
  afterAll(() => Promise.all([stripe.close(), payPal.close(), braintree.close()]));
  beforeEach(async () => {
    alerts.length = 0;
    await setUnits(testApp, mug, 100);
  });

  /** The references at the provider, which are also those in the database. */
  async function paidByStripe(): Promise<{ reference: string; intent: string }> {
    const session = await shopperWithCart(testApp, mug);
    const body = { confirmationToken: stripe.token(testCards.approve.method) };
    const { orderID } = await testApp.call('payByStripe', { session, body });
    const payment = await testApp.services.payments.attempts.succeededOf(orderID ?? '');
    return { reference: payment?.reference ?? '', intent: payment?.providerId ?? '' };
  }
  async function paidByPayPal(): Promise<{ reference: string; order: string; capture: string }> {
    const session = await shopperWithCart(testApp, mug);
    const { token } = await testApp.call('payPalToken', { session });
    payPal.approve(token);
    await testApp.call('payPalPayment', { session, body: { paymentId: token } });
    const order = payPal.orders.get(token);
    return { reference: order?.customId ?? '', order: token, capture: order?.capture?.id ?? '' };
  }
  /** As a backup from before the payment. */
  const forget = (reference: string) =>
    testApp.db.transaction((trx) =>
      trx.deleteFrom('payments').where('provider_reference', '=', reference).execute(),
    );

  describe('a signed report of money that the database does not know', () => {
    const mails = async (part: string) => {
      const { contactEmail } = await testApp.services.settings.all();
      return (await mailsFor(testApp, contactEmail, 'merchantAlert')).filter(({ text }) =>
        text.includes(part),
      );
    };

    it('alerts the merchant once for each payment, however often Stripe sends it', async () => {
      const { reference } = await paidByStripe();
      await forget(reference);
      const { headers, body } = stripe.webhooks.lastAbout('"type":"payment_intent.succeeded"');
      for (let time = 0; time < 3; time++)
        expect(await testApp.services.payments.webhook('Stripe', { headers, body: Buffer.from(body) })).toBe(
          true,
        );
      expect(alerts).toMatchObject([
        {
          kind: 'unknownPayment',
          values: { provider: 'Stripe', payment: reference, amount: expect.stringMatching(/^\$\d/) },
        },
      ]);
      expect(await mails(reference)).toHaveLength(1);
    });

    it('alerts the merchant once for each payment, however often PayPal sends it', async () => {
      const { reference, order } = await paidByPayPal();
      await forget(reference);
      for (let time = 0; time < 2; time++)
        expect(
          await testApp.services.payments.webhook(
            'PayPal',
            payPal.webhook(order, 'PAYMENT.CAPTURE.COMPLETED'),
          ),
        ).toBe(true);
      expect(alerts).toMatchObject([
        { kind: 'unknownPayment', values: { provider: 'PayPal', payment: reference } },
      ]);
    });

    it('alerts nobody if it is about no money, or not about a payment of a shop', async () => {
      const session = await shopperWithCart(testApp, mug);
      const { token } = await testApp.call('payPalToken', { session });
      await forget(payPal.orders.get(token)?.customId ?? '');
      await testApp.services.payments.webhook('PayPal', payPal.webhook(token, 'CHECKOUT.ORDER.APPROVED'));
      const event = {
        data: {
          object: { object: 'charge', status: 'succeeded', amount: 500, currency: 'cad', metadata: {} },
        },
      };
      const { headers, body } = stripe.webhooks.sign(JSON.stringify({ object: 'event', ...event }));
      expect(await testApp.services.payments.webhook('Stripe', { headers, body: Buffer.from(body) })).toBe(
        true,
      );
      expect(alerts).toEqual([]);
    });
  });

  describe('the command "reconcile --since"', () => {
    const reconcile = (...words: string[]) =>
      shopCommand(testApp, ['reconcile', ...words], { ...stripe.env, ...payPal.env, ...braintree.env });
    const lines = (printed: string, about: string) =>
      printed.split('\n').filter((line) => line.includes(about));

    it('it names money without an order and amounts that differ, for each provider', async () => {
      const [known, lost, changed, returned, paypalLost, paypalKnown] = [
        await paidByStripe(),
        await paidByStripe(),
        await paidByStripe(),
        await paidByStripe(),
        await paidByPayPal(),
        await paidByPayPal(),
      ];
      for (const { reference } of [lost, returned, paypalLost]) await forget(reference);
      stripe.account.refund(returned.intent, undefined, {});
      payPal.refundThere(paypalLost.order, '1.00');
      await testApp.db.transaction((trx) =>
        trx
          .updateTable('payments')
          .set({ amount_cents: 1 })
          .where('provider_reference', '=', changed.reference)
          .execute(),
      );
      const { config } = readBraintreeConfig(braintree.env);
      if (!config) throw new Error('The fake is no configuration');
      const sale = {
        amount: '49.72',
        merchantAccountId: 'shop_cad',
        deviceData: '',
        threeDSecureRequired: false,
      };
      const orderId = `MC-2026-000077/${randomUUID()}`;
      const client = createBraintreeClient(config, 5000);
      await client.sale({ ...sale, orderId, paymentMethodNonce: braintree.nonce('good') });
      await client.sale({
        ...sale,
        orderId: 'of another system',
        paymentMethodNonce: braintree.nonce('good'),
      });
      const { code, printed } = await reconcile('--since', '2026-05-16');
      expect(code).toBe(1);
      expect(lines(printed, lost.intent)).toEqual([
        expect.stringMatching(/^NO ORDER {2}Stripe .*order number MC-\d{4}-\d+/),
      ]);
      expect(lines(printed, changed.intent)).toEqual([
        expect.stringMatching(/^AMOUNT {4}Stripe .* has \$0\.01$/),
      ]);
      expect(lines(printed, paypalLost.capture)).toEqual([
        expect.stringMatching(/^NO ORDER {2}PayPal .*, \$1\.00 of it refunded/),
      ]);
      expect(lines(printed, 'Braintree tx')).toEqual([
        expect.stringContaining('order number MC-2026-000077'),
      ]);
      for (const id of [known.intent, returned.intent, paypalKnown.capture])
        expect(printed).not.toContain(id);
      expect(printed).toMatch(/Compared \d+ Stripe payments since 2026-05-16T04:00:00\.000Z\./);
      expect(printed).toContain('Compared 1 Braintree payment since');
    });

    it('it settles a payment that the database has as failed, which refunds its money', async () => {
      const { reference, intent } = await paidByStripe();
      await testApp.db.transaction((trx) =>
        trx
          .updateTable('payments')
          .set({ state: 'failed' })
          .where('provider_reference', '=', reference)
          .execute(),
      );
      expect(lines((await reconcile('--since', '2026-05-16')).printed, intent)).toEqual([]);
      expect(stripe.account.taken(reference)).toBe(0);
    });

    it('it names a payment that counts as paid and whose money the provider does not have', async () => {
      const [gone, kept] = [await paidByStripe(), await paidByStripe()];
      // As after the keys were changed to those of another account.
      stripe.account.intents.delete(gone.intent);
      stripe.account.refund(kept.intent, 500, {});
      const { code, printed } = await reconcile('--since', '2026-05-16');
      expect(code).toBe(1);
      expect(lines(printed, gone.intent)).toEqual([
        expect.stringMatching(
          /^NOT TAKEN {2}Stripe pi_\w+: order MC-\S+ counts as paid with \$[\d.]+, which the provider does not have$/,
        ),
      ]);
      // What was refunded in the dashboard is booked first.
      expect(lines(printed, kept.intent)).toEqual([]);
      expect((await testApp.services.payments.attempts.find('Stripe', kept.reference))?.refunded).toBe(500);
    });

    it('it says which provider does not list its payments, and does not take a wrong day', async () => {
      payPal.transactionsAllowed = false;
      const { code, printed } = await reconcile('--since', '2026-05-16');
      payPal.transactionsAllowed = true;
      expect([code, lines(printed, 'NOT COMPARED')]).toEqual([
        1,
        [expect.stringContaining('PayPal: the app may not list transactions')],
      ]);
      expect((await reconcile('--since', 'yesterday')).printed).toContain('Write a day as 2026-12-01');
    });
  });
});
