/** Which stores, and the shipping warehouse, have what is in the cart. */
import type { Inventory } from '#contract/schemas/catalogue.ts';
import type { LineItem } from '#contract/schemas/order.ts';

/** Stock by SKU; a SKU not yet asked about is missing, and counts as available. */
export type CartStock = ReadonlyMap<string, Inventory>;

type Line = Pick<LineItem, 'sku' | 'quantity' | 'inStoreOnly'>;

/** Lines of which a store has fewer than wanted. */
export function lackingAt<L extends Line>(store: string, lines: readonly L[], stock: CartStock): L[] {
  return lines.filter((line) => {
    const stores = stock.get(line.sku)?.inventoryStoreInfos;
    if (!stores) return false;
    return (stores.find(({ localStoreName }) => localStoreName === store)?.number ?? 0) < line.quantity;
  });
}

/** Lines that cannot be shipped: sold in stores only, or fewer in the warehouse than wanted. */
export function notShippable<L extends Line>(lines: readonly L[], stock: CartStock): L[] {
  return lines.filter((line) => line.inStoreOnly || (stock.get(line.sku)?.shippable ?? line.quantity) < line.quantity);
}
