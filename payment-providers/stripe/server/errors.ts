/** What the shop may log and show of Stripe's errors, which contain whole responses with client secrets and addresses. */
import Stripe from 'stripe';
import { AttemptUnknown, RightMissing } from '#server/modules/payments/providers/provider.ts';

/** Errors that are not Stripe's are returned as they are. */
export function readable(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  if (error instanceof Stripe.errors.StripePermissionError) return new RightMissing(rightOf(error.message));
  // The key belongs to another account or mode than the intent. The message contains only the intent's id.
  if (error.code === 'resource_missing' && error.param === 'intent')
    return new AttemptUnknown(`Stripe: ${error.message}`);
  const { type, code = 'no code', statusCode = 'no answer', requestId = 'no request id', message } = error;
  return new Error(`Stripe: ${type}, ${statusCode}, ${code}, ${requestId}: ${message}`);
}

/** Stripe names the permission by its own key ('rak_dispute_read'), and the shop's key in part. */
function rightOf(message: string): string {
  const permission = /\brak_\w+/.exec(message)?.[0];
  const lacks = permission
    ? `the restricted key lacks the permission ${permission}`
    : 'the key may not do this';
  return `Stripe: ${lacks}. Give it at Developers → API keys`;
}

export async function quietly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw readable(error);
  }
}
