import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PaymentAction } from '#server/modules/payments/providers/provider.ts';
import { createPaymentRegistry } from '#server/modules/payments/providers/registry.ts';
import { conformsAsProvider } from '#tests/provider-conformance.ts';
import { card, cards } from '#tests/shop-actions.ts';
import { createTestApp, onBothEngines, testEnv, testNow } from '#tests/test-app.ts';
import { houseChallengeCode } from '../values.ts';
import { createHouseProvider } from './index.ts';

onBothEngines((engine) => {
  conformsAsProvider(async () => {
    const { db } = await createTestApp({ engine });
    const provider = createHouseProvider({ db, now: () => testNow, wait: async () => {} });
    const answer = (code: string) => async (action: PaymentAction) => {
      await provider.answer(action.token, code);
    };
    return {
      provider,
      ways: {
        approve: { input: card(cards.approve) },
        action: { input: card(cards.challenge), act: answer(houseChallengeCode) },
        actionFailed: {
          input: card(cards.challenge),
          async act(action) {
            for (const code of ['000000', '', 'nonsense']) await provider.answer(action.token, code);
          },
        },
        TRANSACTION_ERROR: { input: card(cards.decline) },
        VALIDATION_ERROR: { input: card(cards.numberInvalid) },
        AUTHORIZATION_ERROR: { input: card(cards.notAuthorized) },
        SYSTEM_ERROR: { input: card(cards.unavailable) },
      },
      amounts: { JPY: 3503, KRW: 35_035, KWD: 4972 },
      async taken(reference) {
        const row = await db.read
          .selectFrom('house_charges')
          .selectAll()
          .where('reference', '=', reference)
          .executeTakeFirst();
        return row?.state === 'succeeded' ? row.amount_cents - row.refunded_cents : 0;
      },
      webhookAbout: ({ reference }) => provider.webhookAbout(reference),
      loseAnswers: (work) => work({ input: card(cards.answerLost) }),
      whileDown: null,
    };
  });
});

const stripeKeys = {
  STRIPE_PUBLISHABLE_KEY: 'pk_live_0123456789abcdef',
  STRIPE_SECRET_KEY: 'sk_live_0123456789abcdef',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
};
const payPalKeys = {
  PAYPAL_CLIENT_ID: 'A-client-id-of-paypal-0123456789',
  PAYPAL_CLIENT_SECRET: 'A-client-secret-of-paypal-0123456789',
  PAYPAL_WEBHOOK_ID: '0AB12345CD678901E',
  PAYPAL_MODE: 'live',
};

describe('the house gateway', () => {
  it('the simulator runs with DEMO=1, or if nothing says the shop is real', async () => {
    const { db } = await createTestApp({ engine: 'sqlite' });
    const registry = (variables: Record<string, string>) =>
      createPaymentRegistry({ db, env: testEnv(variables), now: () => testNow });
    for (const NODE_ENV of ['production', 'development']) {
      const real = registry({ NODE_ENV, DEMO: '0' });
      expect([real.find('{host}'), real.onlineMethods('{host}').defaultGateWayProviderName]).toEqual([
        null,
        '',
      ]);
    }
    for (const variables of [
      { NODE_ENV: 'production' },
      { PUBLIC_URL: 'https://shop.example' },
      stripeKeys,
      payPalKeys,
    ])
      for (const DEMO of ['', '0']) expect(registry({ ...variables, DEMO }).find('house')).toBeNull();
    for (const variables of [
      { NODE_ENV: 'production', DEMO: '1' },
      { PUBLIC_URL: 'https://shop.example', ...stripeKeys, DEMO: '1' },
    ]) {
      expect(registry(variables).find('{host}')?.name).toBe('house');
      expect(registry(variables).onlineMethods('{host}').defaultGateWayProviderName).toBe('{host}');
    }
    expect(registry({}).onlineMethods('Stripe').defaultGateWayProviderName).toBe('{host}');
  });

  it('the bank of the house gateway takes three answers, none for another token, and none after', async () => {
    const { db } = await createTestApp({ engine: 'sqlite' });
    const house = createHouseProvider({ db, now: () => testNow });
    const charge = {
      reference: randomUUID(),
      orderId: 'o',
      amount: 100,
      currency: 'CAD',
      locale: 'en' as const,
    };
    const asked = await house.start(charge, card(cards.challenge), async () => {});
    expect(asked).toEqual({ state: 'action', action: { type: 'challenge', token: charge.reference } });
    expect(await house.answer(randomUUID(), houseChallengeCode)).toBe('unknown');
    expect(await house.answer(charge.reference, '111111')).toBe('wrong');
    expect(await house.answer(charge.reference, '222222')).toBe('wrong');
    expect(await house.answer(charge.reference, ' 123 456 ')).toBe('right');
    expect(await house.answer(charge.reference, '123456')).toBe('unknown');
    expect(await house.complete({ ...charge, providerId: null })).toEqual({ state: 'succeeded' });
  });

  it('the slow card takes its time', async () => {
    const { db } = await createTestApp({ engine: 'sqlite' });
    const waited: number[] = [];
    const wait = async (ms: number) => void waited.push(ms);
    const house = createHouseProvider({ db, now: () => testNow, wait });
    const charge = {
      reference: randomUUID(),
      orderId: 'o',
      amount: 100,
      currency: 'CAD',
      locale: 'en' as const,
    };
    expect(await house.start(charge, card(cards.slow), async () => {})).toEqual({ state: 'succeeded' });
    expect(waited).toEqual([5000]);
  });

  it('the house gateway takes webhooks with its own secret only, and no old ones', async () => {
    const [one, other] = await Promise.all([
      createTestApp({ engine: 'sqlite' }),
      createTestApp({ engine: 'sqlite' }),
    ]);
    const house = createHouseProvider({ db: one.db, now: () => testNow });
    const webhook = await house.webhookAbout('r-1');
    // Another process of the same shop.
    expect(await createHouseProvider({ db: one.db, now: () => testNow }).parseWebhook(webhook)).toEqual({
      reference: 'r-1',
    });
    expect(await createHouseProvider({ db: other.db, now: () => testNow }).parseWebhook(webhook)).toBeNull();
    expect(
      await createHouseProvider({ db: one.db, now: () => testNow + 301_000 }).parseWebhook(webhook),
    ).toBeNull();
  });
});
