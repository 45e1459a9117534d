/** Set aside for an order until it is sold, released, or its deadline passes. */
import type { Database, Trx } from '#db/database.ts';
import type { Actor } from '#server/platform/actors.ts';
import type { LowStock } from './low-stock.ts';
import {
  countHold,
  endlessAmong,
  type HoldRow,
  hasHolds,
  holdEnd,
  insertHolds,
  type LevelChange,
  ordersWithExpiredHolds,
  type StockRow,
  sellHolds,
  setHoldEnd,
  shortenHolds,
  takeBeyondStock,
  takeUnits,
  uncountedHolds,
  unitsLeft,
} from './stock.repository.ts';
import type { ReportStockBoundary } from './stock-boundary.ts';

export interface RequestedUnits {
  sku: string;
  quantity: number;
}

export interface HoldsDeps {
  db: Database;
  now: () => number;
  lowStock: LowStock;
}

/** Held for this long, units count as gone, ms. Before, only a sale counts: paying may be given up. */
const lowCheckMs = 5 * 60_000;

export function createHolds({ db, now, lowStock }: HoldsDeps, reportStockBoundary: ReportStockBoundary) {
  const { reportSold, countHeld } = createGoneUnits({ db, now, lowStock });
  return {
    /**
     * Returns the SKUs of which there are not enough; if any, the caller must roll the transaction back. `expiresAt`: epoch ms;
     * null: when the order ends. `isWatched`: an endpoint may receive the event of low stock, which is recorded when the units
     * are sold or have been held for minutes.
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
      const holds: HoldRow[] = [];
      const low_check_at = isWatched ? now() + lowCheckMs : null;
      const skus = wanted.map(({ sku }) => sku);
      const endless = await endlessAmong(trx, skus);
      // Always in the same order, so that two orders for the same SKUs cannot deadlock.
      for (const { sku, quantity } of wanted.toSorted(bySku)) {
        const kind = endless.get(sku);
        if (kind === 'uncounted') {
          // Of no units: the order has its deadline, and stock stays as it is.
          holds.push({ order_id: orderId, sku, location_id: location, quantity: 0, expires_at: expiresAt, low_check_at: null });
          continue;
        }
        const left = await (kind === 'oversell' ? takeBeyondStock : takeUnits)(trx, sku, location, quantity);
        if (left === null) {
          short.push(sku);
          continue;
        }
        holds.push({ order_id: orderId, sku, location_id: location, quantity, expires_at: expiresAt, low_check_at });
        if (left <= 0 && left + quantity > 0) emptied.push(sku);
      }
      await insertHolds(db, trx, holds);
      const crossed = emptied.map((sku) => ({ sku, location }));
      await reportStockBoundary(trx, crossed, (total) => total === 0);
      return short;
    },

    isHeld: hasHolds,
    shorten: shortenHolds,
    /** At `at` (epoch ms); null: when the order ends. Does nothing for an order that holds nothing. */
    holdUntil: setHoldEnd,
    /** No `actor`: its customer. */
    sell: async (trx: Trx, orderId: string, actor?: Actor): Promise<void> =>
      reportSold(trx, await sellHolds(db, trx, orderId, { at: now(), ...(actor ? { actor } : {}) })),

    countHeld,
    /** Epoch ms; null if the order holds nothing, or until it ends. */
    heldUntil: holdEnd,
    expiredHolds: (): Promise<string[]> => ordersWithExpiredHolds(db.read, now()),
  };
}

function bySku(a: RequestedUnits, b: RequestedUnits): number {
  return a.sku < b.sku ? -1 : a.sku > b.sku ? 1 : 0;
}

/** Sold, or held for minutes. */
function createGoneUnits({ db, now, lowStock }: HoldsDeps) {
  async function reportGone(trx: Trx, gone: readonly StockRow[]): Promise<void> {
    if (gone.length === 0 || !(await lowStock.isWatched(trx))) return;
    const changes: LevelChange[] = [];
    for (const { sku, location_id: location, quantity } of gone) {
      const after = await unitsLeft(trx, sku, location);
      changes.push({ sku, location, before: after + quantity, after });
    }
    await lowStock.report(trx, changes);
  }

  return {
    reportSold: (trx: Trx, holds: readonly HoldRow[]): Promise<void> =>
      reportGone(
        trx,
        holds.filter(({ low_check_at }) => low_check_at !== null),
      ),
    async countHeld(): Promise<void> {
      for (const hold of await uncountedHolds(db.read, now()))
        await db.transaction(async (trx) => {
          const quantity = await countHold(trx, hold);
          if (quantity !== null) await reportGone(trx, [{ ...hold, quantity }]);
        });
    },
  };
}
