/** Determines which stores, and the shipping warehouse, have the items of the cart in stock. */
import type { Inventory } from '#contract/schemas/catalogue.ts';
import type { LineItem } from '#contract/schemas/order.ts';

/** Stock by SKU; a SKU whose stock is not loaded yet is missing, and counts as available. */
export type CartStock = ReadonlyMap<string, Inventory>;

type Line = Pick<LineItem, 'sku' | 'quantity' | 'inStoreOnly'>;

/** Lines of which a store has fewer units than requested. */
export function lackingAt<L extends Line>(store: string, lines: readonly L[], stock: CartStock): L[] {
  return lines.filter((line) => {
    const stores = stock.get(line.sku)?.inventoryStoreInfos;
    if (!stores) return false;
    return (stores.find(({ localStoreName }) => localStoreName === store)?.number ?? 0) < line.quantity;
  });
}

/**
 * Why no store has everything: the lines that none has, or else those that no store has `together`. Null if one has all.
 * `stores` are `localStoreName`s.
 */
export function missingFrom<L extends Line>(
  stores: readonly string[],
  lines: readonly L[],
  stock: CartStock,
): { lines: L[]; together: boolean } | null {
  const lacking = stores.map((store) => lackingAt(store, lines, stock));
  if (lacking.some((some) => some.length === 0)) return null;
  const nowhere = lines.filter((line) => lacking.every((some) => some.includes(line)));
  if (nowhere.length > 0) return { lines: nowhere, together: false };
  return { lines: lines.filter((line) => lacking.some((some) => some.includes(line))), together: true };
}

/** Lines that cannot be shipped: sold in stores only, or fewer units in the warehouse than requested. */
export function notShippable<L extends Line>(lines: readonly L[], stock: CartStock): L[] {
  return lines.filter((line) => line.inStoreOnly || (stock.get(line.sku)?.shippable ?? line.quantity) < line.quantity);
}
