/** The few fast statements of a cart, on `orders` and `order_lines`. */
import { sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Trx } from '#db/database.ts';

export interface NewCart {
  id: string;
  sessionHash: string;
  customerId: string | null;
  language: string;
  currency: string;
  at: number;
}

/** Starts a cart, unless the session got one meanwhile: two tabs that both start one meet at its unique index. */
export async function insertCart(trx: Trx, { id, sessionHash, customerId, language, currency, at }: NewCart): Promise<void> {
  await trx
    .insertInto('orders')
    .values({
      id,
      session_hash: sessionHash,
      customer_id: customerId,
      state: 'cart',
      version: 0,
      language,
      customer_comment: '',
      pay_at_store: 0,
      tip_basis_points: 0,
      total_cents: 0,
      currency,
      created_at: at,
      updated_at: at,
    })
    .onConflict((c) => c.doNothing())
    .execute();
}

/** Adds units to a line or starts it. False where the line would have more than one may order. */
export async function addUnits(trx: Trx, orderId: string, sku: string, quantity: number): Promise<boolean> {
  const row = await trx
    .insertInto('order_lines')
    .columns(['order_id', 'sku', 'product_id', 'quantity', 'position'])
    .expression((eb) =>
      eb
        .selectFrom('skus')
        .select((e) => [
          e.val(orderId).as('order_id'),
          'id as sku',
          'product_id',
          sql<number>`cast(${quantity} as integer)`.as('quantity'),
          e
            .selectFrom('order_lines')
            .select((l) => sql<number>`coalesce(${l.fn.max('position')}, 0) + 1`.as('position'))
            .where('order_id', '=', orderId)
            .as('position'),
        ])
        .where('id', '=', sku),
    )
    .onConflict((c) =>
      c
        .columns(['order_id', 'sku'])
        .doUpdateSet((eb) => ({ quantity: eb('order_lines.quantity', '+', eb.ref('excluded.quantity')) }))
        .where((eb) => eb(eb('order_lines.quantity', '+', eb.ref('excluded.quantity')), '<=', limits.quantityMax)),
    )
    .returning('quantity')
    .executeTakeFirst();
  return row !== undefined;
}

/** Sets the quantity of a line that is there. False where it is not. */
export async function setUnits(trx: Trx, orderId: string, sku: string, quantity: number): Promise<boolean> {
  const result = await trx
    .updateTable('order_lines')
    .set({ quantity })
    .where('order_id', '=', orderId)
    .where('sku', '=', sku)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteLine(trx: Trx, orderId: string, sku: string): Promise<boolean> {
  const result = await trx.deleteFrom('order_lines').where('order_id', '=', orderId).where('sku', '=', sku).executeTakeFirst();
  return result.numDeletedRows > 0n;
}
