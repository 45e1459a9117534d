import { useQuery } from '@tanstack/react-query';
import type { Inventory, Product } from '#contract/schemas/catalogue.ts';
import { useApi } from '#web/lib/api.ts';
import { inventoryQuery } from './queries.ts';
import { type Choice, pairsOf, skuOf } from './selection.ts';

export type StockStatus = Inventory['status'];

export interface Stock {
  status: StockStatus;
  /** Undefined until the live answer arrives; the status is then that of the rendered page. */
  live: Inventory | undefined;
  sku: string | null;
}

/**
 * Whether the chosen combination is in stock: first as in the rendered page, then live. An answer for an earlier choice is
 * never shown for this one.
 */
export function useStock(product: Product, choice: Choice): Stock {
  const { data: live } = useQuery(inventoryQuery(useApi(), product.id, pairsOf(choice)));
  const known = skuOf(product, choice);
  const before: StockStatus = known ? (known.inStock ? 'InStock' : 'OutOfStock') : 'NotAvailable';
  return { status: live?.status ?? before, live, sku: live?.sku ?? known?.sku ?? null };
}
