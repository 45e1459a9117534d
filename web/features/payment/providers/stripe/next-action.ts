/** What the shopper has to do before Stripe decides: 3-D Secure, or agreeing at another place. */
import type { Stripe } from '@stripe/stripe-js';

/**
 * Shows it. Ways that send the shopper elsewhere leave the page; they come back to /payment, which goes
 * on by itself. 'cancelled' wherever Stripe is still waiting or cannot say: giving an attempt up is safe,
 * since the shop asks Stripe whether it was too late for that.
 */
export async function handleNextAction(stripe: Pick<Stripe, 'handleNextAction'>, token: string): Promise<'done' | 'cancelled'> {
  const { paymentIntent, error } = await stripe.handleNextAction({ clientSecret: token });
  const status = paymentIntent?.status ?? error?.payment_intent?.status;
  return status === undefined || status === 'requires_action' ? 'cancelled' : 'done';
}
