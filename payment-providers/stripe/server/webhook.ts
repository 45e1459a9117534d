/** https://docs.stripe.com/webhooks#verify-official-libraries */
import Stripe from 'stripe';
import type { ProviderMoney, Webhook, WebhookSubject } from '#server/modules/payments/providers/provider.ts';
import { centsOfStripe } from '../intent-values.ts';

/** The maximum age of a signature in seconds, against replayed webhooks. Stripe signs each delivery separately. */
const toleranceSeconds = 300;

/** Identifies the attempt of a webhook: '' if it is signed but not about one of the shop's, null if it is not signed. */
export function readWebhook({ headers, body }: Webhook, secret: string): WebhookSubject | null {
  const signature = headers['stripe-signature'];
  if (typeof signature !== 'string') return null;
  try {
    const { data } = Stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds);
    return subjectOf(data.object);
  } catch {
    // Not signed, signed with another secret, too old, or not an event at all.
    return null;
  }
}

/** Intents carry the reference, and charges copy it from theirs. Refunds and disputes name the intent. */
function subjectOf(object: unknown): WebhookSubject {
  const { object: type, metadata, payment_intent: intent, status } = object as Described;
  const { reference = '', key } = metadata ?? {};
  const money = moneyOf(object as Described);
  if (type === 'payment_intent' || type === 'charge') return { reference, ...(money && status === 'succeeded' ? { money } : {}) };
  if (type !== 'refund' && type !== 'dispute') return { reference: '' };
  const providerId = typeof intent === 'string' ? intent : intent?.id;
  return {
    reference,
    ...(providerId ? { providerId } : {}),
    ...(type === 'refund' && key ? { refundKey: key } : {}),
    ...(money ? { money } : {}),
  };
}

function moneyOf({ amount, currency }: Described): ProviderMoney | null {
  return amount && currency ? { amount: centsOfStripe(amount, currency), currency: currency.toUpperCase() } : null;
}

interface Described {
  object?: string;
  status?: string;
  /** In Stripe's unit of the currency. */
  amount?: number;
  currency?: string;
  metadata?: Record<string, string> | null;
  payment_intent?: string | { id: string } | null;
}
