import { randomUUID } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import { touchBooks } from '#db/before-commit.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { OrderLinesTable } from '#db/tables.ts';

/** What was chosen for a line, as its columns keep it. */
export type ChosenColumns = Pick<Insertable<OrderLinesTable>, 'identity' | 'modifiers' | 'note'>;

/** Adds units to the line that is the same, or starts it. Returns it with its new quantity; null if that would exceed the limit. */
export async function addUnits(
  trx: Trx,
  orderId: string,
  sku: string,
  quantity: number,
  { identity, modifiers = null, note = '' }: ChosenColumns = { identity: sku },
): Promise<{ id: string; quantity: number } | null> {
  const { rows } = await sql<{ id: string; quantity: number }>`
    insert into order_lines (id, order_id, identity, sku, product_id, quantity, position, modifiers, note)
    select cast(${randomUUID()} as text), cast(${orderId} as text), cast(${identity} as text), id, product_id,
      cast(${quantity} as integer), (select coalesce(max(position), 0) + 1 from order_lines where order_id = ${orderId}),
      cast(${modifiers} as text), cast(${note} as text)
    from skus where id = ${sku}
    on conflict (order_id, identity) do update set quantity = order_lines.quantity + excluded.quantity
      where order_lines.quantity + excluded.quantity <= ${limits.quantityMax}
    returning id, quantity`.execute(trx);
  return rows[0] ?? null;
}

export async function changeLine(
  trx: Trx,
  id: string,
  change: Partial<ChosenColumns & { sku: string }> & { quantity: number },
): Promise<void> {
  await trx.updateTable('order_lines').set(change).where('id', '=', id).execute();
}

export async function deleteLine(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('order_lines').where('id', '=', id).execute();
}

/** A session's guest cart that can be changed; null if there is none. */
export async function findGuestCart(db: Reader, sessionHash: string): Promise<string | null> {
  const row = await db
    .selectFrom('orders')
    .select('id')
    .where('session_hash', '=', sessionHash)
    .where('state', '=', 'cart')
    .executeTakeFirst();
  return row?.id ?? null;
}

/**
 * Moves a guest's cart into another and deletes it. A line in both becomes one with the units of both, up to the limit. The
 * guest's choices fill fields that are open in the other cart. Lines for which it has no room are dropped, so that a full cart
 * cannot prevent signing in.
 */
export async function mergeCarts(trx: Trx, from: string, into: string): Promise<void> {
  const guest = await trx.selectFrom('orders').selectAll().where('id', '=', from).executeTakeFirstOrThrow();
  const own = await trx.selectFrom('orders').selectAll().where('id', '=', into).executeTakeFirstOrThrow();
  await mergeCartLines(trx, from, into);
  const delivery = {
    method: guest.method,
    store_id: guest.store_id,
    table_number: guest.table_number,
    table_card: guest.table_card,
    party_size: guest.party_size,
    pickup_at: guest.pickup_at,
    contact: guest.contact,
    shipping_contact: guest.shipping_contact,
    shipping_address: guest.shipping_address,
    shipping_method: guest.shipping_method,
    pay_at_store: guest.pay_at_store,
  };
  await trx
    .updateTable('orders')
    .set({
      ...(own.method === null ? delivery : {}),
      customer_comment: own.customer_comment || guest.customer_comment,
      coupon_code: own.coupon_code ?? guest.coupon_code,
      copied_from: own.copied_from ?? guest.copied_from,
      ...tipOf(own.tip_basis_points > 0 || own.tip_cents !== null ? own : guest),
      // A client remembers the highest version it has seen.
      version: Math.max(own.version, guest.version) + 1,
    })
    .where('id', '=', into)
    .execute();
  // Failed attempts to pay the guest's cart stay on record.
  touchBooks(trx, into, from);
  await trx.updateTable('payments').set({ order_id: into }).where('order_id', '=', from).execute();
  await trx.deleteFrom('orders').where('id', '=', from).execute();
}

/** Either a percentage or an amount, never a mix of both carts. */
function tipOf({ tip_basis_points, tip_cents }: { tip_basis_points: number; tip_cents: number | null }) {
  return { tip_basis_points, tip_cents };
}

async function mergeCartLines(trx: Trx, from: string, into: string): Promise<void> {
  const lines = await trx
    .selectFrom('order_lines')
    .selectAll()
    .where('order_id', '=', from)
    .orderBy('position')
    .execute();
  const mine = await trx.selectFrom('order_lines').selectAll().where('order_id', '=', into).execute();
  let position = Math.max(0, ...mine.map((line) => line.position));
  let room = limits.cartLinesMax - mine.length;
  for (const line of lines) {
    const same = mine.find(({ identity }) => identity === line.identity);
    if (same)
      await changeLine(trx, same.id, {
        quantity: Math.min(limits.quantityMax, same.quantity + line.quantity),
      });
    else if (room > 0) {
      room -= 1;
      position += 1;
      await trx
        .updateTable('order_lines')
        .set({ order_id: into, position })
        .where('id', '=', line.id)
        .execute();
    }
  }
}
