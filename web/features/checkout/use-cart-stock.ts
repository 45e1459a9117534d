import { useQueries } from '@tanstack/react-query';
import type { Inventory } from '#contract/schemas/catalogue.ts';
import type { LineItem } from '#contract/schemas/order.ts';
import { useApi } from '#web/lib/api-context.tsx';
import type { CartStock } from './cart-stock.ts';
import { lineStockQuery } from './queries.ts';

/** Live stock of every line of the cart; lines whose stock is still loading are missing. */
export function useCartStock(lines: LineItem[]): CartStock {
  const api = useApi();
  const queries = useQueries({ queries: lines.map((line) => lineStockQuery(api, line)) });
  const known = lines.flatMap(({ sku }, index): [string, Inventory][] => {
    const stock = queries[index]?.data;
    return stock ? [[sku, stock]] : [];
  });
  return new Map(known);
}
