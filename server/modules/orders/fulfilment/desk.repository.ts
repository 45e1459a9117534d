/** Queries what the desk and the kitchen show. */
import type { OrderState } from '#contract/schemas/order.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { OrderHead } from '../order/order.ts';
import { toHead } from '../order/orders.repository.ts';

interface DeskQuery {
  /** Null: orders of no store. */
  stores: readonly (string | null)[] | 'all';
  /** Only these; else the open ones. */
  numbers?: readonly string[] | undefined;
}

const open: readonly OrderState[] = ['placed', 'reserved', 'ready'];
const left: readonly OrderState[] = ['shipped', 'completed'];

/** Placed orders: the open ones and those that left the desk after `since` (epoch ms), oldest first. */
export async function deskOrders(db: Reader, { stores, numbers }: DeskQuery, since: number, most: number): Promise<OrderHead[]> {
  let query = db.selectFrom('orders').selectAll().where('placed_at', 'is not', null);
  if (stores !== 'all')
    query = query.where((eb) => eb.or(stores.map((id) => (id === null ? eb('store_id', 'is', null) : eb('store_id', '=', id)))));
  if (numbers) query = query.where('order_number', 'in', numbers);
  else
    query = query.where(({ eb, and, or }) =>
      or([eb('state', 'in', open), and([eb('state', 'in', left), eb('updated_at', '>=', since)])]),
    );
  return (await query.orderBy('placed_at').orderBy('id').limit(most).execute()).map(toHead);
}

export type DeskLineRow = Awaited<ReturnType<typeof deskLines>>[number];

export async function deskLines(db: Reader, orderIds: readonly string[]) {
  if (orderIds.length === 0) return [];
  return db
    .selectFrom('order_lines')
    .select(['id', 'order_id', 'sku', 'quantity', 'name', 'option_text', 'modifiers', 'note', 'ticked_at', 'changed_at'])
    .select('unit_price_cents')
    .where('order_id', 'in', orderIds)
    .orderBy('position')
    .orderBy('sku')
    .execute();
}

/** Returns whether the order has this line. */
export async function tickLine(trx: Trx, orderId: string, line: string, at: number | null): Promise<boolean> {
  const change = trx.updateTable('order_lines').set({ ticked_at: at }).where('order_id', '=', orderId).where('id', '=', line);
  return (await change.executeTakeFirst()).numUpdatedRows > 0n;
}

/** When each order entered the state in which it is. */
export async function statesSince(db: Reader, orderIds: readonly string[]): Promise<Map<string, number>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('order_events')
    .select(({ fn }) => ['order_id', fn.max('at').as('at')])
    .where('order_id', 'in', orderIds)
    .whereRef('from_state', '!=', 'to_state')
    .groupBy('order_id')
    .execute();
  return new Map(rows.map(({ order_id, at }) => [order_id, at]));
}

/** The changes of an order's state, oldest first. */
export async function stepsOf(db: Reader, orderId: string): Promise<{ from: OrderState; to: OrderState; at: number }[]> {
  const rows = await db
    .selectFrom('order_events')
    .select(['from_state', 'to_state', 'at'])
    .where('order_id', '=', orderId)
    .whereRef('from_state', '!=', 'to_state')
    .orderBy('version')
    .execute();
  // The columns are written only from the contract's values.
  return rows.map(({ from_state, to_state, at }) => ({ from: from_state as OrderState, to: to_state as OrderState, at }));
}

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
