import { useState } from 'react';
import { quantityErrors } from '#contract/rules/quantity.ts';
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

/** Changes lines, with the error of each line and the removed lines that can be restored. */
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
