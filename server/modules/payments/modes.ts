/** Whether the providers' keys are of the mode that the shop needs: test keys take no money, live ones take real money. */
import type { PaymentsEnv } from './payments-env.ts';
import { keyModes } from './registry.ts';

/**
 * What is wrong about the modes, a sentence for each provider: test keys in a shop that shoppers reach (PUBLIC_URL, or
 * NODE_ENV=production) and that is not the demo, and live keys in the demo. No keys are repeated.
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
