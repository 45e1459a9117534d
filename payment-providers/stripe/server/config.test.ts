import { describe, expect, it } from 'vitest';
import { readStripeConfig } from './config.ts';

const good = {
  STRIPE_PUBLISHABLE_KEY: 'pk_test_51abc',
  STRIPE_SECRET_KEY: 'sk_test_51abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
};

function read(source: Record<string, string>) {
  const { config, problems } = readStripeConfig(source);
  return { config, bad: Object.keys(problems), said: JSON.stringify(problems) };
}

describe('the configuration of Stripe', () => {
  it('Stripe has no configuration if nothing is set', () => {
    expect(read({ STRIPE_SECRET_KEY: ' ' })).toMatchObject({ config: null, bad: [] });
  });

  it('the configuration takes the keys, restricted ones too', () => {
    expect(read({ ...good, STRIPE_SECRET_KEY: ' rk_test_9 ' }).config).toEqual({
      publishableKey: 'pk_test_51abc',
      secretKey: 'rk_test_9',
      webhookSecret: 'whsec_abc',
      apiUrl: null,
    });
  });

  it('the configuration names every missing or invalid variable without repeating its value', () => {
    expect(read({ STRIPE_SECRET_KEY: 'sk_test_1' })).toMatchObject({
      config: null,
      bad: ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'],
    });
    // The two keys swapped, a common copying mistake.
    const swapped = read({
      ...good,
      STRIPE_PUBLISHABLE_KEY: 'sk_test_mysecret',
      STRIPE_SECRET_KEY: 'pk_test_1',
    });
    expect(swapped).toMatchObject({ config: null, bad: ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_SECRET_KEY'] });
    expect(swapped.said).not.toContain('mysecret');
  });

  it('keys of different modes are rejected', () => {
    expect(read({ ...good, STRIPE_SECRET_KEY: 'sk_live_1' })).toMatchObject({
      config: null,
      bad: ['STRIPE_PUBLISHABLE_KEY'],
    });
  });

  it('another Stripe address is used only on this machine and only with test keys', () => {
    expect(read({ ...good, STRIPE_API_URL: 'http://127.0.0.1:4242' }).config?.apiUrl).toBe(
      'http://127.0.0.1:4242',
    );
    for (const url of ['https://stripe.example', 'http://127.0.0.1.example', 'x'])
      expect(read({ ...good, STRIPE_API_URL: url })).toMatchObject({ config: null, bad: ['STRIPE_API_URL'] });
    const live = { ...good, STRIPE_PUBLISHABLE_KEY: 'pk_live_1', STRIPE_SECRET_KEY: 'sk_live_1' };
    expect(read({ ...live, STRIPE_API_URL: 'http://127.0.0.1:4242' }).bad).toEqual(['STRIPE_API_URL']);
    expect(read(live).config?.secretKey).toBe('sk_live_1');
  });
});
