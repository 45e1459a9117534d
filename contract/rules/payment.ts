import type { FieldErrors } from '../errors.ts';
import type { CheckoutMethod } from '../limits.ts';
import { type Wallet, wallets } from '../payment-providers.ts';
import type { PaymentConfig } from '../schemas/payment-config.ts';

export type PaymentMethod = 'online' | Wallet['method'] | 'payAtStore';

/** In display order. Paying at the store is not offered for shipping. With wallets only, there is no card form. */
export function offeredPaymentMethods(config: PaymentConfig, method: CheckoutMethod | null): PaymentMethod[] {
  const offered: PaymentMethod[] = [];
  const enabled = wallets.filter(({ enabledFlag }) => config[enabledFlag]);
  const noCards = config.defaultGateWayProviderName === '' && enabled.length > 0;
  if (config.paymentOnline && !noCards) offered.push('online');
  if (config.paymentOnline) offered.push(...enabled.map(({ method }) => method));
  if (config.payAtStoreEnabled && method !== 'shipping') offered.push('payAtStore');
  return offered;
}

/** `choice` is not needed if only one method is offered. */
export function paymentErrors(choice: PaymentMethod | null, config: PaymentConfig, method: CheckoutMethod | null): FieldErrors {
  if (!config.paymentOnline && !config.payAtStoreEnabled) return { paymentMethod: 'rule.paymentMethodsNone' };
  const offered = offeredPaymentMethods(config, method);
  const chosen = choice ?? (offered.length === 1 ? offered[0] : undefined);
  if (offered.length > 0 && !chosen) return { paymentMethod: 'rule.paymentMethodMissing' };
  if (!chosen || !offered.includes(chosen)) return { paymentMethod: 'rule.paymentMethodNotSetUp' };
  if (chosen === 'online' && config.defaultGateWayProviderName === '') return { paymentMethod: 'rule.gatewayNotSetUp' };
  return {};
}
