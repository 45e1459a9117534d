/** Braintree's keys (docs/how-to/payments.md). */
import { type EnvSource, type KeysRead, matching, oneOf, readKeys, testApiUrl } from '../keys.ts';

export interface BraintreeConfig {
  merchantId: string;
  publicKey: string;
  privateKey: string;
  environment: 'sandbox' | 'production';
  /** Null: Braintree's own. */
  apiUrl: string | null;
}

export function readBraintreeConfig(source: EnvSource): KeysRead<BraintreeConfig> {
  const { config, problems } = readKeys(source, {
    BRAINTREE_MERCHANT_ID: matching(/^[a-z0-9]{4,40}$/i, 'the merchant ID of the account at Braintree'),
    BRAINTREE_PUBLIC_KEY: matching(/^[a-z0-9]{4,80}$/i, 'the public key of the API'),
    BRAINTREE_PRIVATE_KEY: matching(/^[a-z0-9]{4,80}$/i, 'the private key of the API'),
    BRAINTREE_ENVIRONMENT: oneOf(['sandbox', 'production'], 'sandbox'),
    BRAINTREE_API_URL: testApiUrl,
  });
  const { BRAINTREE_MERCHANT_ID: merchantId, BRAINTREE_PUBLIC_KEY: publicKey, BRAINTREE_PRIVATE_KEY: privateKey } = config ?? {};
  if (!config || !merchantId || !publicKey || !privateKey) return { config: null, problems };
  const environment = config.BRAINTREE_ENVIRONMENT === 'production' ? 'production' : 'sandbox';
  return { config: { merchantId, publicKey, privateKey, environment, apiUrl: config.BRAINTREE_API_URL }, problems };
}
