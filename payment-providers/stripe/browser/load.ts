/** Loads Stripe's own script on request; the plain import would load it at once. */
import type { Stripe, StripeElementLocale } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { Locale } from '#contract/locales.ts';

/** Milliseconds after which the script counts as blocked. */
const patienceMs = 20_000;

/** Rejects if the script is blocked, offline or too slow; may be called again then. */
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
