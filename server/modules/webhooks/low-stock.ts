/** Records `stock.low` when the units of a SKU at a location fall to the threshold. */
import type { Trx } from '#db/database.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { hourMs } from '#server/platform/durations.ts';
import type { WebhookEvents } from './events.service.ts';

export interface StockChange {
  sku: string;
  /** 'warehouse' or a store's id. */
  location: string;
  /** Units before and after the change. */
  before: number;
  after: number;
}

export type LowStockEvents = ReturnType<typeof createLowStockEvents>;

export function createLowStockEvents(deps: {
  settings: Pick<SettingsService, 'read'>;
  events: WebhookEvents;
  now: () => number;
}) {
  return {
    /** Whether an endpoint receives the event. */
    isWatched: (trx: Trx): Promise<boolean> => deps.events.isSubscribed(trx, 'stock.low'),

    /**
     * Call it in the transaction that lowered stock. Records an event for each change that crosses the threshold downward, but at most
     * one an hour for a SKU at a location.
     */
    async stockChanged(trx: Trx, changes: readonly StockChange[]): Promise<void> {
      const lowered = changes.filter(({ before, after }) => after < before);
      if (lowered.length === 0 || !(await deps.events.isSubscribed(trx, 'stock.low'))) return;
      const { lowStockThreshold: threshold } = await deps.settings.read(trx);
      for (const { sku, location: store, before, after: left } of lowered) {
        if (before <= threshold || left > threshold) continue;
        const hour = Math.floor(deps.now() / hourMs);
        const causeIn = (each: number) => `${sku}@${store}:${each}`;
        if (await deps.events.wasRecorded(trx, 'stock.low', causeIn(hour - 1), deps.now() - hourMs)) continue;
        const data = () => ({ sku, store, left, threshold });
        await deps.events.record(trx, { type: 'stock.low', cause: causeIn(hour), data });
      }
    },
  };
}
