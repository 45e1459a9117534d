/** What carts and orders have to do with stores and SKUs that the merchant removes. Placed orders keep their snapshots. */
import type { Trx } from '#db/database.ts';
import { ordersAtStore, ordersWithSkus, removeSkusFromCarts, removeStoreFromCarts } from './order-removal.repository.ts';

export type OrderRemoval = ReturnType<typeof createOrderRemoval>;

export function createOrderRemoval({ now }: { now: () => number }) {
  return {
    /** Carts that chose a store, and open orders placed there. */
    ordersAtStore,
    /** Carts with a line of some SKUs, and orders that hold units of them. */
    ordersWithSkus,
    /** Makes carts that chose a store choose again. */
    removeStoreFromCarts: (trx: Trx, storeId: string): Promise<void> => removeStoreFromCarts(trx, storeId, now()),
    /** Deletes lines from all carts. */
    removeSkusFromCarts: (trx: Trx, skus: readonly string[]): Promise<void> => removeSkusFromCarts(trx, skus, now()),
  };
}
