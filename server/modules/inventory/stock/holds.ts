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
      let endless: ReturnType<typeof endlessAmong> | undefined;
      const skus = wanted.map(({ sku }) => sku);
      // Always in the same order, so that two orders for the same SKUs cannot deadlock.
      for (const { sku, quantity } of wanted.toSorted(bySku)) {
        let taken = await take(trx, sku, location, quantity);
        if (!taken) {
          endless ??= endlessAmong(trx, skus);
          taken = await takeEndless(trx, { sku, location, quantity, kind: (await endless).get(sku) });
        }
        if (!taken) {
          short.push(sku);
          continue;
        }
        const { held, left } = taken;
        const hold = { order_id: orderId, sku, location_id: location, quantity: held, expires_at: expiresAt };
        holds.push({ ...hold, low_check_at: held === 0 ? null : low_check_at });
        if (left <= 0 && left + held > 0) emptied.push(sku);
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

interface Taken {
  /** Units that the hold is of. */
  held: number;
  left: number;
}

async function take(trx: Trx, sku: string, location: string, quantity: number): Promise<Taken | null> {
  const left = await takeUnits(trx, sku, location, quantity);
  return left === null ? null : { held: quantity, left };
}

interface Endless extends RequestedUnits {
  location: string;
  kind: 'uncounted' | 'oversell' | undefined;
}

/** Null for a SKU that runs out. */
async function takeEndless(trx: Trx, { sku, location, quantity, kind }: Endless): Promise<Taken | null> {
  // Of no units: the order has its deadline, and stock stays as it is.
  if (kind === 'uncounted') return { held: 0, left: 0 };
  return kind === 'oversell' ? { held: quantity, left: await takeBeyondStock(trx, sku, location, quantity) } : null;
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
