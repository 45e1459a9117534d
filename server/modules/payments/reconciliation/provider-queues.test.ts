/** The sweep with providers that are slow, silent, or no longer know an attempt. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import { requestOf } from '#contract/transport.ts';
import { buildApp } from '#server/app.ts';
import { createContainer } from '#server/container.ts';
import { AttemptUnknown } from '#server/modules/payments/providers/provider.ts';
import { mailsFor } from '#tests/accounts.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { sellProduct } from '#tests/products.ts';
import { address, shopperWithCart } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';
import type { GivenUpAttempt } from '../attempts/attempts.ts';
import { createProviderQueues, type QueueLimits } from './reconcile.ts';

const mug = 'MUG-OAT';
const minute = 60_000;
const day = 24 * 60 * minute;

forEachEngine((engine) => {
  let testApp: TestApp;
  let stripe: FakeProvider;
  let payPal: FakeProvider;
  const givenUp: GivenUpAttempt[] = [];
  /** Releases the answers that a provider holds back. */
  let release = () => {};

  async function open(queueLimits: QueueLimits): Promise<void> {
    stripe = new FakeProvider('Stripe');
    payPal = new FakeProvider('PayPal');
    givenUp.length = 0;
    testApp = await createTestApp({
      engine,
      demo: true,
      services: (deps) =>
        createContainer({
          ...deps,
          providers: { stripe, paypal: payPal },
          queueLimits,
          onAttemptGivenUp: (attempt) => givenUp.push(attempt),
        }),
    });
    await sellProduct(testApp, mug);
  }

  /** Stripe answers nothing until `release`. */
  function hang(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    stripe.around = () => promise;
    release = resolve;
  }

  async function beginByStripe(): Promise<Shopper> {
    const session = await shopperWithCart(testApp, mug);
    stripe.answer = 'ask';
    await testApp.call('payByStripe', {
      session,
      body: { confirmationToken: 'ctoken_1', billingAddress: address },
    });
    return session;
  }

  async function approvedByPayPal(): Promise<Shopper> {
    const session = await shopperWithCart(testApp, mug);
    payPal.answer = 'ask';
    await testApp.call('payPalToken', { session });
    const reference = [...payPal.charges.keys()].at(-1) ?? '';
    payPal.approve(reference);
    return session;
  }

  const cartOf = (session: Shopper) => testApp.call('myCart', { session });
  const isPlaced = async (session: Shopper) => (await cartOf(session)).lineItems.length === 0;

  describe('a payment provider that never answers', () => {
    beforeEach(() => open({ questionMs: minute, providerMs: minute }));

    it('another provider’s payment is placed while a provider hangs', async () => {
      for (let each = 0; each < 3; each++) await beginByStripe();
      const session = await approvedByPayPal();
      hang();
      testApp.clock.advance(2 * minute);
      const reconciling = testApp.services.payments.reconcile();
      await vi.waitFor(async () => expect(await isPlaced(session)).toBe(true), {
        timeout: 30_000,
        interval: 50,
      });
      release();
      await reconciling;
    });

    it('the rest of the sweep, mail included, runs while a provider hangs', async () => {
      await beginByStripe();
      const old = testApp.clock.now() - 60 * day;
      const mail = {
        id: 'old',
        kind: 'welcome',
        recipient: 'x@example.com',
        language: 'en',
        body: '{}',
        state: 'delivered',
      };
      const rest = { attempts: 1, due_at: old, created_at: old };
      await testApp.db.transaction((trx) =>
        trx
          .insertInto('deliveries')
          .values({ ...mail, ...rest })
          .execute(),
      );
      const oldMails = () =>
        testApp.db.read.selectFrom('deliveries').select('id').where('id', '=', 'old').execute();
      hang();
      testApp.clock.advance(2 * minute);
      const sweeping = testApp.services.runMaintenance();
      await vi.waitFor(async () => expect(await oldMails()).toEqual([]), { timeout: 30_000, interval: 50 });
      release();
      await sweeping;
    });
  });

  describe('an attempt that its provider no longer knows', () => {
    beforeEach(() => open({ questionMs: minute, providerMs: minute }));
    const unknown = async () => {
      throw new AttemptUnknown('No such payment');
    };
    const stateOf = async (provider: string) =>
      (
        await testApp.db.read
          .selectFrom('payments')
          .select('state')
          .where('provider', '=', provider)
          .execute()
      ).map(({ state }) => state);

    it('an unknown attempt stays open for a day, and is then ended, reported and emailed to the merchant once', async () => {
      await beginByStripe();
      Object.assign(stripe, { complete: unknown, cancel: unknown });
      testApp.clock.set(testNow + day - minute);
      expect(await testApp.services.payments.reconcile()).toMatchObject({ open: 1, ended: 0 });
      expect(givenUp).toEqual([]);
      testApp.clock.set(testNow + day + minute);
      expect(await testApp.services.payments.reconcile()).toMatchObject({
        open: 0,
        ended: 1,
        givenUp: [{ provider: 'Stripe' }],
      });
      await testApp.services.payments.reconcile();
      const [reference = ''] = stripe.charges.keys();
      const providerId = FakeProvider.idOf(reference);
      expect(givenUp).toMatchObject([
        { provider: 'Stripe', reference, providerId, currency: 'CAD', reason: 'No such payment' },
      ]);
      expect(await stateOf('Stripe')).toEqual(['failed']);
      const { contactEmail } = await testApp.services.settings.all();
      const mails = (await mailsFor(testApp, contactEmail, 'merchantAlert')).map(({ text }) => text);
      expect(mails).toEqual([expect.stringContaining(providerId)]);
      expect(mails[0]).toContain('No such payment');
    });

    it('an attempt at a provider that is out of reach stays open however old it is', async () => {
      await beginByStripe();
      stripe.line = 'silent';
      testApp.clock.set(testNow + 3 * day);
      expect(await testApp.services.payments.reconcile()).toMatchObject({ open: 1, ended: 0 });
      expect(givenUp).toEqual([]);
      stripe.line = 'good';
      expect(await testApp.services.payments.reconcile()).toMatchObject({ open: 0, ended: 1, givenUp: [] });
    });

    describe('at a provider that is no longer set up', () => {
      /** The same shop after Stripe's keys were removed. */
      function withoutStripe() {
        const { db, env, clock } = testApp;
        const onAttemptGivenUp = (attempt: GivenUpAttempt) => givenUp.push(attempt);
        return createContainer({ db, env, now: clock.now, providers: { paypal: payPal }, onAttemptGivenUp });
      }

      it('an attempt is ended when its hold expires, which frees the cart, and the merchant is told', async () => {
        const session = await beginByStripe();
        const without = withoutStripe();
        testApp.clock.advance(2 * minute);
        // A process that was started before Stripe was added.
        expect(await without.payments.reconcile()).toMatchObject({ open: 1, ended: 0 });
        testApp.clock.set(testNow + 15 * minute);
        expect(await without.payments.reconcile()).toMatchObject({
          open: 0,
          ended: 1,
          givenUp: [{ provider: 'Stripe' }],
        });
        expect(givenUp.map(({ reason }) => reason)).toEqual(['Stripe is no longer set up']);
        expect(await cartOf(session)).toMatchObject({ state: 'cart', lineItems: [{ sku: mug }] });
        const { contactEmail } = await testApp.services.settings.all();
        const mails = await mailsFor(testApp, contactEmail, 'merchantAlert');
        expect(mails.map(({ text }) => text)).toEqual([
          expect.stringContaining('Stripe is no longer set up'),
        ]);
      });

      it('an attempt is ended at once when its shopper changes the cart', async () => {
        const session = await beginByStripe();
        const without = withoutStripe();
        const app = await buildApp({
          env: testApp.env,
          db: testApp.db,
          services: without,
          now: testApp.clock.now,
        });
        const request = requestOf('addToCart', { params: { itemName: mug } }, 'en');
        const headers = { [clientTokenHeader]: clientToken, cookie: session.header };
        const { statusCode } = await app.inject({ ...request, headers, payload: { quantity: 1 } });
        await app.close();
        expect([statusCode, givenUp.length]).toEqual([200, 1]);
        expect(await cartOf(session)).toMatchObject({
          state: 'cart',
          lineItems: [{ sku: mug, quantity: 2 }],
        });
      });
    });
  });
});

