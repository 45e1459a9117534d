/** Checks that the providers' keys match the shop's mode: test keys take no money, live keys take real money. */
import type { Env } from '#server/platform/env.ts';
import { keyModes, type PaymentKeys } from './registry.ts';

/** The environment of a shop; `payments` has null for a provider that is not set up. */
export type PaymentsEnv = Env<PaymentKeys>;

/**
 * One sentence for each provider with the wrong mode: test keys in a public shop (PUBLIC_URL, or NODE_ENV=production) that is not
 * the demo, and live keys in the demo. Does not repeat the keys.
 */
export function keyModeProblems(env: Pick<PaymentsEnv, 'payments' | 'demo' | 'production' | 'publicUrl'>): string[] {
  const open = !env.demo && (env.production || env.publicUrl !== null);
  return keyModes(env).flatMap(({ provider, mode }) => {
    if (open && mode === 'test')
      return [`${provider} has test keys: orders are placed, but no money is taken. Set the live keys before you sell.`];
    if (env.demo && mode === 'live')
      return [`${provider} has live keys in the demo shop: real cards are charged for demo products. Set test keys, or DEMO=0.`];
    return [];
  });
}
