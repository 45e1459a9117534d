/** Queries `orders`, `order_lines` and `order_events`. */
import type { ExpressionBuilder, Selectable, Updateable } from 'kysely';
import type { CheckoutMethod } from '#contract/limits.ts';
import { defaultLocale, inEvery, inLocale, isLocale, type Locale, type LocalText } from '#contract/locales.ts';
import { parseOptionPairs } from '#contract/option-pairs.ts';
import type { OrderState } from '#contract/schemas/order.ts';
import type { EngineName, Reader, Trx } from '#db/database.ts';
import { select } from '#db/select.ts';
import type { OrdersTable, Tables } from '#db/tables.ts';
import type { StoredOptions } from '#server/modules/catalogue/index.ts';
import { translate } from '#server/platform/i18n.ts';
import { type Buyer, type OrderHead, type OrderLine, ownerOf } from './order.ts';
import { mayFollow } from './states.ts';

type OrderRow = Selectable<OrdersTable>;

/** The buyer's cart, including one that is being paid. */
export async function findCart(db: Reader, engine: EngineName, { idHash, customerId }: Buyer): Promise<OrderHead | null> {
  const owner = customerId === null ? 'session_hash' : 'customer_id';
  const text = `select * from orders where ${owner} = ? and state in ('cart', 'paying')`;
  const [row] = await select<OrderRow>(db, engine, text, [customerId ?? idHash]);
  return row ? toHead(row) : null;
}

export interface NewCart {
  id: string;
  buyer: Buyer;
  language: string;
  currency: string;
  at: number;
}

const insertion = `
  insert into orders (id, session_hash, customer_id, language, currency, created_at, updated_at,
    state, version, customer_comment, pay_at_store, tip_basis_points, total_cents)
  values (?, ?, ?, ?, ?, ?, ?, 'cart', 0, '', 0, 0, 0)
  on conflict do nothing returning *`;

/** Starts a cart. Returns null if the buyer got one meanwhile: its unique index allows only one when two tabs start a cart. */
export async function insertCart(trx: Trx, engine: EngineName, cart: NewCart): Promise<OrderHead | null> {
  const { id, buyer, language, currency, at } = cart;
  const { session_hash, customer_id } = ownerOf(buyer);
  const [row] = await select<OrderRow>(trx, engine, insertion, [id, session_hash, customer_id, language, currency, at, at]);
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

/** Orders in any of these states, longest placed first; as many as a terminal shows. */
export async function placedOrders(db: Reader, states: readonly OrderState[]): Promise<OrderHead[]> {
  const rows = await db
    .selectFrom('orders')
    .selectAll()
    .where('state', 'in', states)
    .where('placed_at', 'is not', null)
    .orderBy('placed_at')
    .limit(500)
    .execute();
  return rows.map(toHead);
}

/** Selects a customer's orders by their id alone, a guest's by their session. */
function ownedBy(buyer: Buyer) {
  return (eb: ExpressionBuilder<Tables, 'orders'>) =>
    buyer.customerId === null ? eb('session_hash', '=', buyer.idHash) : eb('customer_id', '=', buyer.customerId);
}

/** The latest order a buyer has placed: the one with that bill version, or with null any placed since `since`. */
export async function findPlaced(db: Reader, buyer: Buyer, billVersion: string | null, since: number): Promise<string | null> {
  const row = await db
    .selectFrom('orders')
    .select('id')
    .where(ownedBy(buyer))
    .where('placed_at', 'is not', null)
    .where((eb) => (billVersion === null ? eb('placed_at', '>=', since) : eb('bill_version', '=', billVersion)))
    .orderBy('placed_at', 'desc')
    .executeTakeFirst();
  return row?.id ?? null;
}

export type OrderChange = Updateable<OrdersTable>;

/** Changes an order that is still a cart. Returns its new version; null if it is no longer a cart. */
export async function changeCart(trx: Trx, id: string, at: number, change: OrderChange): Promise<number | null> {
  const row = await trx
    .updateTable('orders')
    .set((eb) => ({ ...change, ...grown(eb, at) }))
    .where('id', '=', id)
    .where('state', '=', 'cart')
    .returning('version')
    .executeTakeFirst();
  return row?.version ?? null;
}

/** Like `changeCart`, for a change of lines. */
export async function bumpCartVersion(trx: Trx, engine: EngineName, id: string, at: number): Promise<number | null> {
  const text = `update orders set version = version + 1, updated_at = ? where id = ? and state = 'cart' returning version`;
  const [row] = await select<{ version: number }>(trx, engine, text, [at, id]);
  return row?.version ?? null;
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
  const row = await trx
    .updateTable('orders')
    .set((eb) => ({ ...change, ...grown(eb, at), ...(unpaid.has(to) ? {} : { held_from: null }), state: to }))
    .where('id', '=', id)
    .where('state', '=', from)
    .returningAll()
    .executeTakeFirst();
  if (!row) return null;
  const event = { order_id: id, version: row.version, from_state: from, to_state: to, at, reason };
  await trx.insertInto('order_events').values(event).execute();
  return toHead(row);
}

/** Changes an order without changing its state. */
export async function updateOrder(trx: Trx, id: string, change: OrderChange): Promise<void> {
  await trx.updateTable('orders').set(change).where('id', '=', id).execute();
}

function grown(eb: ExpressionBuilder<Tables, 'orders'>, at: number) {
  return { version: eb('version', '+', 1), updated_at: at };
}

/** The next running number. There are no gaps, since a transaction that fails releases its number. */
export async function nextNumber(trx: Trx, counter: string): Promise<number> {
  const row = await trx
    .insertInto('counters')
    .values({ name: counter, value: 1 })
    .onConflict((c) => c.column('name').doUpdateSet((eb) => ({ value: eb('counters.value', '+', 1) })))
    .returning('value')
    .executeTakeFirstOrThrow();
  return row.value;
}

/** Ensures that future numbers are above `value`. */
export async function raiseOrderNumber(trx: Trx, counter: string, value: number): Promise<void> {
  await trx
    .insertInto('counters')
    .values({ name: counter, value })
    .onConflict((c) => c.column('name').doUpdateSet({ value }).where('counters.value', '<', value))
    .execute();
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
      not(exists(selectFrom('sessions').select('id_hash').whereRef('sessions.id_hash', '=', 'orders.session_hash'))),
    ]);
  const result = await trx
    .deleteFrom('orders')
    .where(abandoned)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('payments').select('id').whereRef('payments.order_id', '=', 'orders.id'))),
    )
    .executeTakeFirst();
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

