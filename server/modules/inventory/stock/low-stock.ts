/** Decides, for webhooks and the office alike, from how many units on a SKU is low at a place. */
import type { Trx } from '#db/database.ts';
import { type Change, changedFields } from '#server/modules/changes/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { LowStockEvents } from '#server/modules/webhooks/index.ts';
import { setThreshold, thresholdsOf } from './levels.repository.ts';
import type { LevelChange } from './stock.repository.ts';

export interface LowStockDeps {
  settings: Pick<SettingsService, 'read' | 'all'>;
  lowStock: LowStockEvents;
}

export type LowStock = ReturnType<typeof createLowStock>;

export function createLowStock({ settings, lowStock: events }: LowStockDeps) {
  return {
    isWatched: events.isWatched,
    /** In the transaction of the changes. */
    async report(trx: Trx, changes: readonly LevelChange[]): Promise<void> {
      const lowered = changes.filter(({ before, after }) => after < before);
      if (lowered.length === 0 || !(await events.isWatched(trx))) return;
      const thresholds = await thresholdsOf(trx, lowered, (await settings.read(trx)).lowStockThreshold);
      await events.stockChanged(
        trx,
        lowered.map((change, index) => ({ ...change, threshold: thresholds[index] ?? 0 })),
      );
    },
    /** `units` null: as everywhere. */
    async set(
      { trx, note }: Change,
      { sku, place, units }: { sku: string; place: string; units: number | null },
    ): Promise<void> {
      const before = await setThreshold(trx, { sku, location: place }, units);
      note('stock', sku, changedFields({ [`${place}.low`]: before }, { [`${place}.low`]: units }));
    },
    usual: async (): Promise<number> => (await settings.all()).lowStockThreshold,
  };
}
