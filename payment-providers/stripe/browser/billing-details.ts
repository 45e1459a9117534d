import type { PaymentMethodCreateParams } from '@stripe/stripe-js';
import { addressDefaults } from '#contract/limits.ts';
import type { AddressInput, Contact } from '#contract/schemas/order.ts';

export type BillingDetails = PaymentMethodCreateParams.BillingDetails;

/** Stripe's form shows no address fields, since the page does, so every part must be passed, empty ones too. */
export function billingAddressOf(billing: AddressInput): NonNullable<BillingDetails['address']> {
  return {
    line1: billing.streetNumberAndNameDetails ?? billing.streetNumberAndDetails ?? '',
    line2: billing.addressDescription ?? '',
    city: billing.city ?? '',
    state: billing.province ?? '',
    postal_code: billing.postCode ?? '',
    country: billing.countryISOCode || addressDefaults.countryISOCode,
  };
}

/** Radar scores name and email, and some payment methods require them. */
export function payerDetails(contact: Contact | null, billing: AddressInput): BillingDetails {
  return { ...knownPayer(contact), address: billingAddressOf(billing) };
}

/** Prefilled if a payment method asks for it. */
export function knownPayer(contact: Contact | null): { name?: string; email?: string; phone?: string } {
  if (!contact) return {};
  const name = `${contact.firstName} ${contact.lastName}`.trim();
  return {
    ...(name ? { name } : {}),
    ...(contact.email ? { email: contact.email } : {}),
    ...(contact.phoneNumber ? { phone: contact.phoneNumber } : {}),
  };
}
