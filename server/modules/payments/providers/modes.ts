/** Checks that the providers' keys match the shop's mode: test keys take no money, live keys take real money. */
import type { PaymentsEnv } from './payments-env.ts';
import { keyModes } from './registry.ts';

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
