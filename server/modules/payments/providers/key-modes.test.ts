import { describe, expect, it } from 'vitest';
import { readEnv } from '#server/env.ts';
import { keyModeProblems } from './registry.ts';

const stripe = (mode: 'test' | 'live') => ({
  STRIPE_PUBLISHABLE_KEY: `pk_${mode}_1`,
  STRIPE_SECRET_KEY: `sk_${mode}_1`,
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
});
const payPal = (mode: 'sandbox' | 'live') => ({
  PAYPAL_CLIENT_ID: 'client-id-0001',
  PAYPAL_CLIENT_SECRET: 'client-secret-0001',
  PAYPAL_WEBHOOK_ID: '1JE4291016473214C',
  PAYPAL_MODE: mode,
});
const braintree = (environment: 'sandbox' | 'production') => ({
  BRAINTREE_MERCHANT_ID: 'merchant1',
  BRAINTREE_PUBLIC_KEY: 'public1',
  BRAINTREE_PRIVATE_KEY: 'private1',
  BRAINTREE_ENVIRONMENT: environment,
});
const testKeys = { ...stripe('test'), ...payPal('sandbox'), ...braintree('sandbox') };
const liveKeys = { ...stripe('live'), ...payPal('live'), ...braintree('production') };
const problems = (source: Record<string, string>) => keyModeProblems(readEnv(source));

describe('test keys and live keys of providers', () => {
  it.each([{ PUBLIC_URL: 'https://shop.example' }, { NODE_ENV: 'production' }])(
    'a real shop (%o) names every provider that has test keys',
    (real) => {
      const found = problems({ ...real, ...testKeys });
      expect(found.map((problem) => problem.split(' has test keys')[0])).toEqual([
        'Stripe',
        'PayPal',
        'Braintree',
      ]);
      expect(found.join()).not.toMatch(/sk_|secret|private1/);
      expect(problems({ ...real, ...liveKeys })).toEqual([]);
    },
  );

  it('the demo names every provider that has live keys', () => {
    const found = problems({ DEMO: '1', ...liveKeys });
    expect(found.map((problem) => problem.split(' has live keys')[0])).toEqual([
      'Stripe',
      'PayPal',
      'Braintree',
    ]);
    expect(problems({ DEMO: '1', PUBLIC_URL: 'https://demo.example', ...testKeys })).toEqual([]);
  });

  it('a shop on its own machine may have test keys', () => {
    expect(problems(testKeys)).toEqual([]);
    expect(problems({})).toEqual([]);
  });
});
