/** Queries orders by customer: lists them, moves a guest's orders, and detaches orders from a customer. */
import { type ExpressionBuilder, type Insertable, sql } from 'kysely';
import { canonicalSelections } from '#contract/rules/modifiers.ts';
import type { LastChoice } from '#contract/schemas/modifiers.ts';
import type { OrderState } from '#contract/schemas/order.ts';
import { touchBooks } from '#db/before-commit.ts';
import type { Reader, Trx } from '#db/database.ts';
import { queryWords } from '#db/order-words.ts';
import type { OrderEventsTable, OrderLinesTable, OrdersTable, Tables } from '#db/tables.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import type { OrderHead } from './order.ts';
import { toHead, toHeads } from './orders.repository.ts';

export async function placedOrdersOf(
  db: Reader,
  customerId: string,
  from: number,
  count: number,
): Promise<OrderHead[]> {
  const rows = await db
    .selectFrom('orders')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('placed_at', 'is not', null)
    .orderBy('placed_at', 'desc')
    .orderBy('id')
    .offset(from)
    .limit(count)
    .execute();
  return toHeads(rows);
}

export async function placedBy(
  db: Reader,
  customerIds: readonly string[],
  stores: ReadonlySet<string> | null,
): Promise<Map<string, { orders: number; lastOrderAt: number }>> {
  if (customerIds.length === 0 || stores?.size === 0) return new Map();
  let query = db
    .selectFrom('orders')
    .select(({ fn }) => ['customer_id', fn.countAll().as('count'), fn.max('placed_at').as('last')])
    .where('customer_id', 'in', customerIds)
    .where('placed_at', 'is not', null)
    .groupBy('customer_id');
  if (stores) query = query.where('store_id', 'in', [...stores]);
  const rows = await query.execute();
  return new Map(
    rows.map(({ customer_id, count, last }) => [
      customer_id ?? '',
      { orders: Number(count), lastOrderAt: Number(last) },
    ]),
  );
}

/** What a customer chose when they last ordered a product; null if they never did. */
export async function lastChoiceOf(
  db: Reader,
  customerId: string,
  productId: string,
): Promise<LastChoice | null> {
  const row = await db
    .selectFrom('order_lines as line')
    .innerJoin('orders', 'orders.id', 'line.order_id')
    .select(['line.sku', 'line.option_pairs', 'line.modifiers', 'line.note'])
    .where('orders.customer_id', '=', customerId)
    .where('orders.placed_at', 'is not', null)
    .where('line.product_id', '=', productId)
    .orderBy('orders.placed_at', 'desc')
    .orderBy('line.position')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { sku, option_pairs: optionPairs, modifiers, note } = row;
  return {
    sku,
    optionPairs: optionPairs ?? '',
    modifiers: canonicalSelections(JSON.parse(modifiers ?? '[]')),
    note,
  };
}

/** Every state an order has been in, in order, and why; the reason is for the merchant. Changes within a state are left out. */
export async function statesOf(
  db: Reader,
  orderId: string,
): Promise<{ state: OrderState; at: number; reason: string }[]> {
  const rows = await db
    .selectFrom('order_events')
    .select(['to_state', 'at', 'reason'])
    .where('order_id', '=', orderId)
    .whereRef('from_state', '!=', 'to_state')
    .orderBy('version')
    .execute();
  // The column is written only from the contract's values.
  return rows.map(({ to_state, at, reason }) => ({ state: to_state as OrderState, at, reason }));
}

/** Moves a guest session's carts and orders to another hash. */
export async function moveSessionOrders(trx: Trx, from: string, to: string): Promise<void> {
  await trx.updateTable('orders').set({ session_hash: to }).where('session_hash', '=', from).execute();
}

/** Assigns the orders placed in a guest's session to a customer. */
export async function assignOrdersToCustomer(
  trx: Trx,
  sessionHash: string,
  customerId: string,
): Promise<void> {
  await trx
    .updateTable('orders')
    .set({ customer_id: customerId, session_hash: null })
    .where('session_hash', '=', sessionHash)
    .where('placed_at', 'is not', null)
    .execute();
}

/** @throws {SyntaxError} for one that cannot be read: who asks for their data, or to be erased, is not told of less. */
export async function allOrdersOf(db: Reader, customerId: string): Promise<OrderHead[]> {
  const rows = await db.selectFrom('orders').selectAll().where('customer_id', '=', customerId).execute();
  return rows.map(toHead);
}

