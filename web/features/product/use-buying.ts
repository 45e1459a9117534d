import { useState } from 'react';
import { quantityErrors, scarceUnits } from '#contract/rules/quantity.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import type { CartItem, Order } from '#contract/schemas/order.ts';
import { ApiError, errorText, fieldErrorsOf, fieldTexts } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { quantityRange } from '#ui/quantity-stepper.tsx';
import { type Choice, pairsOf } from './selection.ts';
import type { Stock } from './stock-line.tsx';

export interface AddToCart {
  add(input: CartItem): Promise<Order>;
  pending: boolean;
  storeId: string | null;
}

/** Adds to the cart; null if the customer has been told elsewhere why not. */
export type Add = (input: CartItem) => Promise<Order | null>;

/** The result of the last press of "Add to cart". `unavailable` is SPEC §8's alert. */
export type Outcome =
  | { kind: 'none' }
  | { kind: 'added'; quantity: number; order: Order }
  | { kind: 'unavailable' }
  | { kind: 'quantity'; text: string }
  | { kind: 'failed'; text: string };

/** The quantity, the call that adds to the cart, and its messages. Changing the choice clears them (SPEC §4). */
export function useBuying(product: Product, choice: Choice, stock: Stock, add: Add) {
  const t = useT();
  const pairs = pairsOf(choice);
  const [wanted, setQuantity] = useState(1);
  const left = stock.live?.obtainable ?? 0;
  // A page that says how many are left lets no more be chosen.
  const range = left > 0 && left <= scarceUnits ? { ...quantityRange, max: left } : quantityRange;
  const quantity = Math.min(wanted, range.max);
  const [said, setSaid] = useState<{ about: string; outcome: Outcome }>({ about: pairs, outcome: { kind: 'none' } });
  const outcome: Outcome = said.about === pairs ? said.outcome : { kind: 'none' };
  const say = (next: Outcome) => setSaid({ about: pairs, outcome: next });

  const buy = async () => {
    const wrong = fieldTexts(quantityErrors(quantity), t).quantity;
    if (wrong) return say({ kind: 'quantity', text: wrong });
    if (stock.status !== 'InStock' || !stock.sku) return say({ kind: 'unavailable' });
    try {
      const item = { sku: stock.sku, product: product.id, productName: product.productName, optionPairs: pairs, quantity };
      const order = await add(item);
      say(order ? { kind: 'added', quantity, order } : { kind: 'none' });
    } catch (error) {
      say(outcomeOf(error));
    }
  };

  const outcomeOf = (error: unknown): Outcome => {
    const text = fieldErrorsOf(error).quantity;
    if (text) return { kind: 'quantity', text };
    if (error instanceof ApiError && (error.status === 409 || error.status === 404)) return { kind: 'unavailable' };
    return { kind: 'failed', text: errorText(error, t) };
  };

  return {
    quantity,
    range,
    setQuantity: (next: number) => {
      setQuantity(next);
      say({ kind: 'none' });
    },
    buy,
    outcome,
    dismiss: () => say({ kind: 'none' }),
  };
}
