/** Finds the carts and open orders that refer to a store or to SKUs, and takes these out of carts. */
import type { OrderState } from '#contract/schemas/order.ts';
import type { Reader, Trx } from '#db/database.ts';

/** States in which an order still has to be paid or handed over. */
const open = ['paying', 'placed', 'reserved', 'ready', 'shipped'] as const satisfies readonly OrderState[];

export interface OrderUse {
  carts: number;
  /** Open orders by number, or by id before they have one; the oldest first. */
  orders: string[];
}

/** Carts that chose a store, and open orders placed there. */
async function ordersAtStore(db: Reader, storeId: string): Promise<OrderUse> {
  const rows = await db
    .selectFrom('orders')
    .select(['id', 'order_number', 'state'])
    .where('store_id', '=', storeId)
    .where('state', 'in', ['cart', ...open])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return {
    carts: rows.filter(({ state }) => state === 'cart').length,
    orders: rows.flatMap(({ id, order_number, state }) => (state === 'cart' ? [] : [order_number ?? id])),
  };
}

/** Carts with a line of some SKUs, and orders that hold units of them. */
async function ordersWithSkus(db: Reader, skus: readonly string[]): Promise<OrderUse> {
  if (skus.length === 0) return { carts: 0, orders: [] };
  const held = await db
    .selectFrom('holds')
    .innerJoin('orders', 'orders.id', 'holds.order_id')
    .select(['orders.id', 'orders.order_number', 'orders.created_at'])
    .distinct()
    .where('holds.sku', 'in', skus)
    .orderBy('orders.created_at')
    .orderBy('orders.id')
    .execute();
  return {
    carts: (await cartsWith(db, skus)).length,
    orders: held.map(({ id, order_number }) => order_number ?? id),
  };
}

async function cartsWith(db: Reader, skus: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('order_lines')
    .innerJoin('orders', 'orders.id', 'order_lines.order_id')
    .select('orders.id')
    .distinct()
    .where('order_lines.sku', 'in', skus)
    .where('orders.state', '=', 'cart')
    .orderBy('orders.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes the lines of some SKUs from all carts; `at` is epoch ms. */
async function removeSkusFromCarts(trx: Trx, skus: readonly string[], at: number): Promise<void> {
  for (const id of await cartsWith(trx, skus)) {
    await trx.deleteFrom('order_lines').where('order_id', '=', id).where('sku', 'in', skus).execute();
    await trx
      .updateTable('orders')
      .set((eb) => ({ version: eb('version', '+', 1), updated_at: at }))
      .where('id', '=', id)
      .execute();
  }
}

/** Makes carts that chose a store choose again; `at` is epoch ms. */
async function removeStoreFromCarts(trx: Trx, storeId: string, at: number): Promise<void> {
  await trx
    .updateTable('orders')
    .set((eb) => ({
      store_id: null,
      pickup_at: null,
      table_number: null,
      version: eb('version', '+', 1),
      updated_at: at,
    }))
    .where('store_id', '=', storeId)
    .where('state', '=', 'cart')
    .execute();
}

export type OrderRemoval = ReturnType<typeof createOrderRemoval>;

/** What carts and orders have to do with stores and SKUs that the merchant removes. Placed orders keep their snapshots. */
export const createOrderRemoval = ({ now }: { now: () => number }) => ({
  ordersAtStore,
  ordersWithSkus,
  removeStoreFromCarts: (trx: Trx, storeId: string): Promise<void> =>
    removeStoreFromCarts(trx, storeId, now()),
  removeSkusFromCarts: (trx: Trx, skus: readonly string[]): Promise<void> =>
    removeSkusFromCarts(trx, skus, now()),
});
