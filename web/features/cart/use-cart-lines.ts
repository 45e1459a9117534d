import { useState } from 'react';
import { quantityErrors, scarceUnits } from '#contract/rules/quantity.ts';
import type { LineItem, Order } from '#contract/schemas/order.ts';
import { errorText, fieldTexts } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import type { CartStore } from './cart-store.ts';
import { inputOfLine } from './line-input.ts';

/** A removed line, stored so that it can be restored; `after` is the id of the line that it followed. */
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

  const say = (id: string, problem: string | undefined) =>
    setProblems(({ [id]: _, ...others }) => (problem ? { ...others, [id]: problem } : others));
  const forget = (id: string) => setRemoved((lines) => lines.filter(({ line }) => line.id !== id));

  /** A rejection may mean that the cart differs from the shown one, for instance because another tab changed it. */
  const refresh = () => void cartStore.read().catch(() => undefined);

  const setQuantity = (line: LineItem, quantity: number) => {
    const { quantity: wrong } = fieldTexts(quantityErrors(quantity), t);
    say(line.id, wrong);
    if (wrong) return;
    cartStore.setQuantity(line.id, quantity).catch((error: unknown) => {
      refresh();
      say(line.id, t('cart.changeFailed', { reason: errorText(error, t) }));
    });
  };

  const remove = (line: LineItem) => {
    const lines = order?.lineItems ?? [];
    const after = lines[lines.findIndex(({ id }) => id === line.id) - 1]?.id ?? null;
    say(line.id, undefined);
    setRemoved((gone) => [...gone.filter((other) => other.line.id !== line.id), { line, after }]);
    cartStore.remove(line.id).catch((error: unknown) => {
      refresh();
      forget(line.id);
      say(line.id, t('cart.removeFailed', { product: line.productName, reason: errorText(error, t) }));
    });
  };

  /** The line comes back as another one, which is last and has an id of its own. */
  const undo = async ({ line }: RemovedLine) => {
    const { id, productName } = line;
    try {
      const before = new Set(order?.lineItems.map((other) => other.id));
      const { lineItems } = await cartStore.add(inputOfLine(line));
      setReturned((lineItems.find((other) => !before.has(other.id)) ?? lineItems.at(-1))?.id);
      forget(id);
    } catch (error) {
      const problem = t('cart.undoFailed', { product: productName, reason: errorText(error, t) });
      setRemoved((gone) => gone.map((other) => (other.line.id === id ? { ...other, problem } : other)));
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

/** SPEC §4: a line that is unavailable as it was chosen, or could not be held, blocks checkout. */
export function blocksCheckout(line: Parameters<typeof lineStatus>[0] & Pick<LineItem, 'unavailable'>): boolean {
  return line.unavailable !== undefined || ['outOfStock', 'tooFew', 'failed'].includes(lineStatus(line).kind);
}

/** Whether some delivery method has all lines together. */
export function isServed({ methods }: Pick<Order, 'methods'>): boolean {
  return methods?.length !== 0;
}
