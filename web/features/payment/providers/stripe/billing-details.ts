/** Who pays, as Stripe takes it: for the bank's check of the address, and for wallets and Link to fill in. */
import type { PaymentMethodCreateParams } from '@stripe/stripe-js';
import { addressDefaults } from '#contract/limits.ts';
import type { AddressInput, Contact } from '#contract/schemas/order.ts';

export type BillingDetails = PaymentMethodCreateParams.BillingDetails;

/** The form asks for no address, since the page does: so all of it has to be given, empty parts too. */
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

/** All that Stripe is told of who pays: Radar weighs name and email, and some ways to pay demand them. */
export function payerDetails(contact: Contact | null, billing: AddressInput): BillingDetails {
  return { ...knownPayer(contact), address: billingAddressOf(billing) };
}

/** What the shopper has told the shop already, to be filled in where a way to pay asks for it. */
export function knownPayer(contact: Contact | null): { name?: string; email?: string; phone?: string } {
  if (!contact) return {};
  const name = `${contact.firstName} ${contact.lastName}`.trim();
  return {
    ...(name ? { name } : {}),
    ...(contact.email ? { email: contact.email } : {}),
    ...(contact.phoneNumber ? { phone: contact.phoneNumber } : {}),
  };
}
