import type { Stripe } from '@stripe/stripe-js';

/**
 * Methods that send the customer elsewhere leave the page; /payment continues on return. 'cancelled' whenever Stripe is still
 * waiting or cannot tell: the shop asks Stripe whether it was too late for that.
 */
export async function handleNextAction(stripe: Pick<Stripe, 'handleNextAction'>, token: string): Promise<'done' | 'cancelled'> {
  const { paymentIntent, error } = await stripe.handleNextAction({ clientSecret: token });
  const status = paymentIntent?.status ?? error?.payment_intent?.status;
  return status === undefined || status === 'requires_action' ? 'cancelled' : 'done';
}
