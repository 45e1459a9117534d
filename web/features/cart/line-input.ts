import { canonicalSelections } from '#contract/rules/modifiers.ts';
import type { LineItem } from '#contract/schemas/order.ts';
import type { AddInput } from './cart-store.ts';

/** The same as a line, to be added again. Where nothing was chosen, the defaults of now are. */
export function inputOfLine({ sku, product, productName, optionPairs, quantity, modifiers, note }: LineItem): AddInput {
  const chosen = modifiers.length > 0 ? { modifiers: canonicalSelections(modifiers) } : {};
  return { sku, product, productName, optionPairs, quantity, ...chosen, note };
}
