/** The stored carts, for the services that change them. */
import { randomUUID } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { Buyer, OrderHead } from '../order/order.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import {
  changeCart,
  deleteAbandonedCarts,
  findCart,
  insertCart,
  keepShownBill,
  lockBuyersCart,
  type OrderChange,
} from '../order/orders.repository.ts';

export function createCartRecords({ db, now }: { db: Database; now: () => number }) {
  return {
    /** The session's cart, null if it has none. */
    findCart: (reader: Reader, buyer: Buyer): Promise<OrderHead | null> => findCart(reader, buyer),

    /** Locks the session's cart and increments its version. Null if there is none, or if it is being paid. */
    lockCart: (trx: Trx, buyer: Buyer): Promise<OrderHead | null> => lockBuyersCart(trx, buyer, now()),

    /** A new cart for the session; null if it has one. */
    startCart: (trx: Trx, buyer: Buyer, { currency }: OrderSettings, locale: Locale): Promise<OrderHead | null> =>
      insertCart(trx, { id: randomUUID(), buyer, language: locale, currency, at: now() }),

    /** Changes a cart's own fields and increments its version. Returns the changed cart; null if it is no longer a cart. */
    changeCart: (trx: Trx, id: string, change: OrderChange = {}): Promise<OrderHead | null> => changeCart(trx, id, now(), change),

    /**
     * Stores which bill the buyer is given with this answer, if it can be paid: a call that pays and names no bill pays this one.
     * Returns the answer.
     */
    async showBill(trx: Trx, order: Order): Promise<Order> {
      const { orderID, state, bill } = order;
      if (orderID !== null && state === 'cart' && bill.final) await keepShownBill(trx, orderID, bill.billVersion);
      return order;
    },

    /** Deletes guests' carts that outlived their sessions. Returns how many. */
    deleteAbandonedCarts: (): Promise<number> => db.transaction(deleteAbandonedCarts),
  };
}
