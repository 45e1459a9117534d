/** Apart from the client: without its keys, its package need not be installed. */
import {
  type EnvSource,
  type KeysRead,
  matching,
  oneOf,
  readKeys,
  testApiUrl,
} from '#server/modules/payments/providers/provider-definition.ts';

export interface PayPalConfig {
  clientId: string;
  clientSecret: string;
  webhookId: string;
  mode: 'sandbox' | 'live';
  /** Null: PayPal's own. */
  apiUrl: string | null;
}

export function readPayPalConfig(source: EnvSource): KeysRead<PayPalConfig> {
  const { config, problems } = readKeys(source, {
    PAYPAL_CLIENT_ID: matching(/^[\w-]{10,200}$/, "the client ID of the shop's app at PayPal"),
    PAYPAL_CLIENT_SECRET: matching(/^[\w-]{10,200}$/, 'the secret of that app'),
    PAYPAL_WEBHOOK_ID: matching(/^[A-Za-z0-9]{5,50}$/, 'the ID that PayPal shows beside the webhook'),
    PAYPAL_MODE: oneOf(['sandbox', 'live'], 'sandbox'),
    PAYPAL_API_URL: testApiUrl,
  });
  const {
    PAYPAL_CLIENT_ID: clientId,
    PAYPAL_CLIENT_SECRET: clientSecret,
    PAYPAL_WEBHOOK_ID: webhookId,
  } = config ?? {};
  if (!config || !clientId || !clientSecret || !webhookId) return { config: null, problems };
  const mode = config.PAYPAL_MODE === 'live' ? 'live' : 'sandbox';
  return { config: { clientId, clientSecret, webhookId, mode, apiUrl: config.PAYPAL_API_URL }, problems };
}
