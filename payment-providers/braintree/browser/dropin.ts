/** https://developer.paypal.com/braintree/docs/guides/3d-secure/client-side/javascript/v3/ */
import type { Dropin, Options, PaymentMethodOptions, PaymentMethodPayload } from 'braintree-web-drop-in';
import type { AddressInput, Order } from '#contract/schemas/order.ts';
import { loadScript } from '#web/features/payment/script.ts';

/** The more data the bank has, the less often it asks. Names must be ASCII; others are left out rather than transliterated. */
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

/** Whether the bank asked and got no correct answer. Cards that do not take part in 3-D Secure do not fail. */
export function failedThreeDSecure(payload: PaymentMethodPayload): boolean {
  return payload.type === 'CreditCard' && payload.liabilityShiftPossible === true && payload.liabilityShifted === false;
}

function ascii(text: string | undefined): string | undefined {
  return text && /^[ -~]{1,50}$/.test(text) ? text : undefined;
}

/** Those on Braintree's host match braintree-web-drop-in on npm; this is the newest of November 2026. */
const version = '1.48.0';

interface DropinScript {
  create(options: Options): Promise<Dropin>;
}

/** From Braintree's own host: its terms for cards require that, and the package would add 65 MB of loaders. */
export async function loadDropin(): Promise<DropinScript> {
  await loadScript(`https://js.braintreegateway.com/web/dropin/${version}/js/dropin.min.js`);
  const { braintree } = window as { braintree?: { dropin?: DropinScript } };
  if (!braintree?.dropin) throw new Error("Braintree's script has run, but is not there");
  return braintree.dropin;
}

/** Whether the account has 3-D Secure, from the client token (base64 of JSON). */
export function hasThreeDSecure(clientToken: string): boolean {
  try {
    return (JSON.parse(atob(clientToken)) as { threeDSecureEnabled?: unknown }).threeDSecureEnabled === true;
  } catch {
    return false;
  }
}