const productColumns = `sku.option_pairs, sku.price_cents, sku.compare_at_cents, sku.image,
    product.name, product.images, product.options, product.in_store_only, product.tax_class, product.published`;

const liveLines = `
  select line.sku, line.product_id, line.quantity, ${productColumns}
  from order_lines as line
  left join skus as sku on sku.id = line.sku
  left join products as product on product.id = sku.product_id
  where line.order_id = ? order by line.position, line.sku`;

/** Positions of lines stay below, so a SKU that is not in the cart comes last. */
const liveLinesAndSku = `
  select line.sku, line.product_id, line.quantity, line.position, ${productColumns}
  from order_lines as line
  left join skus as sku on sku.id = line.sku
  left join products as product on product.id = sku.product_id
  where line.order_id = ?
  union all
  select sku.id, sku.product_id, 0, ${Number.MAX_SAFE_INTEGER}, ${productColumns}
  from skus as sku join products as product on product.id = sku.product_id
  where sku.id = ? and not exists (select 1 from order_lines as line where line.order_id = ? and line.sku = sku.id)
  order by 4, 1`;

interface LiveRow {
  sku: string;
  product_id: string;
  quantity: number;
  option_pairs: string | null;
  price_cents: number | null;
  compare_at_cents: number | null;
  image: string | null;
  name: string | null;
  images: string | null;
  options: string | null;
  in_store_only: number | null;
  tax_class: string | null;
  published: number | null;
}

/** A cart's lines in order, with current catalogue data. */
export async function liveLinesOf(db: Reader, engine: EngineName, orderId: string): Promise<OrderLine[]> {
  return (await select<LiveRow>(db, engine, liveLines, [orderId])).map(liveLine);
}

/** Like `liveLinesOf`, with a line of quantity 0 for this SKU if the cart has none of it. Without one if there is no such SKU. */
export async function liveLinesWith(db: Reader, engine: EngineName, orderId: string, sku: string): Promise<OrderLine[]> {
  return (await select<LiveRow>(db, engine, liveLinesAndSku, [orderId, sku, orderId])).map(liveLine);
}

