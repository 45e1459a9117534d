/** Queries `order_links`, and changes the orders that they lead to. */
import type { Selectable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { OrderLinksTable } from '#db/tables.ts';
import type { OrderHead } from './order.ts';
import { feedOrder, toHead } from './orders.repository.ts';

export type OrderLinkRow = Selectable<OrderLinksTable>;

export async function insertOrderLink(trx: Trx, row: OrderLinkRow): Promise<void> {
  await trx
    .insertInto('order_links')
    .values(row)
    .onConflict((c) => c.doNothing())
    .execute();
}

/** One that was there before may have been able to change something. */
export async function insertReadingLink(trx: Trx, row: OrderLinkRow): Promise<void> {
  await trx
    .insertInto('order_links')
    .values(row)
    .onConflict((c) => c.column('token_hash').doUpdateSet({ reads_only: 1 }))
    .execute();
}

export async function findOrderLink(db: Reader, tokenHash: string): Promise<OrderLinkRow | null> {
  const row = await db
    .selectFrom('order_links')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row ?? null;
}

/** Revokes all links to an order. Returns how many were not revoked before. */
export async function revokeOrderLinks(trx: Trx, orderId: string, at: number): Promise<number> {
  const result = await trx
    .updateTable('order_links')
    .set({ revoked_at: at })
    .where('order_id', '=', orderId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Deletes the links to orders that are in one of these states and have not changed since `before` (epoch ms). */
export async function deleteOldOrderLinks(trx: Trx, ended: readonly string[], before: number): Promise<void> {
  await trx
    .deleteFrom('order_links')
    .where('created_at', '<', before)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('orders')
          .select('orders.id')
          .whereRef('orders.id', '=', 'order_links.order_id')
          .where('orders.state', 'in', ended)
          .where('orders.updated_at', '<', before),
      ),
    )
    .execute();
}

/**
 * Moves the pickup of an order that is still to be picked up, and records it. Returns null if its time or its state has changed
 * since it was read.
 */
export async function changePickupTime(
  trx: Trx,
  { id, state, pickupAt }: OrderHead,
  to: number,
  at: number,
): Promise<OrderHead | null> {
  const row = await trx
    .updateTable('orders')
    .set((eb) => ({ pickup_at: to, version: eb('version', '+', 1), updated_at: at }))
    .where('id', '=', id)
    .where('state', '=', state)
    .where('pickup_at', '=', pickupAt)
    .returningAll()
    .executeTakeFirst();
  if (!row) return null;
  const reason = 'pickup time changed by the customer';
  const event = { order_id: id, version: row.version, from_state: state, to_state: state, at, reason };
  await trx.insertInto('order_events').values(event).execute();
  const order = toHead(row);
  await feedOrder(trx, order, at);
  return order;
}
