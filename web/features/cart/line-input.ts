import { canonicalSelections } from '#contract/rules/modifiers.ts';
import type { CartItem, LineItem } from '#contract/schemas/order.ts';

/** The same as a line, to be added again. Where nothing was chosen, the defaults of now are. */
export function inputOfLine({
  sku,
  product,
  productName,
  optionPairs,
  quantity,
  modifiers,
  note,
}: LineItem): CartItem {
  const chosen = modifiers.length > 0 ? { modifiers: canonicalSelections(modifiers) } : {};
  return { sku, product, productName, optionPairs, quantity, ...chosen, note };
}
