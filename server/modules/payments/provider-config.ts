/** The keys of all providers, from the environment. */

import type { EnvSource, KeysRead } from './provider-keys.ts';
import { type BraintreeConfig, readBraintreeConfig } from './providers/braintree/config.ts';
import { type PayPalConfig, readPayPalConfig } from './providers/paypal/config.ts';
import { readStripeConfig, type StripeConfig } from './providers/stripe/config.ts';

/** Null for a provider that is not set up. */
export interface PaymentKeys {
  stripe: StripeConfig | null;
  paypal: PayPalConfig | null;
  braintree: BraintreeConfig | null;
}

/** `problems` gets what is wrong with which key. */
export function readPaymentKeys(source: EnvSource, problems: Record<string, string>): PaymentKeys {
  const keep = <T>({ config, problems: found }: KeysRead<T>): T | null => {
    Object.assign(problems, found);
    return config;
  };
  return {
    stripe: keep(readStripeConfig(source)),
    paypal: keep(readPayPalConfig(source)),
    braintree: keep(readBraintreeConfig(source)),
  };
}
