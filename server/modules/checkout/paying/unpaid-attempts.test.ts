/** Requests of strangers that cost calls to payment providers, and a row each: how many are served, and how long rows stay. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { houseChallengeCode } from '#payment-providers/house/values.ts';
import type { Webhook } from '#server/modules/payments/providers/provider.ts';
import {
  createRateLimitsService,
  type LimitName,
  networkOf,
  rateLimits,
} from '#server/platform/rate-limits/rate-limits.service.ts';
import { dayMs, minuteMs } from '#server/platform/time-zone.ts';
import { type PayPalFake, startPayPalFake } from '#tests/fakes/paypal/paypal.ts';
import { sellProduct } from '#tests/products.ts';
import { cards, deliver, homeOf, pay, setUnits, shopperWithCart } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const { free: ofBuyer } = rateLimits.unpaidAttemptsBuyer;

forEachEngine((engine) => {
  let testApp: TestApp;
  let payPal: PayPalFake;
  let homes = 0;

  beforeAll(async () => {
    payPal = await startPayPalFake();
    testApp = await createTestApp({ engine, demo: true, env: { ...payPal.env, DEMO: '1' } });
    payPal.now = testApp.clock.now;
    await sellProduct(testApp, mug);
  });
  afterAll(() => payPal.close());
  beforeEach(async () => {
    payPal.lift();
    testApp.clock.set(testNow);
    await setUnits(testApp, mug, 100);
  });

  const newHome = () => homeOf(++homes);
  const shopper = (home = newHome()) => shopperWithCart(testApp, mug, 1, home);
  const payPalToken = (session: Shopper) => testApp.ask('payPalToken', { session });
  const approved = (session: Shopper, paymentId: string) =>
    testApp.ask('payPalPayment', { session, body: { paymentId, payerID: 'QYR5Z8XDVJNXQ' } });
  const created = () => payPal.asked.filter((what) => what === 'POST /v2/checkout/orders').length;
  const verified = () => payPal.asked.filter((what) => what.endsWith('/verify-webhook-signature')).length;
  /** Counts attempts without making them. */
  const note = async (limit: LimitName, who: string, times: number) => {
    const { record } = createRateLimitsService({ db: testApp.db, now: testApp.clock.now });
    for (let n = 0; n < times; n++) await record([[limit, who]]);
  };

  describe('payments that are begun and never paid', () => {
    it('a shopper who begins PayPal payments in a loop is asked to wait, and PayPal is not asked any more', async () => {
      const session = await shopper();
      const before = created();
      const statuses: number[] = [];
      for (let n = 0; n < ofBuyer + 5; n++) statuses.push((await payPalToken(session)).status);
      expect(statuses).toEqual([...Array(ofBuyer).fill(200), ...Array(5).fill(429)]);
      expect(created() - before).toBe(ofBuyer);
      expect((await payPalToken(session)).body).toMatchObject({
        errorType: 'RATE_LIMITED',
        errorKey: 'error.rateLimited',
      });
      expect((await payPalToken(await shopper())).status).toBe(200);
      testApp.clock.advance(minuteMs);
      expect((await payPalToken(session)).status).toBe(200);
    });

    it('cards that wait for their bank count, and so do requests to continue them', async () => {
      const session = await shopper();
      const statuses: number[] = [];
      for (let n = 0; n < ofBuyer / 2 + 2; n++) {
        statuses.push((await pay(testApp, session, cards.challenge)).status);
        statuses.push((await testApp.ask('resumePayment', { session, body: { provider: 'house' } })).status);
      }
      expect(statuses).toEqual([...Array(ofBuyer).fill(200), ...Array(4).fill(429)]);
    });

    it('the shoppers of one network begin a limited number of unpaid payments together', async () => {
      const home = newHome();
      await note('unpaidAttemptsAddress', networkOf(home), rateLimits.unpaidAttemptsAddress.free - 1);
      expect((await payPalToken(await shopper(home))).status).toBe(200);
      const session = await shopper(home);
      const [first, second] = [await payPalToken(session), await pay(testApp, session)];
      expect([first.status, second.status]).toEqual([429, 429]);
      expect((await testApp.call('myCart', { session })).state).toBe('cart');
    });

    it('a payment that is completed does not count', async () => {
      const session = await shopper();
      await note('unpaidAttemptsBuyer', await hashOf(session), ofBuyer - 2);
      for (let n = 0; n < 3; n++) {
        // The latest attempt is resumed, so no two may begin at once.
        testApp.clock.advance(1);
        const { action } = (await pay(testApp, session, cards.challenge)).body as {
          action: { token: string } | null;
        };
        await testApp.call('houseChallenge', {
          session,
          body: { token: action?.token ?? '', code: houseChallengeCode },
        });
        expect((await testApp.ask('resumePayment', { session, body: { provider: 'house' } })).status).toBe(
          200,
        );
        await testApp.call('addToCart', { session, params: { itemName: mug }, body: { quantity: 1 } });
        await deliver(testApp, session);
      }
    });

    const hashOf = async (session: Shopper) => {
      const { orderID } = await testApp.call('myCart', { session });
      const { session_hash } = await testApp.db.read
        .selectFrom('orders')
        .select('session_hash')
        .where('id', '=', orderID ?? '')
        .executeTakeFirstOrThrow();
      return session_hash ?? '';
    };
  });

  describe('attempts that took nothing', () => {
    const rows = async () => {
      const [payments, decisions] = await Promise.all([
        testApp.db.read
          .selectFrom('payments')
          .select(['provider_reference as reference', 'state', 'error_key'])
          .execute(),
        testApp.db.read.selectFrom('payment_decisions').select('reference').execute(),
      ]);
      return {
        payments: payments.map(({ reference }) => reference),
        decisions: decisions.map(({ reference }) => reference),
      };
    };
    const last = () => [...payPal.orders.values()].at(-1)?.customId ?? '';
    /** An attempt at PayPal that was approved with this funding; the cart is freed if nothing was taken. */
    const attempted = async (funding: string) => {
      const session = await shopper();
      const { token } = (await payPalToken(session)).body;
      payPal.approve(token, funding);
      await approved(session, token);
      await testApp.call('cancelPayment', { session, body: {} });
      return last();
    };

    it('a failed attempt is deleted with its decisions after thirty days, a paid or unclear one is not', async () => {
      const failed = await attempted('PAYER_CANNOT_PAY');
      const paid = await attempted('good');
      const chosenAgain = await attempted('INSTRUMENT_DECLINED');
      const unclear = await attempted('RESOURCE_NOT_FOUND');
      expect((await rows()).decisions).toEqual(
        expect.arrayContaining([failed, chosenAgain, `${chosenAgain}:2`]),
      );
      testApp.clock.advance(30 * dayMs - minuteMs);
      await testApp.services.payments.attempts.deleteOld();
      expect((await rows()).payments).toContain(failed);
      testApp.clock.advance(2 * minuteMs);
      await testApp.services.payments.attempts.deleteOld();
      const { payments, decisions } = await rows();
      expect([failed, paid, chosenAgain, unclear].map((reference) => payments.includes(reference))).toEqual([
        false,
        true,
        false,
        true,
      ]);
      expect(decisions).not.toEqual(expect.arrayContaining([failed]));
      expect(decisions.filter((reference) => reference.startsWith(chosenAgain))).toEqual([]);
      expect(decisions).toEqual(expect.arrayContaining([paid, unclear]));
    });
  });

  describe('webhooks that the provider did not send', () => {
    const send = async (
      { headers, body }: Webhook,
      change: Record<string, string> = {},
      home = newHome(),
    ) => {
      const sent = Object.fromEntries(
        Object.entries({ ...headers, ...change }).map(([name, value]) => [name, String(value)]),
      );
      const request = {
        method: 'POST',
        url: '/api/webhooks/paypal',
        headers: sent,
        payload: body,
        remoteAddress: home,
      } as const;
      return (await testApp.app.inject(request)).statusCode;
    };
    const genuine = async () => {
      const { body } = await payPalToken(await shopper());
      return payPal.webhook(body.token, 'CHECKOUT.ORDER.APPROVED');
    };
    const certs = 'v1/notifications/certs/CERT-360caa42-fca2a594-fake';
    const time = (ms: number) => new Date(testNow + ms).toISOString();

    it.each([
      ['a certificate elsewhere', { 'paypal-cert-url': `https://paypal.com.attacker.example/${certs}` }],
      ['a certificate without TLS', { 'paypal-cert-url': `http://api.paypal.com/${certs}` }],
      ['a certificate at another port', { 'paypal-cert-url': `https://api.paypal.com:8443/${certs}` }],
      [
        'a certificate behind credentials',
        { 'paypal-cert-url': `https://api.paypal.com@attacker.example/${certs}` },
      ],
      ['another file as certificate', { 'paypal-cert-url': 'https://www.paypal.com/invoice/p/#ABC' }],
      ['a time in the future', { 'paypal-transmission-time': time(20 * minuteMs) }],
      ['a time five days ago', { 'paypal-transmission-time': time(-5 * dayMs) }],
      ['no time', { 'paypal-transmission-time': 'yesterday' }],
      ['another algorithm', { 'paypal-auth-algo': 'none' }],
      ['an id of 51 characters', { 'paypal-transmission-id': 'a'.repeat(51) }],
      ['a signature that is not base64', { 'paypal-transmission-sig': '<svg>' }],
    ])('a PayPal webhook with %s is refused without a call to PayPal', async (_what, change) => {
      const webhook = await genuine();
      const before = verified();
      expect(await send(webhook, change)).toBe(400);
      expect(verified()).toBe(before);
    });

    it('a PayPal webhook that PayPal delivers again three days later is accepted', async () => {
      const webhook = await genuine();
      testApp.clock.advance(3 * dayMs);
      expect(await send(webhook)).toBe(200);
    });

    it('one network forges a limited number of webhooks that PayPal is asked about', async () => {
      const webhook = await genuine();
      const { free } = rateLimits.forgedWebhookAddress;
      const [home, before] = [newHome(), verified()];
      const statuses: number[] = [];
      for (let n = 0; n < free + 5; n++)
        statuses.push(await send(webhook, { 'paypal-transmission-sig': 'A'.repeat(344) }, home));
      expect(statuses).toEqual([...Array(free).fill(400), ...Array(5).fill(429)]);
      expect(verified() - before).toBe(free);
      expect(await send(webhook)).toBe(200);
    });
  });
});
