/** What has to be said about a line of the cart, and whether it stops checking out (SPEC §4, §5). */
import type { LineItem } from '#contract/schemas/order.ts';

/** From this many units on, nobody needs to hear how many are left. */
const scarceBelow = 6;

export type LineStatus =
  | { kind: 'outOfStock' | 'failed' }
  /** Fewer than wanted, `left` of them. */
  | { kind: 'tooFew'; left: number }
  /** Enough, but no more than `left`. */
  | { kind: 'scarce'; left: number }
  | { kind: 'fine' };

export function lineStatus(line: Pick<LineItem, 'inventoryProcessingStatus' | 'obtainable' | 'quantity'>): LineStatus {
  const { inventoryProcessingStatus: status, obtainable, quantity } = line;
  if (status === 'processingFailed') return { kind: 'failed' };
  // Held for this very order: there is nothing to warn of.
  if (status === 'processing' || status === 'processed') return { kind: 'fine' };
  if (status === 'notAvailable' && obtainable === 0) return { kind: 'outOfStock' };
  if (status === 'notAvailable' || quantity > obtainable) return { kind: 'tooFew', left: obtainable };
  return obtainable < scarceBelow ? { kind: 'scarce', left: obtainable } : { kind: 'fine' };
}

/** SPEC §4: a line that is not available, or could not be held, stops checking out. */
export function blocksCheckout(line: Parameters<typeof lineStatus>[0]): boolean {
  return ['outOfStock', 'tooFew', 'failed'].includes(lineStatus(line).kind);
}
