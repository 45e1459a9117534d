/** Records `stock.low` when the units of a SKU at a location fall to the threshold. */
import { randomUUID } from 'node:crypto';
import type { Trx } from '#db/database.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
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

export function createLowStockEvents(deps: { settings: Pick<SettingsService, 'read'>; events: WebhookEvents }) {
  return {
    /**
     * Call it in the transaction that lowered stock. Records an event for each change that crosses the threshold downward; once the
     * units are above it again, the next crossing is another event.
     */
    async stockChanged(trx: Trx, changes: readonly StockChange[]): Promise<void> {
      const lowered = changes.filter(({ before, after }) => after < before);
      if (lowered.length === 0 || !(await deps.events.isSubscribed(trx, 'stock.low'))) return;
      const { lowStockThreshold: threshold } = await deps.settings.read(trx);
      for (const { sku, location: store, before, after: left } of lowered) {
        if (before <= threshold || left > threshold) continue;
        const data = () => ({ sku, store, left, threshold });
        await deps.events.record(trx, { type: 'stock.low', cause: randomUUID(), data });
      }
    },
  };
}
