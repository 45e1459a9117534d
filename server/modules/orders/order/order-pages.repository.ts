/** Reads placed orders in pages, newest first, by store, state, time, method, text, and whether money is due. */

import type { Selectable } from 'kysely';
import { type RawBuilder, sql } from 'kysely';
import type { CheckoutMethod } from '#contract/limits.ts';
import type { OrderState } from '#contract/schemas/order.ts';
import type { Reader, Trx } from '#db/database.ts';
import { orderWords, queryWords } from '#db/order-words.ts';
import type { OrdersTable } from '#db/tables.ts';
import { dueOf } from '#server/modules/payments/index.ts';
import type { OrderHead } from './order.ts';
import { toHead } from './orders.repository.ts';

export interface OrderQuery {
  /** Each of these is left out for any. */
  stores?: readonly string[] | undefined;
  states?: readonly OrderState[] | undefined;
  /** When it was placed, epoch ms: `from` included, `to` not. */
  from?: number | undefined;
  to?: number | undefined;
  method?: CheckoutMethod | undefined;
  /** Only orders that owe money. */
  owes?: boolean | undefined;
  /** Beginnings of words: of the order's number, its buyer's name or email, or the end of their phone number. */
  text?: string | undefined;
}

/** The last order of a page: the next one begins after it. */
export interface OrderCursor {
  placedAt: number;
  id: string;
}

export interface OrderPage {
  orders: OrderHead[];
  /** Null for the last page. */
  next: OrderCursor | null;
}

/** Orders on a page at most. */
export const largestPage = 200;

type Row = Selectable<OrdersTable>;

export async function orderPage(reader: Reader, query: OrderQuery, after: OrderCursor | null, size: number): Promise<OrderPage> {
  const count = Math.min(size, largestPage);
  // For each state and store by itself, so that an index has the order of the page; together they are sorted.
  const part = <T extends string>(all?: readonly T[]) => all?.map((one): readonly T[] => [one]) ?? [undefined];
  const parts =
    query.text === undefined
      ? part(query.states).flatMap((states) => part(query.stores).map((stores) => ({ ...query, states, stores })))
      : [query];
  const [first] = queryWords(query.text ?? '');
  const whole = first !== undefined && (await isWhole(reader, first));
  const found = await Promise.all(
    parts.map(async (each) => (await pageStatement(each, after, count + 1, whole).execute(reader)).rows),
  );
  const rows = found.flat().sort((a, b) => (b.placed_at ?? 0) - (a.placed_at ?? 0) || (a.id < b.id ? 1 : -1));
  const orders = rows.slice(0, count).map(toHead);
  const last = orders.at(-1);
  return { orders, next: last?.placedAt != null && rows.length > count ? { placedAt: last.placedAt, id: last.id } : null };
}

/** Whether it is all of a word of some order. Then only such orders are meant, which an index has in the order of the page. */
async function isWhole(reader: Reader, word: string): Promise<boolean> {
  return (await reader.selectFrom('order_words').select('word').where('word', '=', word).limit(1).execute()).length > 0;
}

/** Exported for the test that reads the plans of both engines. */
export function pageStatement(
  { stores, states, from, to, text, method, owes }: OrderQuery,
  after: OrderCursor | null,
  count: number,
  whole = false,
): RawBuilder<Row> {
  const [first, ...others] = text === undefined ? [] : queryWords(text);
  const key = whole ? sql`found.placed_at, found.order_id` : sql`orders.placed_at, orders.id`;
  const conditions = [
    sql`orders.placed_at is not null`,
    ...(whole ? [sql`found.word = ${first}`] : []),
    ...(text !== undefined && first === undefined ? [sql`1 = 0`] : []),
    ...(first === undefined ? [] : [sql`orders.id = found.order_id`]),
    ...others.map((word) => sql`exists (select 1 from order_words where order_id = orders.id and ${beginsWith(word)})`),
    ...among('state', states),
    ...among('store_id', stores),
    ...(method === undefined ? [] : [sql`orders.method = ${method}`]),
    ...(owes ? [sql`${dueOf} > 0`] : []),
    ...(from === undefined ? [] : [sql`orders.placed_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`orders.placed_at < ${to}`]),
    ...(after === null ? [] : [sql`(${key}) < (${after.placedAt}, ${after.id})`]),
  ];
  // A cross join: SQLite then starts from the words, and does not look for them in each order of the shop.
  const matching = whole ? sql`order_words` : sql`(select distinct order_id from order_words where ${beginsWith(first ?? '')})`;
  const last = whole ? sql`found.placed_at desc, found.order_id desc` : sql`orders.placed_at desc, orders.id desc`;
  return sql<Row>`select orders.* from ${first === undefined ? sql`` : sql`${matching} as found cross join`} orders
    where ${sql.join(conditions, sql` and `)} order by ${last} limit ${count}`;
}

function among(column: 'state' | 'store_id', values: readonly string[] | undefined): RawBuilder<unknown>[] {
  if (values === undefined) return [];
  const name = sql.ref(`orders.${column}`);
  return [
    values.length === 1 ? sql`${name} = ${values[0]}` : values.length === 0 ? sql`1 = 0` : sql`${name} in (${sql.join(values)})`,
  ];
}

/** What is due of orders, cents, and how many units they have, by their ids. */
export async function sumsOf(reader: Reader, ids: readonly string[]): Promise<Map<string, { due: number; units: number }>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; due: number; units: number }>`select orders.id, ${dueOf} as due,
    (select sum(quantity) from order_lines where order_id = orders.id) as units from orders where id in (${sql.join(ids)})`.execute(
    reader,
  );
  return new Map(rows.map(({ id, due, units }) => [id, { due: Math.max(0, Number(due)), units: Number(units) }]));
}

/** The columns compare by code points, on PostgreSQL as well. */
function beginsWith(word: string): RawBuilder<boolean> {
  return sql<boolean>`word >= ${word} and word < ${word + String.fromCodePoint(0x10ffff)}`;
}

/** Writes by what an order is found, in place of what it was found by before. */
export async function writeOrderWords(trx: Trx, order: OrderHead): Promise<void> {
  await trx.deleteFrom('order_words').where('order_id', '=', order.id).execute();
  await addOrderWords(trx, order);
}

type WordedHead = Pick<OrderHead, 'id' | 'number' | 'contact' | 'shippingContact' | 'tableNumber' | 'comment' | 'placedAt'>;

/** Writes by what a new order is found. */
export async function addOrderWords(trx: Trx, order: WordedHead): Promise<void> {
  const { id, number, contact, shippingContact, tableNumber: table, comment, placedAt } = order;
  const lines = await trx.selectFrom('order_lines').select(['sku', 'note']).where('order_id', '=', id).execute();
  const words = orderWords({ number, people: [contact, shippingContact], table, comment, lines });
  if (words.length === 0) return;
  await trx
    .insertInto('order_words')
    .values(words.map((word) => ({ word, placed_at: placedAt ?? 0, order_id: id })))
    .onConflict((c) => c.doNothing())
    .execute();
}
