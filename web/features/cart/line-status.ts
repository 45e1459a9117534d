/** The status of a cart line, and whether it blocks checkout (SPEC §4, §5). */
import { scarceUnits } from '#contract/rules/quantity.ts';
import type { LineItem, Order } from '#contract/schemas/order.ts';

export type LineStatus =
  | { kind: 'outOfStock' | 'failed' }
  /** Fewer than requested: `left` units. */
  | { kind: 'tooFew'; left: number }
  /** Enough, but no more than `left`. */
  | { kind: 'scarce'; left: number }
  | { kind: 'fine' };

export function lineStatus(line: Pick<LineItem, 'inventoryProcessingStatus' | 'obtainable' | 'quantity'>): LineStatus {
  const { inventoryProcessingStatus: status, obtainable, quantity } = line;
  if (status === 'processingFailed') return { kind: 'failed' };
  // The units are held for this very order, so there is nothing to warn about.
  if (status === 'processing' || status === 'processed') return { kind: 'fine' };
  if (status === 'notAvailable' && obtainable === 0) return { kind: 'outOfStock' };
  if (status === 'notAvailable' || quantity > obtainable) return { kind: 'tooFew', left: obtainable };
  return obtainable <= scarceUnits ? { kind: 'scarce', left: obtainable } : { kind: 'fine' };
}

/** SPEC §4: a line that is unavailable, or could not be held, blocks checkout. */
export function blocksCheckout(line: Parameters<typeof lineStatus>[0]): boolean {
  return ['outOfStock', 'tooFew', 'failed'].includes(lineStatus(line).kind);
}

/** Whether some delivery method has all lines together. */
export function isServed({ methods }: Pick<Order, 'methods'>): boolean {
  return methods?.length !== 0;
}
