/** Returns units to stock: those of a released hold, and those of a cancelled order. */
import type { Trx } from '#db/database.ts';
import { removedAmong } from '#server/modules/stores/index.ts';
import { deleteHolds, returnUnits, type StockRow, skuExists } from './stock.repository.ts';
import type { ReportStockBoundary } from './stock-boundary.ts';

export function createReturns(reportStockBoundary: ReportStockBoundary) {
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
    /** Releases an order's held units. */
    release: async (trx: Trx, orderId: string): Promise<void> => returnToStock(trx, await deleteHolds(trx, orderId)),

    /** Returns units of a cancelled order to stock, each to the location it was sold from. */
    restock: (trx: Trx, sold: readonly { sku: string; location: string; quantity: number }[]): Promise<void> =>
      returnToStock(
        trx,
        sold.map(({ sku, location, quantity }) => ({ sku, location_id: location, quantity })),
      ),
  };
}
