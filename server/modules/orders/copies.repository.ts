/** Carts that take the place of orders whose hold ran out. */
import type { Trx } from '#db/database.ts';
import type { OrderHead } from './order.ts';

/** Starts a cart with the lines and choices of another order, whose session keeps it. */
export async function copyAsCart(trx: Trx, source: OrderHead, id: string, at: number): Promise<void> {
  const row = await trx.selectFrom('orders').selectAll().where('id', '=', source.id).executeTakeFirstOrThrow();
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
  await trx
    .insertInto('order_lines')
    .columns(['order_id', 'sku', 'product_id', 'quantity', 'position'])
    .expression((eb) =>
      eb
        .selectFrom('order_lines')
        .select((e) => [e.val(id).as('order_id'), 'sku', 'product_id', 'quantity', 'position'])
        .where('order_id', '=', source.id),
    )
    .execute();
}

/** Whether a cart that took the place of a lapsed order is being paid, or was bought. No other will be until the transaction ends. */
export async function boughtInItsPlace(trx: Trx, { id }: OrderHead): Promise<boolean> {
  const { copied_from } = await trx.selectFrom('orders').select('copied_from').where('id', '=', id).executeTakeFirstOrThrow();
  const first = copied_from ?? id;
  const others = await trx
    .updateTable('orders')
    // Changes nothing, but locks them, which a look alone would not.
    .set((eb) => ({ version: eb.ref('version') }))
    .where((eb) => eb.or([eb('copied_from', '=', first), eb('id', '=', first)]))
    .where('id', '<>', id)
    .returning('state')
    .execute();
  return others.some(({ state }) => state !== 'cart' && state !== 'lapsed');
}

/** Deletes the copy that a lapse at `at` made, if nobody has touched it since. */
export async function deleteUntouchedCopy(trx: Trx, { sessionHash, customerId }: OrderHead, at: number): Promise<void> {
  if (sessionHash === null && customerId === null) return;
  await trx
    .deleteFrom('orders')
    .where((eb) => (customerId === null ? eb('session_hash', '=', sessionHash) : eb('customer_id', '=', customerId)))
    .where('state', '=', 'cart')
    .where('version', '=', 1)
    .where('created_at', '=', at)
    .execute();
}
