/**
 * Stock per SKU and location. It changes only by conditional update, so a unit is promised only once: it is taken from `stock`
 * into a hold, and from there sold or released.
 */
import type { Reader, Trx } from '#db/database.ts';
import { removedAmong } from '#server/modules/stores/index.ts';
import { createHolds, type HoldsDeps } from './holds.ts';
import { deleteHolds, returnUnits, type StockRow, skuExists, stockOf } from './stock.repository.ts';
import { createStockBoundary, type ReportStockBoundary, type StockBoundaryDeps } from './stock-boundary.ts';

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

function createReturns(reportStockBoundary: ReportStockBoundary) {
  async function returnToStock(trx: Trx, rows: readonly StockRow[]): Promise<void> {
    const filled: { sku: string; location: string; units: number }[] = [];
    const removed = await removedAmong(trx, [...new Set(rows.map(({ location_id }) => location_id))]);
    for (const { sku, location_id, quantity } of rows) {
      // The SKU or the store may have been removed meanwhile; then there is no stock to return it to.
      if (removed.has(location_id) || !(await skuExists(trx, sku))) continue;
      const there = await returnUnits(trx, sku, location_id, quantity);
      if (there === quantity) filled.push({ sku, location: location_id, units: quantity });
    }
    const unitsOf = (sku: string) => filled.reduce((sum, each) => sum + (each.sku === sku ? each.units : 0), 0);
    await reportStockBoundary(trx, filled, (total, sku) => total === unitsOf(sku));
  }

  return {
    release: async (trx: Trx, orderId: string): Promise<void> => returnToStock(trx, await deleteHolds(trx, orderId)),

    /** Returns units of a cancelled order to stock, each to the location it was sold from. */
    restock: (trx: Trx, sold: readonly { sku: string; location: string; quantity: number }[]): Promise<void> =>
      returnToStock(
        trx,
        sold.map(({ sku, location, quantity }) => ({ sku, location_id: location, quantity })),
      ),
  };
}
