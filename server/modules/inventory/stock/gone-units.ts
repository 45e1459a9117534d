/** Reports low stock when units are gone for good: sold, or held for minutes. */
import type { Trx } from '#db/database.ts';
import type { StockChange } from '#server/modules/webhooks/index.ts';
import type { HoldsDeps } from './holds.ts';
import { countHold, type HoldRow, type StockRow, uncountedHolds, unitsLeft } from './stock.repository.ts';

/** Held for this long, units count as gone, ms. Before, only a sale counts: paying may be given up. */
export const lowCheckMs = 5 * 60_000;

export function createGoneUnits({ db, now, lowStock }: HoldsDeps) {
  async function reportGone(trx: Trx, gone: readonly StockRow[]): Promise<void> {
    if (gone.length === 0 || !(await lowStock.isWatched(trx))) return;
    const changes: StockChange[] = [];
    for (const { sku, location_id: location, quantity } of gone) {
      const after = await unitsLeft(trx, sku, location);
      changes.push({ sku, location, before: after + quantity, after });
    }
    await lowStock.stockChanged(trx, changes);
  }

  return {
    /** Reports the units of holds that were just deleted because they are sold, unless they counted as gone before. */
    reportSold: (trx: Trx, holds: readonly HoldRow[]): Promise<void> =>
      reportGone(
        trx,
        holds.filter(({ low_check_at }) => low_check_at !== null),
      ),
    /** Counts units that have been held for minutes as gone. */
    async countHeld(): Promise<void> {
      for (const hold of await uncountedHolds(db.read, now()))
        await db.transaction(async (trx) => {
          const quantity = await countHold(trx, hold);
          if (quantity !== null) await reportGone(trx, [{ ...hold, quantity }]);
        });
    },
  };
}
