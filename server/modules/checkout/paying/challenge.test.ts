/** The house gateway's bank asks the customer for a code, as 3-D Secure does. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { houseChallengeCode } from '#payment-providers/house/values.ts';
import { house } from '#tests/payment-actions.ts';
import { sellProduct } from '#tests/products.ts';
import { cards, pay, setUnits, shopperWithCart, unitsOf } from '#tests/shop-actions.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-OAT';

onOneEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug);
  });
  beforeEach(() => setUnits(testApp, mug, 100));

  const answer = (session: Shopper, token: string, code: string) =>
    testApp.ask('houseChallenge', { session, body: { token, code } });
  const resume = (session: Shopper) => testApp.ask('resumePayment', { session, body: { provider: 'house' } });
  async function challenged(): Promise<{ session: Shopper; token: string }> {
    const session = await shopperWithCart(testApp, mug);
    const { body } = await pay(testApp, session, cards.challenge);
    expect(body).toEqual({ orderID: null, action: { type: 'challenge', token: expect.any(String) } });
    const { action } = body as { action: { token: string } | null };
    return { session, token: action?.token ?? '' };
  }

  describe('the bank challenge', () => {
    it('a bank challenge answered correctly places the order', async () => {
      const { session, token } = await challenged();
      expect((await answer(session, token, '111111')).body).toMatchObject({
        errorType: 'REQUEST_VALIDATION_ERROR',
        errors: { code: 'Incorrect code.' },
      });
      expect((await resume(session)).body.orderID).toBeNull();
      expect((await answer(session, token, houseChallengeCode)).status).toBe(200);
      const { body } = await resume(session);
      expect(await testApp.call('order', { session, params: { id: body.orderID ?? '' } })).toMatchObject({
        state: 'placed',
        payment: { method: 'house', paid: true },
      });
      expect((await answer(session, token, houseChallengeCode)).status).toBe(409);
    });

    it('a bank challenge answered wrongly three times fails and frees the cart', async () => {
      const before = await unitsOf(testApp.db.read, mug);
      const { session, token } = await challenged();
      expect((await answer(session, token, '1')).status).toBe(400);
      expect((await answer(session, token, '2')).status).toBe(400);
      expect((await answer(session, token, '3')).status).toBe(200);
      for (const _again of [1, 2])
        expect(await resume(session)).toMatchObject({
          status: 402,
          body: { errorKey: 'payment.notVerified' },
        });
      expect((await testApp.call('myCart', { session })).state).toBe('cart');
      expect(await unitsOf(testApp.db.read, mug)).toEqual(before);
      expect((await pay(testApp, session)).status).toBe(200);
    });

    it('an abandoned bank challenge can no longer be answered', async () => {
      const { session, token } = await challenged();
      expect((await testApp.call('cancelPayment', { session })).state).toBe('cart');
      expect((await answer(session, token, houseChallengeCode)).status).toBe(409);
      expect(await resume(session)).toMatchObject({
        status: 402,
        body: { errorKey: 'payment.attemptEnded' },
      });
    });

    it('a bank challenge answered after the shopper’s tab was closed is found by the webhook', async () => {
      const { session, token } = await challenged();
      await answer(session, token, houseChallengeCode);
      const { headers, body: payload } = await house(testApp).webhookAbout(token);
      const send = (more: object) =>
        testApp.app.inject({
          method: 'POST',
          url: '/api/webhooks/house',
          headers: { ...headers, ...more } as never,
          payload,
        });
      expect((await send({ 'house-signature': 't=1,v1=00' })).statusCode).toBe(400);
      expect((await testApp.call('myCart', { session })).state).toBe('paying');
      expect((await send({})).statusCode).toBe(200);
      expect((await testApp.call('myCart', { session })).lineItems).toEqual([]);
    });
  });

  it('a bank challenge cannot be answered where the house gateway is off', async () => {
    const real = await createTestApp({ engine, demo: true, env: { NODE_ENV: 'production', DEMO: '0' } });
    await sellProduct(real, mug);
    const { status, body } = await real.ask('houseChallenge', {
      body: { token: 'x', code: houseChallengeCode },
    });
    expect([status, body.errorKey]).toEqual([404, 'rule.gatewayNotSetUp']);
    expect(
      (await real.app.inject({ method: 'POST', url: '/api/webhooks/house', payload: '{}' })).statusCode,
    ).toBe(400);
    expect(await real.call('paymentConfig')).toMatchObject({
      paymentOnline: false,
      defaultGateWayProviderName: '',
    });
  });
});
