import { describe, expect, it } from 'vitest';
import { card, cards } from '#tests/shopping.ts';
import { createWorld, forEachEngine, testEnv, testNow } from '#tests/world.ts';
import { conformsAsProvider } from '../conformance.ts';
import { createPaymentRegistry } from '../registry.ts';
import { createHouseProvider } from './house.ts';

forEachEngine((engine) => {
  conformsAsProvider(async () => {
    const { db } = await createWorld({ engine });
    return {
      provider: createHouseProvider({ db, now: () => testNow }),
      inputs: {
        approve: card(cards.approve),
        answerLost: card(cards.answerLost),
        TRANSACTION_ERROR: card(cards.decline),
        VALIDATION_ERROR: card(cards.numberInvalid),
        AUTHORIZATION_ERROR: card(cards.notAuthorized),
        SYSTEM_ERROR: card(cards.unavailable),
      },
      async taken(reference) {
        const row = await db.read.selectFrom('house_charges').selectAll().where('reference', '=', reference).executeTakeFirst();
        return row?.state === 'succeeded' ? row.amount_cents - row.refunded_cents : 0;
      },
    };
  });
});

describe('the house gateway', () => {
  it('is refused in production unless asked for by DEMO=1', async () => {
    const { db } = await createWorld({ engine: 'sqlite' });
    const registry = (variables: Record<string, string>) =>
      createPaymentRegistry({ db, env: testEnv(variables), now: () => testNow });
    const production = registry({ NODE_ENV: 'production', DEMO: '0' });
    expect([production.cardGateway('{host}'), production.gatewayFor('{host}')]).toEqual([null, '']);
    expect(registry({ NODE_ENV: 'production', DEMO: '' }).cardGateway('house')).toBeNull();
    for (const variables of [
      { NODE_ENV: 'production', DEMO: '1' },
      { NODE_ENV: 'development', DEMO: '0' },
    ]) {
      expect(registry(variables).cardGateway('{host}')?.name).toBe('house');
      expect(registry(variables).gatewayFor('{host}')).toBe('{host}');
    }
    expect(registry({}).gatewayFor('Stripe')).toBe('');
  });
});
