/** Queries the open questions whether items of orders go back to stock: their money went back without the shop. */
import type { Reader, Trx } from '#db/database.ts';

/**
 * Asks the merchant whether the items of an order go back to stock, unless that was asked before or the order was never placed.
 */
export async function askAboutStock(trx: Trx, orderId: string, at: number): Promise<void> {
  await trx
    .updateTable('orders')
    .set({ restock_asked_at: at })
    .where('id', '=', orderId)
    .where('placed_at', 'is not', null)
    .where('restock_asked_at', 'is', null)
    .where('state', '<>', 'cancelled')
    .execute();
}

/** Records the merchant's answer: 0 prevents asking again. */
export async function answerAboutStock(trx: Trx, orderId: string): Promise<void> {
  await trx.updateTable('orders').set({ restock_asked_at: 0 }).where('id', '=', orderId).execute();
}

/** Numbers of orders with an open question whether their items go back to stock. */
export async function stockQuestions(db: Reader): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('order_number')
    .where('restock_asked_at', '>', 0)
    .where('state', '<>', 'cancelled')
    .orderBy('restock_asked_at')
    .limit(500)
    .execute();
  return rows.flatMap(({ order_number }) => order_number ?? []);
}
