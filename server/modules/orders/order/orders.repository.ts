import { type ExpressionBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { CheckoutMethod } from '#contract/limits.ts';
import { offeredOr } from '#contract/locales.ts';
import type { OrderState } from '#contract/schemas/order.ts';
import { touchBooks } from '#db/before-commit.ts';
import type { Reader, Trx } from '#db/database.ts';
import { addToFeed } from '#db/feed.ts';
import type { OrdersTable, Tables } from '#db/tables.ts';
import { readableRows } from '#server/platform/unreadable-rows.ts';
import { type Buyer, mayFollow, type OrderHead, ownerOf, waitsForPickup } from './order.ts';

type OrderRow = Selectable<OrdersTable>;

/** The buyer's cart, including one that is being paid. */
export async function findCart(db: Reader, { idHash, customerId }: Buyer): Promise<OrderHead | null> {
  const owner = sql.ref(customerId === null ? 'session_hash' : 'customer_id');
  // Written out, as in the condition of the index.
  const { rows } = await sql<OrderRow>`
    select * from orders where ${owner} = ${customerId ?? idHash} and state in ('cart', 'paying')`.execute(
    db,
  );
  const [row] = rows;
  return row ? toHead(row) : null;
}

export interface NewCart {
  id: string;
  buyer: Buyer;
  language: string;
  currency: string;
  at: number;
}

/** Starts a cart. Returns null if the buyer got one meanwhile: its unique index allows only one when two tabs start a cart. */
export async function insertCart(trx: Trx, cart: NewCart): Promise<OrderHead | null> {
  const { id, buyer, language, currency, at } = cart;
  const row = await trx
    .insertInto('orders')
    .values({
      id,
      ...ownerOf(buyer),
      language,
      currency,
      created_at: at,
      updated_at: at,
      state: 'cart',
      version: 1,
      customer_comment: '',
      pay_at_store: 0,
      tip_basis_points: 0,
      total_cents: 0,
    })
    .onConflict((c) => c.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ? toHead(row) : null;
}

export async function findOrder(db: Reader, id: string): Promise<OrderHead | null> {
  const row = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toHead(row) : null;
}

export async function findOrderByNumber(db: Reader, number: string): Promise<OrderHead | null> {
  const row = await db.selectFrom('orders').selectAll().where('order_number', '=', number).executeTakeFirst();
  return row ? toHead(row) : null;
}

/** Orders that wait to be picked up at a time from `from` (epoch ms) on, the next first. */
export async function awaitedPickups(db: Reader, from: number): Promise<OrderHead[]> {
  const rows = await db
    .selectFrom('orders')
    .selectAll()
    .where('state', 'in', waitsForPickup)
    .where('method', '=', 'pickup')
    .where('pickup_at', '>=', from)
    .orderBy('pickup_at')
    .orderBy('id')
    .execute();
  return toHeads(rows);
}

/**
 * The latest order a buyer has placed: the one with that bill version, or with null any placed since `since`. A customer's orders
 * go by their id alone, a guest's by their session.
 */
export async function findPlaced(
  db: Reader,
  { customerId, idHash }: Buyer,
  billVersion: string | null,
  since: number,
): Promise<string | null> {
  const row = await db
    .selectFrom('orders')
    .select('id')
    .where(customerId === null ? 'session_hash' : 'customer_id', '=', customerId ?? idHash)
    .where('placed_at', 'is not', null)
    .where((eb) =>
      billVersion === null ? eb('placed_at', '>=', since) : eb('bill_version', '=', billVersion),
    )
    .orderBy('placed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Stores which bill the buyer of a cart was given. */
export async function keepShownBill(trx: Trx, id: string, billVersion: string): Promise<void> {
  await trx
    .updateTable('orders')
    .set({ bill_version: billVersion })
    .where('id', '=', id)
    .where('state', '=', 'cart')
    .where((eb) => eb.or([eb('bill_version', 'is', null), eb('bill_version', '<>', billVersion)]))
    .execute();
}

export type OrderChange = Updateable<OrdersTable>;

/** Changes an order that is still a cart. Returns it as it is then; null if it is no longer a cart. */
export async function changeCart(
  trx: Trx,
  id: string,
  at: number,
  change: OrderChange,
): Promise<OrderHead | null> {
  const row = await trx
    .updateTable('orders')
    .set((eb) => ({ ...change, ...grown(eb, at) }))
    .where('id', '=', id)
    .where('state', '=', 'cart')
    .returningAll()
    .executeTakeFirst();
  return row ? toHead(row) : null;
}

/** Like `changeCart` for the cart of a buyer, without other changes. */
export async function lockBuyersCart(
  trx: Trx,
  { idHash, customerId }: Buyer,
  at: number,
): Promise<OrderHead | null> {
  const owner = sql.ref(customerId === null ? 'session_hash' : 'customer_id');
  const { rows } = await sql<OrderRow>`
    update orders set version = version + 1, updated_at = ${at}
    where ${owner} = ${customerId ?? idHash} and state = 'cart' returning *`.execute(trx);
  const [row] = rows;
  return row ? toHead(row) : null;
}

export interface OrderTransition {
  from: OrderState;
  to: OrderState;
  at: number;
  /** The cause of the change, for the record. */
  reason: string;
  change?: OrderChange;
}

/** States in which an order may hold stock without having been paid. */
const unpaid: ReadonlySet<OrderState> = new Set(['paying', 'reserved', 'ready']);

/**
 * Moves an order to another state and records it. Returns null if it was not in `from`.
 * @throws {Error} for a transition that is not allowed
 */
export async function transitionOrder(
  trx: Trx,
  id: string,
  { from, to, at, reason, change }: OrderTransition,
): Promise<OrderHead | null> {
  if (!mayFollow(from, to)) throw new Error(`An order cannot go from ${from} to ${to}`);
  const columns = { ...change, ...(unpaid.has(to) ? {} : { held_from: null }) };
  return setState(trx, id, { from, to, at, reason, change: columns });
}

/** Takes the last step of an order back, against the usual direction, and records that. Returns null if it was not in `from`. */
export const revertOrder = (
  trx: Trx,
  id: string,
  back: Omit<OrderTransition, 'change'>,
): Promise<OrderHead | null> => setState(trx, id, back);

async function setState(
  trx: Trx,
  id: string,
  { from, to, at, reason, change }: OrderTransition,
): Promise<OrderHead | null> {
  const row = await trx
    .updateTable('orders')
    .set((eb) => ({ ...change, ...grown(eb, at), state: to }))
    .where('id', '=', id)
    .where('state', '=', from)
    .returningAll()
    .executeTakeFirst();
  return row ? recorded(trx, row, from, reason) : null;
}

async function recorded(trx: Trx, row: OrderRow, from: OrderState, reason: string): Promise<OrderHead> {
  if (row.placed_at !== null) touchBooks(trx, row.id);
  const { id, version, state, updated_at: at } = row;
  await trx
    .insertInto('order_events')
    .values({ order_id: id, version, from_state: from, to_state: state, at, reason })
    .execute();
  // Before, it was nothing to the staff; `confirmOrder` tells of its placement.
  if (row.placed_at !== null && from !== 'paying') await feedOrder(trx, toHead(row), at);
  return toHead(row);
}

/** Tells the office of an order that changed. */
export async function feedOrder(trx: Trx, { number, storeId }: OrderHead, at: number): Promise<void> {
  await addToFeed(trx, [{ at, topic: 'order', subject: number ?? '', store_id: storeId }]);
}

/**
 * Places the order of a payment that has succeeded, and records it, if it is still being paid, has its number and holds its stock.
 * Returns null otherwise.
 */
export async function placeHeldOrder(
  trx: Trx,
  provider: string,
  reference: string,
  at: number,
): Promise<OrderHead | null> {
  const row = await trx
    .updateTable('orders')
    .set((eb) => ({ ...grown(eb, at), state: 'placed', held_from: null, placed_at: at }))
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('payments')
        .select('payments.order_id')
        .where('payments.provider', '=', provider)
        .where('payments.provider_reference', '=', reference)
        .where('payments.state', '=', 'succeeded'),
    )
    .where('state', '=', 'paying')
    .where('order_number', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('holds').select('holds.sku').whereRef('holds.order_id', '=', 'orders.id')),
    )
    .returningAll()
    .executeTakeFirst();
  return row ? recorded(trx, row, 'paying', `paid by ${provider}`) : null;
}

/** Changes an order without changing its state. Returns it as it is then; null if there is none. */
export async function updateOrder(trx: Trx, id: string, change: OrderChange): Promise<OrderHead | null> {
  const row = await trx
    .updateTable('orders')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (row) touchIfBilled(trx, row, change);
  return row ? toHead(row) : null;
}

/** Before an order is placed, its bill is not in the books. */
function touchIfBilled(trx: Trx, row: OrderRow, change: OrderChange): void {
  if (row.placed_at !== null && ('bill' in change || 'placed_at' in change)) touchBooks(trx, row.id);
}

function grown(eb: ExpressionBuilder<Tables, 'orders'>, at: number) {
  return { version: eb('version', '+', 1), updated_at: at };
}

/** The name of the counter of order numbers. */
export const orderCounter = 'orders';

/** Where the number of an order comes from: a running number of six digits or more, and what precedes it. */
export interface NumberSeries {
  /** The name of the counter. */
  counter: string;
  /** `'MC-2026-'` */
  prefix: string;
}

/**
 * Gives an order the next number of a series, and changes it. There are no gaps, since a transaction that fails releases its
 * number: from here to its commit the counter is locked, so few round trips should follow.
 */
export async function numberOrder(
  trx: Trx,
  id: string,
  { counter, prefix }: NumberSeries,
  change: OrderChange,
): Promise<OrderHead | null> {
  await trx
    .insertInto('counters')
    .values({ name: counter, value: 1 })
    .onConflict((c) => c.column('name').doUpdateSet((eb) => ({ value: eb('counters.value', '+', 1) })))
    .execute();
  const value = sql`(select value from counters where name = ${counter})`;
  const digits = sql`case when ${value} < 1000000 then substr(cast(1000000 + ${value} as text), 2) else cast(${value} as text) end`;
  const row = await trx
    .updateTable('orders')
    .set({ ...change, order_number: sql<string>`cast(${prefix} as text) || ${digits}` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (row) touchIfBilled(trx, row, change);
  return row ? toHead(row) : null;
}

/** Ensures that future numbers are above `value`. */
export async function raiseOrderNumber(trx: Trx, counter: string, value: number): Promise<void> {
  await trx
    .insertInto('counters')
    .values({ name: counter, value })
    .onConflict((c) => c.column('name').doUpdateSet({ value }).where('counters.value', '<', value))
    .execute();
}

export async function numbersTaken(reader: Reader, numbers: readonly string[]): Promise<string[]> {
  if (numbers.length === 0) return [];
  const rows = await reader
    .selectFrom('orders')
    .select('order_number')
    .where('order_number', 'in', numbers)
    .execute();
  return rows.flatMap(({ order_number }) => order_number ?? []);
}

/** With what belongs to it. Only of an order about which there is no money. */
export async function deleteOrder(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('orders').where('id', '=', id).execute();
}

/**
 * Deletes carts whose session has ended, so that they cannot be reached any more. Those with payment attempts stay for
 * bookkeeping, without personal data.
 */
export async function deleteAbandonedCarts(trx: Trx): Promise<number> {
  const abandoned = ({ and, eb, not, exists, selectFrom }: ExpressionBuilder<Tables, 'orders'>) =>
    and([
      eb('state', '=', 'cart'),
      eb('customer_id', 'is', null),
      not(
        exists(
          selectFrom('sessions').select('id_hash').whereRef('sessions.id_hash', '=', 'orders.session_hash'),
        ),
      ),
    ]);
  const result = await trx
    .deleteFrom('orders')
    .where(abandoned)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('payments').select('id').whereRef('payments.order_id', '=', 'orders.id'))),
    )
    .executeTakeFirst();
  await trx
    .updateTable('order_lines')
    .set({ note: '' })
    .where('note', '<>', '')
    .where('order_id', 'in', ({ selectFrom }) => selectFrom('orders').select('orders.id').where(abandoned))
    .execute();
  await trx.updateTable('orders').set(nobody).where(abandoned).where('contact', 'is not', null).execute();
  return Number(result.numDeletedRows);
}

/** Empty values for the personal fields of an order. */
export const nobody = {
  session_hash: null,
  customer_id: null,
  customer_comment: '',
  contact: null,
  shipping_contact: null,
  shipping_address: null,
  billing_address: null,
} as const;

/** Of several orders, without those whose data cannot be read: one damaged bill hides no other order. */
export const toHeads = (rows: readonly OrderRow[]): OrderHead[] =>
  readableRows('orders', rows, ({ order_number, id }) => order_number ?? id, toHead);

export function toHead(row: OrderRow): OrderHead {
  const json = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));
  return {
    id: row.id,
    number: row.order_number,
    sessionHash: row.session_hash,
    customerId: row.customer_id,
    // The columns are written only from the contract's values.
    state: row.state as OrderState,
    version: row.version,
    language: offeredOr(row.language),
    method: row.method as CheckoutMethod | null,
    storeId: row.store_id,
    tableNumber: row.table_number,
    partySize: row.party_size,
    pickupAt: row.pickup_at,
    comment: row.customer_comment,
    contact: json(row.contact),
    shippingContact: json(row.shipping_contact),
    shippingAddress: json(row.shipping_address),
    billingAddress: json(row.billing_address),
    shippingMethod: row.shipping_method,
    payAtStore: row.pay_at_store === 1,
    couponCode: row.coupon_code,
    tipBasisPoints: row.tip_basis_points,
    tipCents: row.tip_cents,
    bill: json(row.bill),
    shownBill: row.bill_version,
    tableCard: row.table_card,
    currency: row.currency,
    updatedAt: row.updated_at,
    placedAt: row.placed_at,
    reservationHours: row.reservation_hours,
  };
}
