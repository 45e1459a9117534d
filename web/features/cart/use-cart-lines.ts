import { useState } from 'react';
import { quantityErrors, scarceUnits } from '#contract/rules/quantity.ts';
import type { LineItem, Order } from '#contract/schemas/order.ts';
import { errorText, fieldTexts } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import type { CartStore } from './cart-store.ts';

/** A removed line, stored so that it can be restored; `after` is the SKU that it followed. */
export interface RemovedLine {
  line: LineItem;
  after: string | null;
  problem?: string;
}

export function useCartLines(order: Order | undefined, cartStore: CartStore) {
  const t = useT();
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [removed, setRemoved] = useState<RemovedLine[]>([]);
  const [returned, setReturned] = useState<string>();

  const say = (sku: string, problem: string | undefined) =>
    setProblems(({ [sku]: _, ...others }) => (problem ? { ...others, [sku]: problem } : others));
  const forget = (sku: string) => setRemoved((lines) => lines.filter(({ line }) => line.sku !== sku));

  /** A rejection may mean that the cart differs from the shown one, for instance because another tab changed it. */
  const refresh = () => void cartStore.read().catch(() => undefined);

  const setQuantity = (line: LineItem, quantity: number) => {
    const { quantity: wrong } = fieldTexts(quantityErrors(quantity), t);
    say(line.sku, wrong);
    if (wrong) return;
    cartStore.setQuantity(line.sku, quantity).catch((error: unknown) => {
      refresh();
      say(line.sku, t('cart.changeFailed', { reason: errorText(error, t) }));
    });
  };

  const remove = (line: LineItem) => {
    const lines = order?.lineItems ?? [];
    const after = lines[lines.findIndex(({ sku }) => sku === line.sku) - 1]?.sku ?? null;
    say(line.sku, undefined);
    setRemoved((gone) => [...gone.filter((other) => other.line.sku !== line.sku), { line, after }]);
    cartStore.remove(line.sku).catch((error: unknown) => {
      refresh();
      forget(line.sku);
      say(line.sku, t('cart.removeFailed', { product: line.productName, reason: errorText(error, t) }));
    });
  };

  const undo = async ({ line }: RemovedLine) => {
    const { sku, product, productName, optionPairs, quantity } = line;
    try {
      setReturned(sku);
      await cartStore.add({ sku, product, productName, optionPairs, quantity });
      forget(sku);
    } catch (error) {
      const problem = t('cart.undoFailed', { product: productName, reason: errorText(error, t) });
      setRemoved((gone) => gone.map((other) => (other.line.sku === sku ? { ...other, problem } : other)));
    }
  };

  return { problems, removed, returned, setQuantity, remove, undo, forget };
}

/** The status of a cart line, and whether it blocks checkout (SPEC §4, §5). */
type LineStatus =
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
