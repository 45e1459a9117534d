import { useState } from 'react';
import { quantityErrors } from '#contract/rules/quantity.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { ApiError } from '#web/lib/api.ts';
import { errorText, fieldErrorsOf, fieldTexts } from '#web/lib/api-errors.ts';
import { type Choice, pairsOf } from './selection.ts';
import type { Stock } from './use-stock.ts';

export interface AddToCart {
  add(input: { sku: string; product: string; productName: string; optionPairs: string; quantity: number }): Promise<unknown>;
  pending: boolean;
}

/** The result of the last press of "Add to cart". `unavailable` is SPEC §8's alert. */
export type Outcome =
  | { kind: 'none' }
  | { kind: 'added'; quantity: number }
  | { kind: 'unavailable' }
  | { kind: 'quantity'; text: string }
  | { kind: 'failed'; text: string };

/** The quantity, the call that adds to the cart, and its messages. Changing the choice clears them (SPEC §4). */
export function useBuying(product: Product, choice: Choice, stock: Stock, { add, pending }: AddToCart) {
  const t = useT();
  const pairs = pairsOf(choice);
  const [quantity, setQuantity] = useState(1);
  const [said, setSaid] = useState<{ about: string; outcome: Outcome }>({ about: pairs, outcome: { kind: 'none' } });
  const outcome: Outcome = said.about === pairs ? said.outcome : { kind: 'none' };
  const say = (next: Outcome) => setSaid({ about: pairs, outcome: next });

  const buy = async () => {
    const wrong = fieldTexts(quantityErrors(quantity), t).quantity;
    if (wrong) return say({ kind: 'quantity', text: wrong });
    if (stock.status !== 'InStock' || !stock.sku) return say({ kind: 'unavailable' });
    try {
      await add({ sku: stock.sku, product: product.id, productName: product.nameContent.en, optionPairs: pairs, quantity });
      say({ kind: 'added', quantity });
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
    setQuantity: (next: number) => {
      setQuantity(next);
      say({ kind: 'none' });
    },
    buy,
    pending,
    outcome,
    dismiss: () => say({ kind: 'none' }),
  };
}

export type Buying = ReturnType<typeof useBuying>;
