/**
 * What the bank is told of the payer for 3-D Secure.
 * https://developer.paypal.com/braintree/docs/guides/3d-secure/client-side/javascript/v3/
 */
import type { PaymentMethodOptions, PaymentMethodPayload } from 'braintree-web-drop-in';
import type { AddressInput, Order } from '#contract/schemas/order.ts';

/** The more is known, the less often the bank asks. Names have to be in ASCII: others are left out, not bent. */
export function threeDSecureOptions({ bill, orderContact, shippingContact }: Order, billing: AddressInput): PaymentMethodOptions {
  const contact = orderContact ?? shippingContact;
  const billingAddress = {
    givenName: ascii(contact?.firstName),
    surname: ascii(contact?.lastName),
    streetAddress: ascii(billing.streetNumberAndNameDetails ?? billing.streetNumberAndDetails),
    locality: ascii(billing.city),
    postalCode: ascii(billing.postCode),
    countryCodeAlpha2: ascii(billing.countryISOCode),
  };
  return {
    threeDSecure: {
      amount: (bill.total / 100).toFixed(2),
      email: contact?.email || undefined,
      billingAddress: Object.fromEntries(Object.entries(billingAddress).filter(([, value]) => value !== undefined)),
    },
  };
}

/** The bank asked and did not get the right answer. Cards that take no part in it are no failure. */
export function failedThreeDSecure(payload: PaymentMethodPayload): boolean {
  return payload.type === 'CreditCard' && payload.liabilityShiftPossible === true && payload.liabilityShifted === false;
}

/** Printable ASCII of at most 50 characters, else nothing. */
function ascii(text: string | undefined): string | undefined {
  return text && /^[ -~]{1,50}$/.test(text) ? text : undefined;
}
