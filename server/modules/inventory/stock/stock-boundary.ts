import type { Trx } from '#db/database.ts';
import { warehouse } from '#server/platform/locations.ts';
import { totalsOf } from './stock.repository.ts';

/** Of the catalogue. */
export interface StockListings {
  lock(trx: Trx): Promise<void>;
  /** In the transaction in which SKUs sell out or come back (`crossed`): only such sales change catalogue pages. */
  stockCrossed(trx: Trx, change: { skus: readonly string[]; crossed: ReadonlySet<string> }): Promise<void>;
}

export type ReportStockBoundary = ReturnType<typeof createStockBoundary>;

export function createStockBoundary(listings: StockListings) {
  /** Unless the location is the warehouse and there are units elsewhere. */
  return async function reportStockBoundary(
    trx: Trx,
    changed: readonly { sku: string; location: string }[],
    everywhere: (total: number, sku: string) => boolean,
  ): Promise<void> {
    if (changed.length === 0) return;
    // The lock prevents two transactions from each deciding by half of the changes whether a product is sold out.
    await listings.lock(trx);
    const totals = await totalsOf(trx, [...new Set(changed.map(({ sku }) => sku))]);
    const crossed = new Set(changed.flatMap(({ sku }) => (everywhere(totals.get(sku) ?? 0, sku) ? sku : [])));
    const seen = changed.filter(({ sku, location }) => location !== warehouse || crossed.has(sku));
    if (seen.length > 0) await listings.stockCrossed(trx, { skus: [...new Set(seen.map(({ sku }) => sku))], crossed });
  };
}
