/** Apart from the client: without its keys, its package need not be installed. */
import {
  type EnvSource,
  type KeyRule,
  type KeysRead,
  matching,
  oneOf,
  readKeys,
  testApiUrl,
} from '#server/modules/payments/providers/provider-definition.ts';

export interface BraintreeConfig {
  merchantId: string;
  publicKey: string;
  privateKey: string;
  environment: 'sandbox' | 'production';
  /** The merchant account for sales. Null: the one with the shop's currency, the default one first. */
  merchantAccountId: string | null;
  /** 'required': Braintree rejects every sale that 3-D Secure has not verified. */
  threeDSecure: 'optional' | 'required';
  /** Null: Braintree's own. */
  apiUrl: string | null;
}

const merchantAccountId: KeyRule = {
  ...matching(/^[a-z0-9_-]{1,36}$/i, 'the ID of a merchant account'),
  fallback: null,
};

export function readBraintreeConfig(source: EnvSource): KeysRead<BraintreeConfig> {
  const { config, problems } = readKeys(source, {
    BRAINTREE_MERCHANT_ID: matching(/^[a-z0-9]{4,40}$/i, 'the merchant ID of the account at Braintree'),
    BRAINTREE_PUBLIC_KEY: matching(/^[a-z0-9]{4,80}$/i, 'the public key of the API'),
    BRAINTREE_PRIVATE_KEY: matching(/^[a-z0-9]{4,80}$/i, 'the private key of the API'),
    BRAINTREE_ENVIRONMENT: oneOf(['sandbox', 'production'], 'sandbox'),
    BRAINTREE_MERCHANT_ACCOUNT_ID: merchantAccountId,
    BRAINTREE_THREE_D_SECURE: oneOf(['optional', 'required'], 'optional'),
    BRAINTREE_API_URL: testApiUrl,
  });
  const {
    BRAINTREE_MERCHANT_ID: merchantId,
    BRAINTREE_PUBLIC_KEY: publicKey,
    BRAINTREE_PRIVATE_KEY: privateKey,
  } = config ?? {};
  if (!config || !merchantId || !publicKey || !privateKey) return { config: null, problems };
  return {
    config: {
      merchantId,
      publicKey,
      privateKey,
      environment: config.BRAINTREE_ENVIRONMENT === 'production' ? 'production' : 'sandbox',
      merchantAccountId: config.BRAINTREE_MERCHANT_ACCOUNT_ID,
      threeDSecure: config.BRAINTREE_THREE_D_SECURE === 'required' ? 'required' : 'optional',
      apiUrl: config.BRAINTREE_API_URL,
    },
    problems,
  };
}
