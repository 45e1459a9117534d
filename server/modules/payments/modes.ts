/** Whether the providers' keys are of the mode that the shop needs: test keys take no money, live ones take real money. */
import type { Env } from '#server/platform/env.ts';

export type KeyMode = 'test' | 'live';

type ModeEnv = Pick<Env, 'payments' | 'demo' | 'production' | 'publicUrl'>;

/** The modes of the providers that are set up, by the providers' names. */
export function keyModes({ payments }: Pick<Env, 'payments'>): { provider: string; mode: KeyMode }[] {
  const { stripe, paypal, braintree } = payments;
  const modes: [string, boolean | null][] = [
    ['Stripe', stripe && /^(sk|rk)_live_/.test(stripe.secretKey)],
    ['PayPal', paypal && paypal.mode === 'live'],
    ['Braintree', braintree && braintree.environment === 'production'],
  ];
  return modes.flatMap(([provider, live]) => (live === null ? [] : [{ provider, mode: live ? 'live' : 'test' }]));
}

/**
 * What is wrong about the modes, a sentence for each provider: test keys in a shop that shoppers reach (PUBLIC_URL, or
 * NODE_ENV=production) and that is not the demo, and live keys in the demo. No keys are repeated.
 */
export function keyModeProblems(env: ModeEnv): string[] {
  const open = !env.demo && (env.production || env.publicUrl !== null);
  return keyModes(env).flatMap(({ provider, mode }) => {
    if (open && mode === 'test')
      return [`${provider} has test keys: orders are placed, but no money is taken. Set the live keys before you sell.`];
    if (env.demo && mode === 'live')
      return [`${provider} has live keys in the demo shop: real cards are charged for demo products. Set test keys, or DEMO=0.`];
    return [];
  });
}
