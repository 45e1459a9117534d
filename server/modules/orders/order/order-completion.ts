/** Completes paid orders and ends expired ones, each in a transaction of its own. */
import type { Database } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import { AppError } from '#server/platform/errors.ts';
import type { CompletedOrder, Placement } from '../placement.ts';
import type { OrderSettings } from './order-settings.ts';

export interface OrderCompletionDeps {
  db: Database;
  stock: StockService;
  settings: () => Promise<OrderSettings>;
  placement: Placement;
}

export function createOrderCompletion({ db, stock, settings, placement }: OrderCompletionDeps) {
  async function expire(orderId: string): Promise<boolean> {
    const current = await settings();
    return db.transaction((trx) => placement.expire(trx, orderId, current));
  }

  /** Ends orders whose hold has expired, except those in `except`. Returns how many. */
  async function expireHolds(except: ReadonlySet<string> = new Set()): Promise<number> {
    let expired = 0;
    for (const id of await stock.expiredHolds()) if (!except.has(id) && (await expire(id))) expired += 1;
    return expired;
  }

  return {
    /** Places the order of a payment that succeeded (`completePayment`). Null for an unknown reference. */
    async completeOrder({ provider, reference }: { provider: string; reference: string }): Promise<CompletedOrder | null> {
      const current = await settings();
      return db.transaction((trx) => placement.complete(trx, provider, reference, current));
    },

    /** Ends an order whose hold has expired. Returns false if it has ended already. */
    expire,

    expireHolds,

    /**
     * Runs `work`, which holds stock. If it is rejected, expired holds are released, and if there were any, it runs once more: what
     * they held may have been all that was missing.
     */
    async withExpiredHoldsReleased<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof AppError) || (await expireHolds()) === 0) throw error;
        return work();
      }
    },
  };
}
