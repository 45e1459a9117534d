/**
 * Stock per SKU and location. It changes only by conditional update, so a unit is promised only once: it is taken from `stock`
 * into a hold, and from there sold or released.
 */
import type { Reader } from '#db/database.ts';
import { createHolds, type HoldsDeps } from './holds.ts';
import { createReturns } from './returns.ts';
import { stockOf } from './stock.repository.ts';
import { createStockBoundary, type StockBoundaryDeps } from './stock-boundary.ts';

/** Available units by SKU, then by location. */
export type StockLevels = ReadonlyMap<string, ReadonlyMap<string, number>>;

export type StockService = ReturnType<typeof createStockService>;

export function createStockService(deps: HoldsDeps & StockBoundaryDeps) {
  const reportStockBoundary = createStockBoundary(deps);
  return {
    ...createHolds(deps, reportStockBoundary),
    ...createReturns(reportStockBoundary),

    async levels(reader: Reader, skus: readonly string[]): Promise<StockLevels> {
      const levels = new Map<string, Map<string, number>>();
      if (skus.length === 0) return levels;
      for (const { sku, location_id, quantity } of await stockOf(reader, skus)) {
        const places = levels.get(sku) ?? new Map<string, number>();
        levels.set(sku, places.set(location_id, quantity));
      }
      return levels;
    },
  };
}
