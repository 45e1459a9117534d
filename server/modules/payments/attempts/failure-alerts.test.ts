/** Failures that only the merchant can fix, by PayPal's answers: the log, the email, `doctor` and the customer's message. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createContainer } from '#server/container.ts';
import type { MerchantAlert } from '#server/modules/notifications/outbox.service.ts';
import { mailsFor } from '#tests/accounts.ts';
import { type PayPalFake, startPayPalFake } from '#tests/fakes/paypal/paypal.ts';
import { sellProduct } from '#tests/products.ts';
import { setUnits, shopperWithCart } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';
import type { GivenUpAttempt } from './attempts.ts';

const mug = 'MUG-OAT';
const day = 24 * 60 * 60_000;

forEachEngine((engine) => {
  let testApp: TestApp;
  let payPal: PayPalFake;
  const alerts: MerchantAlert[] = [];
  const givenUp: GivenUpAttempt[] = [];
  let today = testNow;

  beforeAll(async () => {
    payPal = await startPayPalFake();
    testApp = await createTestApp({
      engine,
      demo: true,
      env: payPal.env,
      services: (deps) =>
        createContainer({
          ...deps,
          onMerchantAlert: (alert) => void alerts.push(alert),
          onAttemptGivenUp: (attempt) => void givenUp.push(attempt),
        }),
    });
    await sellProduct(testApp, mug);
  });
  afterAll(() => payPal.close());
  beforeEach(async () => {
    today += 2 * day;
    testApp.clock.set(today);
    alerts.length = 0;
    givenUp.length = 0;
    await setUnits(testApp, mug, 100);
  });

  async function begin(): Promise<{ session: Shopper; token: string }> {
    const session = await shopperWithCart(testApp, mug);
    const { bill } = await testApp.call('myCart', { session });
    return {
      session,
      token: (await testApp.call('payPalToken', { session, query: { id: bill.billVersion } })).token,
    };
  }
  const approved = (session: Shopper, paymentId: string) =>
    testApp.ask('payPalPayment', { session, body: { paymentId, payerID: 'QYR5Z8XDVJNXQ' } });
  const payWith = async (funding: string) => {
    const { session, token } = await begin();
    payPal.approve(token, funding);
    return approved(session, token);
  };
  const mails = async (part: string) => {
    const { contactEmail } = await testApp.services.settings.all();
    return (await mailsFor(testApp, contactEmail, 'merchantAlert')).filter(({ text }) => text.includes(part));
  };

  it('a capture rejected because of the merchant’s PayPal account alerts the merchant, by email once a day', async () => {
    for (let time = 0; time < 2; time++)
      expect(await payWith('PAYEE_ACCOUNT_RESTRICTED')).toMatchObject({
        status: 503,
        body: { errorKey: 'payment.paypal.invalid' },
      });
    const alert = {
      kind: 'paymentsRefused',
      values: { provider: 'PayPal', reason: 'PayPal refused with 422: PAYEE_ACCOUNT_RESTRICTED' },
    };
    expect(alerts).toMatchObject([alert, alert]);
    expect(await mails('PAYEE_ACCOUNT_RESTRICTED')).toHaveLength(1);
  });

  it('an order rejected because of the merchant’s PayPal keys alerts the merchant', async () => {
    payPal.revoke();
    const session = await shopperWithCart(testApp, mug);
    const { bill } = await testApp.call('myCart', { session });
    const answer = await testApp.ask('payPalToken', { session, query: { id: bill.billVersion } });
    payPal.restore();
    expect(answer).toMatchObject({ status: 503, body: { errorKey: 'payment.paypal.invalid' } });
    expect(alerts).toMatchObject([
      {
        kind: 'paymentsRefused',
        values: { provider: 'PayPal', reason: expect.stringMatching(/^PayPal refused with 401/) },
      },
    ]);
  });

  it('a capture rejected because of the payer alerts nobody', async () => {
    expect(await payWith('PAYER_CANNOT_PAY')).toMatchObject({ status: 402 });
    expect(alerts).toEqual([]);
  });

  it('an attempt whose order PayPal no longer has ends at once and leaves a trace for the merchant', async () => {
    // `doctor` uses the real clock.
    testApp.clock.set(Date.now());
    const { session, token } = await begin();
    payPal.pass(4 * 60 * 60_000);
    const reason = 'PayPal refused with 404: INVALID_RESOURCE_ID';
    for (let time = 0; time < 2; time++)
      expect(await approved(session, token)).toMatchObject({
        status: 503,
        body: { errorKey: 'payment.attemptUnknown' },
      });
    expect((await testApp.call('myCart', { session })).state).toBe('cart');
    expect(givenUp).toMatchObject([{ provider: 'PayPal', providerId: token, currency: 'CAD', reason }]);
    expect(alerts).toMatchObject([
      { kind: 'attemptGivenUp', values: { provider: 'PayPal', payment: token, reason } },
    ]);
    expect(await mails(token)).toHaveLength(1);
    const { code, printed } = await shopCommand(testApp, ['doctor']);
    expect([code, printed]).toEqual([1, expect.stringContaining(`Payment attempts: PayPal ${token} of $`)]);
  });

  it('reconciliation reports an attempt whose order PayPal no longer has', async () => {
    const { token } = await begin();
    payPal.pass(4 * 60 * 60_000);
    testApp.clock.advance(60_000);
    const { ended, givenUp: reported } = await testApp.services.payments.reconcile();
    expect([ended, reported, alerts.length]).toEqual([
      1,
      [expect.objectContaining({ providerId: token })],
      1,
    ]);
  });
});
