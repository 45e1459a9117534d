/** Stripe's webhooks. https://docs.stripe.com/webhooks#verify-official-libraries */
import Stripe from 'stripe';
import type { Webhook } from '../provider.ts';

/** How old a signature may be, seconds: against webhooks that are caught and sent again. Stripe signs each delivery anew. */
const toleranceSeconds = 300;

/** Which attempt a webhook is about: '' where it is signed but about none of ours, null where it is not signed. */
export function readWebhook({ headers, body }: Webhook, secret: string): { reference: string } | null {
  const signature = headers['stripe-signature'];
  if (typeof signature !== 'string') return null;
  try {
    const { data } = Stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds);
    return { reference: referenceOf(data.object) };
  } catch {
    // Not signed, signed by somebody else, too old, or no event at all.
    return null;
  }
}

/** Intents carry the reference, and charges copy it from theirs when they are made. */
function referenceOf(object: unknown): string {
  const { object: type, metadata } = object as { object?: string; metadata?: Record<string, string> | null };
  return type === 'payment_intent' || type === 'charge' ? (metadata?.reference ?? '') : '';
}
