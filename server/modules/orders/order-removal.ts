/** What carts and orders have to do with stores and SKUs that the merchant removes. Placed orders keep their snapshots. */
import type { Reader, Trx } from '#db/database.ts';
import {
  type OrderUse,
  ordersAtStore,
  ordersWithSkus,
  removeSkusFromCarts,
  removeStoreFromCarts,
} from './order-removal.repository.ts';

export interface OrderRemoval {
  /** Carts that chose a store, and open orders placed there. */
  ordersAtStore(reader: Reader, storeId: string): Promise<OrderUse>;
  /** Carts with a line of some SKUs, and orders that hold units of them. */
  ordersWithSkus(reader: Reader, skus: readonly string[]): Promise<OrderUse>;
  /** Makes carts that chose a store choose again. */
  removeStoreFromCarts(trx: Trx, storeId: string): Promise<void>;
  /** Deletes lines from all carts. */
  removeSkusFromCarts(trx: Trx, skus: readonly string[]): Promise<void>;
}

export function createOrderRemoval({ now }: { now: () => number }): OrderRemoval {
  return {
    ordersAtStore,
    ordersWithSkus,
    removeStoreFromCarts: (trx, storeId) => removeStoreFromCarts(trx, storeId, now()),
    removeSkusFromCarts: (trx, skus) => removeSkusFromCarts(trx, skus, now()),
  };
}