/** Orders and carts without an account whose contact or shipping contact has this email; latest first. */
export async function guestOrdersOf(db: Reader, email: string): Promise<OrderHead[]> {
  const wanted = emailKeyOf(email);
  // Narrows the search; the parsed JSON decides, since `_` and `%` of an email are wildcards here.
  const like = `%${JSON.stringify(wanted).slice(1, -1)}%`;
  const ofGuests = db.selectFrom('orders').selectAll().where('customer_id', 'is', null);
  const [word = ''] = queryWords(wanted);
  const found = await Promise.all([
    // An index has the words of placed orders. Reading all of them would hold the writer up when a guest is erased.
    ofGuests
      .where('id', 'in', (eb) => eb.selectFrom('order_words').select('order_id').where('word', '=', word))
      .execute(),
    ofGuests
      .where('placed_at', 'is', null)
      .where((eb) =>
        eb.or([
          sql<boolean>`lower(contact) like ${like}`,
          sql<boolean>`lower(shipping_contact) like ${like}`,
        ]),
      )
      .execute(),
  ]);
  const rows = found.flat().sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1));
  const isTheirs = ({ contact, shippingContact }: OrderHead) =>
    [contact, shippingContact].some((person) => person && emailKeyOf(person.email) === wanted);
  return rows.map(toHead).filter(isTheirs);
}

/**
 * Orders with money outstanding, about which the buyer must still hear: a pending refund, or a payment begun since `since` (epoch
 * ms) whose outcome is unknown.
 */
function moneyOutstanding(since: number) {
  return ({ or, exists, selectFrom }: ExpressionBuilder<Tables, 'orders'>) =>
    or([
      exists(
        selectFrom('refunds')
          .select('refunds.id')
          .whereRef('refunds.order_id', '=', 'orders.id')
          .where((eb) => eb.or([eb('refunds.state', '=', 'due'), eb('refunds.attention', '=', 1)])),
      ),
      exists(
        selectFrom('payments')
          .select('payments.id')
          .whereRef('payments.order_id', '=', 'orders.id')
          .where('payments.state', '=', 'lapsed')
          .where('payments.created_at', '>=', since),
      ),
    ]);
}

export async function isOutstanding(db: Reader, orderId: string, since: number): Promise<boolean> {
  const row = await db
    .selectFrom('orders')
    .select('id')
    .where('id', '=', orderId)
    .where(moneyOutstanding(since))
    .executeTakeFirst();
  return row !== undefined;
}

/** Ended orders of customers who have deleted their accounts, without money outstanding (`isOutstanding`). */
export async function ordersToAnonymize(
  db: Reader,
  ended: readonly OrderState[],
  since: number,
): Promise<OrderHead[]> {
  const rows = await db
    .selectFrom('orders')
    .selectAll()
    .where('forget', '=', 1)
    .where('state', 'in', ended)
    .where((eb) => eb.not(moneyOutstanding(since)(eb)))
    .execute();
  return toHeads(rows);
}

/** Deletes what the buyer typed on the lines of an order. */
export async function deleteLineNotes(trx: Trx, orderId: string): Promise<void> {
  await trx
    .updateTable('order_lines')
    .set({ note: '' })
    .where('order_id', '=', orderId)
    .where('note', '<>', '')
    .execute();
}

/** Deletes a cart. Returns false if payment attempts are on record, which must stay. */
export async function deleteCart(trx: Trx, id: string): Promise<boolean> {
  const result = await trx
    .deleteFrom('orders')
    .where('id', '=', id)
    .where('state', '=', 'cart')
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('payments').select('payments.id').where('payments.order_id', '=', id))),
    )
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Adds a complete order that was placed elsewhere. Returns false if its id exists. */
export async function insertPlacedOrder(
  trx: Trx,
  order: Insertable<OrdersTable>,
  lines: readonly Insertable<OrderLinesTable>[],
  events: readonly Insertable<OrderEventsTable>[],
): Promise<boolean> {
  const result = await trx
    .insertInto('orders')
    .values(order)
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  if ((result.numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
  touchBooks(trx, order.id);
  if (lines.length > 0)
    await trx
      .insertInto('order_lines')
      .values([...lines])
      .execute();
  if (events.length > 0)
    await trx
      .insertInto('order_events')
      .values([...events])
      .execute();
  return true;
}