function liveLine(row: LiveRow): OrderLine {
  const price = row.price_cents ?? 0;
  const pairs = row.option_pairs ?? '';
  return {
    sku: row.sku,
    productId: row.product_id,
    quantity: row.quantity,
    name: row.name === null ? { en: row.sku } : JSON.parse(row.name),
    optionPairs: pairs,
    optionText: pairs === '' ? { en: '' } : optionTextOf(pairs, JSON.parse(row.options ?? '[]')),
    unitPrice: price,
    listPrice: row.compare_at_cents !== null && row.compare_at_cents > price ? row.compare_at_cents : null,
    taxClass: row.tax_class ?? 'standard',
    image: row.image ?? (JSON.parse(row.images ?? '[]') as string[])[0] ?? null,
    inStoreOnly: row.in_store_only === 1,
    offered: row.published === 1,
  };
}

/** An order's lines as agreed when it left the cart. */
export async function frozenLinesOf(db: Reader, orderId: string): Promise<OrderLine[]> {
  const rows = await db
    .selectFrom('order_lines as line')
    .leftJoin('skus as sku', 'sku.id', 'line.sku')
    .leftJoin('products as product', 'product.id', 'sku.product_id')
    .selectAll('line')
    .select(['product.in_store_only', 'product.published'])
    .where('line.order_id', '=', orderId)
    .orderBy('line.position')
    .orderBy('line.sku')
    .execute();
  return rows.map((row) => ({
    sku: row.sku,
    productId: row.product_id,
    quantity: row.quantity,
    name: JSON.parse(row.name ?? JSON.stringify({ en: row.sku })),
    optionPairs: row.option_pairs ?? '',
    optionText: JSON.parse(row.option_text ?? '{"en":""}'),
    unitPrice: row.unit_price_cents ?? 0,
    listPrice: null,
    taxClass: row.tax_class ?? 'standard',
    image: row.image,
    inStoreOnly: row.in_store_only === 1,
    offered: row.published === 1,
  }));
}

/** The values of option pairs, in the order in which the product lists its options. */
function optionTextOf(pairs: string, options: StoredOptions): LocalText {
  const chosen = parseOptionPairs(pairs) ?? new Map<string, string>();
  const values = options.flatMap(
    (option) => option.values.find(({ name }) => name.en === chosen.get(option.name.en))?.name ?? [],
  );
  const text = (locale: Locale) =>
    (values.length > 0 ? values.map((value) => inLocale(value, locale)) : [...chosen.values()]).join(
      translate(locale)('ui.listSeparator'),
    );
  return inEvery(text);
}

/** The columns that keep what was agreed on when a line was ordered. */
export function agreedColumns(line: Omit<OrderLine, 'inStoreOnly' | 'offered' | 'listPrice'>) {
  return {
    name: JSON.stringify(line.name),
    option_pairs: line.optionPairs,
    option_text: JSON.stringify(line.optionText),
    unit_price_cents: line.unitPrice,
    tax_class: line.taxClass,
    image: line.image,
  };
}

/** Stores the agreed data with each line, so that later changes of the catalogue do not affect the order. */
export async function freezeLines(trx: Trx, orderId: string, lines: readonly OrderLine[]): Promise<void> {
  for (const line of lines) {
    await trx
      .updateTable('order_lines')
      .set(agreedColumns(line))
      .where('order_id', '=', orderId)
      .where('sku', '=', line.sku)
      .execute();
  }
}

/** Stores the location a line was sold from. */
export async function markSold(trx: Trx, orderId: string, sku: string, location: string): Promise<void> {
  await trx
    .updateTable('order_lines')
    .set({ location_id: location })
    .where('order_id', '=', orderId)
    .where('sku', '=', sku)
    .execute();
}

/** Returns the units that an order was sold and their locations, and clears them. */
export async function takeSoldLocations(
  trx: Trx,
  orderId: string,
): Promise<{ sku: string; location: string; quantity: number }[]> {
  const rows = await trx
    .selectFrom('order_lines')
    .select(['sku', 'location_id', 'quantity'])
    .where('order_id', '=', orderId)
    .where('location_id', 'is not', null)
    .orderBy('sku')
    .execute();
  await trx.updateTable('order_lines').set({ location_id: null }).where('order_id', '=', orderId).execute();
  return rows.map(({ sku, location_id, quantity }) => ({ sku, location: location_id ?? '', quantity }));
}

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
    language: isLocale(row.language) ? row.language : defaultLocale,
    method: row.method as CheckoutMethod | null,
    storeId: row.store_id,
    tableNumber: row.table_number,
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
    currency: row.currency,
    updatedAt: row.updated_at,
    placedAt: row.placed_at,
    reservationHours: row.reservation_hours,
  };
}
