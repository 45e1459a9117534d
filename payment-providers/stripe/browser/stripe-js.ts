import type { PaymentMethodCreateParams, Stripe, StripeElementLocale } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { addressDefaults } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import type { AddressInput, Contact } from '#contract/schemas/order.ts';

type BillingDetails = PaymentMethodCreateParams.BillingDetails;

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

/** The customer may leave the page; /payment continues. 'cancelled' also if Stripe still waits: the shop asks again. */
export async function handleNextAction(stripe: Pick<Stripe, 'handleNextAction'>, token: string): Promise<'done' | 'cancelled'> {
  const { paymentIntent, error } = await stripe.handleNextAction({ clientSecret: token });
  const status = paymentIntent?.status ?? error?.payment_intent?.status;
  return status === undefined || status === 'requires_action' ? 'cancelled' : 'done';
}

/** Milliseconds after which the script counts as blocked. */
const patienceMs = 20_000;

/** On request: the plain import would load the script at once. Rejects if the script is blocked, offline or too slow; may be called again then. */
export async function loadStripeScript(publishableKey: string, locale: Locale): Promise<Stripe> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(new Error('Stripe did not load in time')), patienceMs);
  });
  try {
    const stripe = await Promise.race([loadStripe(publishableKey, { locale: stripeLocale(locale) }), late]);
    if (!stripe) throw new Error('Stripe is for browsers');
    return stripe;
  } finally {
    clearTimeout(timer);
  }
}

/** If Stripe does not support a language, its form uses the browser's. */
function stripeLocale(locale: Locale): StripeElementLocale {
  return locale as StripeElementLocale;
}