describe('the request queues of providers', () => {
  it('a request is awaited until its time is up, and is not repeated while it hangs', async () => {
    const queues = createProviderQueues({ questionMs: 30, providerMs: minute });
    const { promise, resolve } = Promise.withResolvers<void>();
    const asked: string[] = [];
    const question = (id: string, answer: Promise<void>) => ({
      id,
      provider: 'Stripe',
      ask() {
        asked.push(id);
        return answer;
      },
    });
    const questions = [question('hangs', promise), question('answers', Promise.resolve())];
    const failures = await queues.run(questions);
    expect(failures).toEqual([expect.objectContaining({ message: 'Stripe did not answer within 30 ms' })]);
    expect(await queues.run(questions)).toEqual([]);
    expect(asked).toEqual(['hangs', 'answers', 'answers']);
    resolve();
    await promise;
    await vi.waitFor(async () => {
      await queues.run(questions);
      expect(asked.filter((id) => id === 'hangs')).toHaveLength(2);
    });
  });

  it('requests that a time limit cut off come first the next time', async () => {
    const queues = createProviderQueues({ questionMs: minute, providerMs: 20 });
    const asked: string[] = [];
    // Each takes all of the provider's time, so a run asks one question.
    const questions = ['a', 'b', 'c'].map((id) => ({
      id,
      provider: 'Stripe',
      async ask() {
        asked.push(id);
        const end = performance.now() + 20;
        await vi.waitUntil(() => performance.now() >= end, { interval: 1 });
      },
    }));
    for (let run = 0; run < 4; run++) await queues.run(questions);
    expect(asked).toEqual(['a', 'b', 'c', 'a']);
  });
});
