/** The few fast statements of a cart, on `orders` and `order_lines`. */
import { limits } from '#contract/limits.ts';
import type { EngineName, Trx } from '#db/database.ts';
import { select } from '#db/select.ts';

const addLine = `
  insert into order_lines (order_id, sku, product_id, quantity, position)
  select cast(? as text), id, product_id, cast(? as integer),
    (select coalesce(max(position), 0) + 1 from order_lines where order_id = ?)
  from skus where id = ?
  on conflict (order_id, sku) do update set quantity = order_lines.quantity + excluded.quantity
    where order_lines.quantity + excluded.quantity <= ${limits.quantityMax}
  returning quantity`;

/** Adds units to a line or starts it. False where there is no such SKU, or the line would have more than one may order. */
export async function addUnits(trx: Trx, engine: EngineName, orderId: string, sku: string, quantity: number): Promise<boolean> {
  return (await select(trx, engine, addLine, [orderId, quantity, orderId, sku])).length > 0;
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
