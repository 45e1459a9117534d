import {
  type EnvSource,
  type KeysRead,
  matching,
  readKeys,
  testApiUrl,
} from '#server/modules/payments/providers/provider-definition.ts';

export interface StripeConfig {
  publishableKey: string;
  secretKey: string;
  webhookSecret: string;
  /** Null: Stripe's own. */
  apiUrl: string | null;
}

export function readStripeConfig(source: EnvSource): KeysRead<StripeConfig> {
  const { config, problems } = readKeys(source, {
    STRIPE_PUBLISHABLE_KEY: matching(
      /^pk_(test|live)_\w+$/,
      'a publishable key of Stripe: pk_test_… or pk_live_…',
    ),
    STRIPE_SECRET_KEY: matching(
      /^(sk|rk)_(test|live)_\w+$/,
      'a secret or restricted key of Stripe: sk_test_…, rk_live_…',
    ),
    STRIPE_WEBHOOK_SECRET: matching(/^whsec_[\w+/=-]+$/, 'the signing secret of the webhook: whsec_…'),
    STRIPE_API_URL: testApiUrl,
  });
  const {
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  } = config ?? {};
  if (!config || !publishableKey || !secretKey || !webhookSecret) return { config: null, problems };
  const wrong: Record<string, string> = {};
  if (isLiveKey(publishableKey) !== isLiveKey(secretKey))
    wrong.STRIPE_PUBLISHABLE_KEY = 'must be of the same mode as STRIPE_SECRET_KEY: both test or both live';
  if (config.STRIPE_API_URL && isLiveKey(secretKey))
    wrong.STRIPE_API_URL = 'is for tests only, not for live keys';
  if (Object.keys(wrong).length > 0) return { config: null, problems: wrong };
  return { config: { publishableKey, secretKey, webhookSecret, apiUrl: config.STRIPE_API_URL }, problems };
}

export function isLiveKey(key: string): boolean {
  return key.includes('_live_');
}
