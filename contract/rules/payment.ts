/** Choosing how to pay: online by a gateway, or at the store (SPEC §4, §5). */
import type { FieldErrors } from '../errors.ts';
import type { CheckoutMethod } from '../limits.ts';
import type { PaymentConfig } from '../schemas/order.ts';

export const paymentMethods = ['online', 'payAtStore'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** Paying at the store needs a visit: it is offered for pickup and at a table, not for shipping. */
export function offeredPaymentMethods(config: PaymentConfig, method: CheckoutMethod | null): PaymentMethod[] {
  const offered: PaymentMethod[] = [];
  if (config.paymentOnline) offered.push('online');
  if (config.payAtStoreEnabled && method !== 'shipping') offered.push('payAtStore');
  return offered;
}

/** `choice` is what the shopper picked; not needed where only one is offered. */
export function paymentErrors(choice: PaymentMethod | null, config: PaymentConfig, method: CheckoutMethod | null): FieldErrors {
  if (!config.paymentOnline && !config.payAtStoreEnabled) return { paymentMethod: 'rule.paymentMethodsNone' };
  const offered = offeredPaymentMethods(config, method);
  const chosen = choice ?? (offered.length === 1 ? offered[0] : undefined);
  if (offered.length > 0 && !chosen) return { paymentMethod: 'rule.paymentMethodMissing' };
  if (!chosen || !offered.includes(chosen)) return { paymentMethod: 'rule.paymentMethodNotSetUp' };
  if (chosen === 'online' && config.defaultGateWayProviderName === '') return { paymentMethod: 'rule.gatewayNotSetUp' };
  return {};
}
