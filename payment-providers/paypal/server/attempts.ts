import { type Decision, settledBy } from '#server/modules/payments/providers/decisions.ts';
import { type Attempt, attemptEnded, type PaymentOutcome } from '#server/modules/payments/providers/provider.ts';
import type { Approval } from './approvals.ts';
import { asRefusal, chooseAgain, failAttempt, failRefused, NotReturned, outcomeOf, type PayPalContext } from './order-outcome.ts';
import { captureRefusal } from './refusals.ts';

/** The outcome of an attempt that is over, unless PayPal's page has captured its order after all. */
export async function outcomeUnlessCaptured(
  context: PayPalContext,
  attempt: Attempt,
  over: PaymentOutcome,
): Promise<PaymentOutcome> {
  if (attempt.providerId === null) return over;
  const order = await (await context.client()).findOrder(attempt.providerId).catch(() => null);
  const outcome = order && (await outcomeOf(context, attempt, order, false));
  return outcome?.state === 'succeeded' ? outcome : over;
}

/** Captures an approved order if `mayCapture`. */
export async function findOutcome(context: PayPalContext, attempt: Attempt, mayCapture: boolean): Promise<PaymentOutcome> {
  // Without an id the customer never got a token to approve.
  if (attempt.providerId === null) return { state: 'undecided' };
  try {
    const order = await (await context.client()).findOrder(attempt.providerId);
    const outcome = await outcomeOf(context, attempt, order, mayCapture);
    // A declined approval is not an outcome; the customer has to approve once more.
    const waits = outcome.state === 'undecided' && !mayCapture && order.status === 'APPROVED';
    return waits ? chooseAgain(attempt.providerId) : outcome;
  } catch (error) {
    if (error instanceof NotReturned) throw error;
    const refusal = asRefusal(error);
    const read = refusal && captureRefusal(refusal);
    return refusal && typeof read === 'object' && read
      ? failRefused(context, attempt.reference, read, refusal)
      : { state: 'undecided' };
  }
}

/** An order remains approved when its funding was declined: then only a customer just in PayPal's window allows it again. */
export const mayCapture = ({ number, decision }: Approval<Decision | null>, shopperActed: boolean) =>
  number === 1 || decision !== null || shopperActed;

export async function cancelAttempt(context: PayPalContext, attempt: Attempt): Promise<PaymentOutcome> {
  const { name, decision } = await context.approvals.decide(attempt.reference, 'end');
  const over = settledBy(decision);
  if (over) return outcomeUnlessCaptured(context, attempt, over);
  // A capture is or was under way: sending it again with the same request id returns its outcome.
  const outcome = await findOutcome(context, attempt, true);
  if (outcome.state !== 'action') return outcome;
  // PayPal requires another approval, but the customer has cancelled. The approval that could follow is ended instead.
  const next = await context.approvals.current(attempt.reference);
  return next.name === name ? failAttempt(context, attempt.reference, attemptEnded) : cancelAttempt(context, attempt);
}
