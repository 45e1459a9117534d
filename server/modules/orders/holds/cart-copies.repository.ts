/** Creates and resolves carts that replace orders whose hold expired. */
import { randomUUID } from 'node:crypto';
import { touchBooks } from '#db/before-commit.ts';
import type { Trx } from '#db/database.ts';
import type { OrderHead } from '../order/order.ts';

/** Starts a cart in the same session with the lines and choices of another order. */
export async function copyAsCart(trx: Trx, source: OrderHead, id: string, at: number): Promise<void> {
  const row = await trx
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', source.id)
    .executeTakeFirstOrThrow();
  const fresh = {
    state: 'cart',
    copied_from: row.copied_from ?? row.id,
    version: 1,
    order_number: null,
    bill: null,
    bill_version: null,
    total_cents: 0,
    placed_at: null,
  };
  await trx
    .insertInto('orders')
    .values({ ...row, ...fresh, id, created_at: at, updated_at: at })
    .execute();
  const lines = await trx
    .selectFrom('order_lines')
    .select(['identity', 'sku', 'product_id', 'quantity', 'position', 'modifiers', 'note'])
    .where('order_id', '=', source.id)
    .execute();
  const copies = lines.map((line) => ({ ...line, id: randomUUID(), order_id: id }));
  if (copies.length > 0) await trx.insertInto('order_lines').values(copies).execute();
}

/** One of the carts and orders that a single purchase has become when holds expired. */
export interface CartCopy {
  id: string;
  state: string;
}

/** The other orders and carts of an expired order's purchase, locked until the transaction ends. */
export async function lockCartCopies(trx: Trx, { id }: OrderHead): Promise<CartCopy[]> {
  const { copied_from } = await trx
    .selectFrom('orders')
    .select('copied_from')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const first = copied_from ?? id;
  return (
    trx
      .updateTable('orders')
      // No-op update to lock the rows; a plain SELECT would not.
      .set((eb) => ({ version: eb.ref('version') }))
      .where((eb) => eb.or([eb('copied_from', '=', first), eb('id', '=', first)]))
      .where('id', '<>', id)
      .returning(['id', 'state'])
      .execute()
  );
}

/**
 * Deletes a cart with the same items as an order that has been placed after all; attempts to pay it are moved to that order. A
 * cart that the customer has changed stays, as a separate purchase.
 */
export async function resolveCartCopy(trx: Trx, cart: CartCopy, placed: OrderHead): Promise<void> {
  const [mine, theirs] = [await unitsIn(trx, cart.id), await unitsIn(trx, placed.id)];
  if (mine !== theirs) {
    await trx.updateTable('orders').set({ copied_from: null }).where('id', '=', cart.id).execute();
    return;
  }
  touchBooks(trx, placed.id, cart.id);
  await trx.updateTable('payments').set({ order_id: placed.id }).where('order_id', '=', cart.id).execute();
  await trx.deleteFrom('orders').where('id', '=', cart.id).execute();
}

/** Lines and quantities as one comparable text. */
async function unitsIn(trx: Trx, orderId: string): Promise<string> {
  const lines = await trx
    .selectFrom('order_lines')
    .select(['identity', 'quantity'])
    .where('order_id', '=', orderId)
    .orderBy('identity')
    .execute();
  return lines.map(({ identity, quantity }) => `${quantity} ${identity}`).join('\n');
}
