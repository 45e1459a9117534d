/**
 * Stock per SKU and location. It changes only by conditional update, so a unit is promised only once: it is taken from `stock`
 * into a hold, and from there sold or released.
 */
import type { Database, Reader, Trx } from '#db/database.ts';
import { lockCatalogue } from '#server/modules/catalogue/index.ts';
import { removedAmong, warehouse } from '#server/modules/stores/index.ts';
import type { LowStockEvents, StockChange } from '#server/modules/webhooks/index.ts';
import {
  deleteHolds,
  hasHolds,
  holdEnd,
  insertHold,
  ordersWithExpiredHolds,
  returnUnits,
  type StockRow,
  setHoldEnd,
  shortenHolds,
  skuExists,
  stockOf,
  takeUnits,
  totalsOf,
} from './stock.repository.ts';

/** Available units by SKU, then by location. */
export type StockLevels = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface RequestedUnits {
  sku: string;
  quantity: number;
}

export type StockService = ReturnType<typeof createStockService>;

export interface StockDeps {
  db: Database;
  now: () => number;
  /**
   * Called in the transaction in which SKUs sell out, or come back into stock, in a store or everywhere (`crossed`): the only sales
   * that change catalogue pages.
   */
  onBoundary(trx: Trx, change: { skus: readonly string[]; crossed: ReadonlySet<string> }): Promise<void>;
  lowStock: LowStockEvents;
}

export function createStockService({ db, now, onBoundary, lowStock }: StockDeps) {
  /** Reports SKUs that became in stock or sold out at a location, unless that is the warehouse and there are units elsewhere. */
  async function reportStockBoundary(
    trx: Trx,
    changed: readonly { sku: string; location: string }[],
    everywhere: (total: number, sku: string) => boolean,
  ): Promise<void> {
    if (changed.length === 0) return;
    // The lock prevents two transactions from each deciding by half of the changes whether a product is sold out.
    await lockCatalogue(db, trx);
    const totals = await totalsOf(trx, [...new Set(changed.map(({ sku }) => sku))]);
    const crossed = new Set(changed.flatMap(({ sku }) => (everywhere(totals.get(sku) ?? 0, sku) ? sku : [])));
    const seen = changed.filter(({ sku, location }) => location !== warehouse || crossed.has(sku));
    if (seen.length > 0) await onBoundary(trx, { skus: [...new Set(seen.map(({ sku }) => sku))], crossed });
  }

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
    async levels(reader: Reader, skus: readonly string[]): Promise<StockLevels> {
      const levels = new Map<string, Map<string, number>>();
      if (skus.length === 0) return levels;
      for (const { sku, location_id, quantity } of await stockOf(reader, db.engine, skus)) {
        const places = levels.get(sku) ?? new Map<string, number>();
        levels.set(sku, places.set(location_id, quantity));
      }
      return levels;
    },

    /**
     * Takes the units of an order at a location into a hold. Returns the SKUs of which there are not enough; if any is returned,
     * the caller must roll the transaction back.
     * @param expiresAt epoch ms; null: held until the order ends
     * @param isWatched whether an endpoint may receive the webhook event of low stock
     */
    async hold(
      trx: Trx,
      orderId: string,
      wanted: readonly RequestedUnits[],
      location: string,
      expiresAt: number | null,
      isWatched = true,
    ): Promise<string[]> {
      const short: string[] = [];
      const emptied: string[] = [];
      const taken: StockChange[] = [];
      // Always in the same order, so that two orders for the same SKUs cannot deadlock.
      for (const { sku, quantity } of wanted.toSorted(bySku)) {
        const left = await takeUnits(trx, sku, location, quantity);
        if (left === null) {
          short.push(sku);
          continue;
        }
        await insertHold(trx, { order_id: orderId, sku, location_id: location, quantity, expires_at: expiresAt });
        if (left === 0) emptied.push(sku);
        taken.push({ sku, location, before: left + quantity, after: left });
      }
      await reportStockBoundary(
        trx,
        emptied.map((sku) => ({ sku, location })),
        (total) => total === 0,
      );
      // With a SKU short, the caller rolls everything back or releases the hold.
      if (isWatched && short.length === 0) await lowStock.stockChanged(trx, taken);
      return short;
    },

    /** Whether an order holds any units. */
    isHeld: hasHolds,
    /** Makes an order's hold expire by `at` (epoch ms), unless it expires sooner. */
    shorten: shortenHolds,
    /** Makes an order's hold expire at `at` (epoch ms). Does nothing for an order that holds nothing. */
    holdUntil: setHoldEnd,
    /** Releases an order's held units. */
    release: async (trx: Trx, orderId: string): Promise<void> => returnToStock(trx, await deleteHolds(trx, orderId)),

    /** Returns units of a cancelled order to stock, each to the location it was sold from. */
    restock: (trx: Trx, sold: readonly { sku: string; location: string; quantity: number }[]): Promise<void> =>
      returnToStock(
        trx,
        sold.map(({ sku, location, quantity }) => ({ sku, location_id: location, quantity })),
      ),

    /** Ends an order's hold because it is sold. Returns where each SKU was taken from. */
    async sell(trx: Trx, orderId: string): Promise<{ sku: string; location: string }[]> {
      const holds = await deleteHolds(trx, orderId);
      return holds.map(({ sku, location_id }) => ({ sku, location: location_id }));
    },

    /** When an order's hold expires, epoch ms; null if it has none, or holds until the order ends. */
    heldUntil: holdEnd,
    /** Orders whose hold has expired. */
    expiredHolds: (): Promise<string[]> => ordersWithExpiredHolds(db.read, now()),
  };
}

function bySku(a: RequestedUnits, b: RequestedUnits): number {
  return a.sku < b.sku ? -1 : a.sku > b.sku ? 1 : 0;
}
