/** Runs the step that Stripe needs from the customer before it decides: 3-D Secure, or approval at another site. */
import type { Stripe } from '@stripe/stripe-js';

/**
 * Shows the step. Methods that send the customer elsewhere leave the page; the customer returns to /payment, which continues by
 * itself. 'cancelled' whenever Stripe is still waiting or cannot tell: giving up an attempt is safe, since the shop asks Stripe
 * whether it was too late for that.
 */
export async function handleNextAction(stripe: Pick<Stripe, 'handleNextAction'>, token: string): Promise<'done' | 'cancelled'> {
  const { paymentIntent, error } = await stripe.handleNextAction({ clientSecret: token });
  const status = paymentIntent?.status ?? error?.payment_intent?.status;
  return status === undefined || status === 'requires_action' ? 'cancelled' : 'done';
}
