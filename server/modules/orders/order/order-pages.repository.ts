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
import { toHeads } from './orders.repository.ts';

export interface OrderQuery {
  /** Each of these is left out for any. */
  stores?: readonly string[] | undefined;
  states?: readonly OrderState[] | undefined;
  /** When it was placed, epoch ms: `from` included, `to` not. */
  from?: number | undefined;
  to?: number | undefined;
  method?: CheckoutMethod | undefined;
  /** The account that placed it. */
  customer?: string | undefined;
  /** Only orders that owe money. */
  owes?: boolean | undefined;
  /** Beginnings of words: of the order's number, its buyer's name or email, or the end of their phone number. */
  text?: string | undefined;
}

/** The last order that a page looked at: the next one begins after it. */
export interface OrderCursor {
  placedAt: number;
  id: string;
  number: string | null;
}

export interface OrderPage {
  orders: OrderHead[];
  /** Null for the last page. A page can be short, or empty, and not the last. */
  next: OrderCursor | null;
}

/** Orders on a page at most. */
export const largestPage = 200;
/**
 * So many orders a page looks at where no index names those that are wanted, such as all whose buyer's name begins with A: some
 * 20 ms at a million orders. So many orders one word may also name to be looked up by it alone.
 */
const mostLookedAt = 5000;
/** How many orders it looks at first, for each that it shows. */
const firstLook = 4;

type Row = Selectable<OrdersTable>;
type Condition = RawBuilder<unknown>;

/** Where the orders of a page come from, newest first. */
interface Source {
  /** Orders, or as `found` entries that name them. */
  from: RawBuilder<unknown>;
  areEntries: boolean;
  /** Time and id of an order there. */
  time: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  conditions: readonly Condition[];
}

const ofOrders = { from: sql`orders`, areEntries: false, time: sql`orders.placed_at`, id: sql`orders.id` };

export async function orderPage(
  reader: Reader,
  query: OrderQuery,
  after: OrderCursor | null,
  size: number,
): Promise<OrderPage> {
  const count = Math.min(size, largestPage);
  const { sources, sieve, isShort } = await plan(reader, query, after);
  if (sieve.length === 0 || isShort) return pageUntil(reader, sources, sieve, null, count);
  // Most orders can be wanted: then the newest of them fill the page.
  const first = await pageUntil(
    reader,
    sources,
    sieve,
    await lastLookedAt(reader, sources, count * firstLook),
    count,
  );
  if (first.orders.length === count || first.next === null) return first;
  return pageUntil(reader, sources, sieve, await lastLookedAt(reader, sources, mostLookedAt), count);
}

async function pageUntil(
  reader: Reader,
  sources: readonly Source[],
  sieve: readonly Condition[],
  until: OrderCursor | null,
  count: number,
): Promise<OrderPage> {
  const found = await Promise.all(
    sources.map(
      async (source) => (await pageStatement(source, sieve, until, count + 1).execute(reader)).rows,
    ),
  );
  const rows = found.flat().sort((a, b) => (b.placed_at ?? 0) - (a.placed_at ?? 0) || (a.id < b.id ? 1 : -1));
  const shown = rows.slice(0, count);
  const last = shown.at(-1);
  const next = last &&
    last.placed_at !== null && { placedAt: last.placed_at, id: last.id, number: last.order_number };
  return { orders: toHeads(shown), next: next && rows.length > count ? next : until };
}

/** How the orders of a query are read. Exported for the test that reads the plans of both engines. */
export async function plan(
  reader: Reader,
  { stores, states, from, to, text, method, customer, owes }: OrderQuery,
  after: OrderCursor | null,
): Promise<{ sources: Source[]; sieve: Condition[]; isShort: boolean }> {
  const words = await Promise.all(queryWords(text ?? '').map((word) => matching(reader, word)));
  const [rarest] = words.toSorted((a, b) => a.orders - b.orders);
  const span = ({ time, id }: Pick<Source, 'time' | 'id'>) => [
    ...(after === null ? [] : [sql`(${time}, ${id}) < (${after.placedAt}, ${after.id})`]),
    ...(from === undefined ? [] : [sql`${time} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${time} < ${to}`]),
  ];
  const byWord = customer === undefined ? rarest : undefined;
  const isShort = byWord !== undefined && byWord.orders <= mostLookedAt;
  const isCommon = !isShort && byWord?.isWhole && !(states && (await fewIn(reader, states, stores)));
  const named = isShort || isCommon ? byWord : undefined;
  const sieve = [
    ...words
      .filter((word) => word !== named)
      .map(({ matches, isWhole }) => {
        // Entries of a whole word are in the order of the page: those that are read one after the other lie side by side.
        const same =
          isWhole && named
            ? sql`order_words.placed_at = found.placed_at and order_words.order_id = found.order_id`
            : sql`order_words.order_id = orders.id`;
        // The offset keeps PostgreSQL from reading all entries of the word first, whose orders it would then look for.
        return sql`exists (select 1 from order_words where ${same} and ${matches} limit 1 offset 0)`;
      }),
    ...(method === undefined ? [] : [sql`orders.method = ${method}`]),
    ...(owes ? [sql`${dueOf} > 0`] : []),
  ];
  if (named || customer !== undefined) {
    const ofCustomers = sql`(select placed_at, id as order_id, customer_id from orders where placed_at is not null)`;
    const found = { time: sql`found.placed_at`, id: sql`found.order_id` };
    const from = !named
      ? ofCustomers
      : !isShort
        ? sql`order_words`
        : sql`(select max(placed_at) as placed_at, order_id from order_words where ${named.matches}
            group by order_id order by 1 desc, 2 desc limit ${mostLookedAt})`;
    const source = {
      ...found,
      from: sql`${from} as found`,
      areEntries: true,
      conditions: [
        ...(isShort ? [] : [named?.matches ?? sql`found.customer_id = ${customer}`]),
        ...span(found),
      ],
    };
    return {
      sources: [source],
      sieve: [...among('state', states), ...among('store_id', stores), ...sieve],
      isShort,
    };
  }
  // For each state and store by itself, so that an index has the order of the page; together they are sorted.
  const part = <T extends string>(all?: readonly T[]) =>
    all?.map((one): readonly T[] => [one]) ?? [undefined];
  const isPlaced = sql`orders.placed_at is not null`;
  const sources = (text !== undefined && !rarest ? [] : part(states)).flatMap((state) =>
    part(stores).map((store) => ({
      ...ofOrders,
      conditions: [isPlaced, ...among('state', state), ...among('store_id', store), ...span(ofOrders)],
    })),
  );
  return { sources, sieve, isShort };
}

/** Whether states, at stores, have no more orders than a page looks at: as those that are still to be done. */
async function fewIn(
  reader: Reader,
  states: readonly OrderState[],
  stores?: readonly string[],
): Promise<boolean> {
  const conditions = [sql`placed_at is not null`, ...among('state', states), ...among('store_id', stores)];
  const { rows } = await sql`select 1 from orders where ${sql.join(conditions, sql` and `)}
    limit 1 offset ${mostLookedAt}`.execute(reader);
  return rows.length === 0;
}

/** What an index of words says of a word, and how many of its entries are meant, counted to just over `mostLookedAt`. */
async function matching(
  reader: Reader,
  word: string,
): Promise<{ matches: Condition; isWhole: boolean; orders: number }> {
  // If it is all of a word of some order, only such orders are meant.
  const isWhole =
    (await reader.selectFrom('order_words').select('word').where('word', '=', word).limit(1).execute())
      .length > 0;
  // The columns compare by code points, on PostgreSQL as well.
  const matches = isWhole
    ? sql`word = ${word}`
    : sql`word >= ${word} and word < ${word + String.fromCodePoint(0x10ffff)}`;
  const { rows } = await sql<{ orders: number }>`select count(*) as orders from
    (select 1 from order_words where ${matches} limit ${mostLookedAt + 1}) as counted`.execute(reader);
  return { matches, isWhole, orders: Number(rows[0]?.orders) };
}

const newestFirst = ({ time, id }: Source) => sql`order by ${time} desc, ${id} desc`;

/** The newest of the orders at which the sources end, if they look at no more than `most` together. */
async function lastLookedAt(
  reader: Reader,
  sources: readonly Source[],
  most: number,
): Promise<OrderCursor | null> {
  const each = Math.ceil(most / sources.length);
  const ends = await Promise.all(
    sources.map(async (source) => {
      const { rows } = await sql<{
        placedAt: number;
        id: string;
        number: string | null;
      }>`select placed_at as "placedAt", orders.id,
        order_number as number from (select ${source.id} as last_id from ${source.from}
        where ${sql.join(source.conditions, sql` and `)} ${newestFirst(source)} limit 1 offset ${each - 1}) as ends
        cross join orders where orders.id = last_id`.execute(reader);
      return rows;
    }),
  );
  const [newest] = ends.flat().sort((a, b) => b.placedAt - a.placedAt || (a.id < b.id ? 1 : -1));
  return newest ?? null;
}

/** Exported for the test that reads the plans of both engines. */
export function pageStatement(
  source: Source,
  sieve: readonly Condition[],
  until: OrderCursor | null,
  count: number,
): RawBuilder<Row> {
  const { from, areEntries, time, id, conditions } = source;
  // The first of the two bounds the index on SQLite, which uses a comparison of pairs for one end only.
  const bounds = until
    ? [sql`${time} >= ${until.placedAt}`, sql`(${time}, ${id}) >= (${until.placedAt}, ${until.id})`]
    : [];
  // A cross join: SQLite then starts from the words or the customer, and does not look for them in each order of the shop.
  const joined = areEntries ? sql`${from} cross join orders` : from;
  const all = [...conditions, ...(areEntries ? [sql`orders.id = found.order_id`] : []), ...bounds, ...sieve];
  return sql<Row>`select orders.* from ${joined} where ${sql.join(all, sql` and `)}
    ${newestFirst(source)} limit ${count}`;
}

function among(column: 'state' | 'store_id', values: readonly string[] | undefined): RawBuilder<unknown>[] {
  if (values === undefined) return [];
  const name = sql.ref(`orders.${column}`);
  return [
    values.length === 1
      ? sql`${name} = ${values[0]}`
      : values.length === 0
        ? sql`1 = 0`
        : sql`${name} in (${sql.join(values)})`,
  ];
}

/** What is due of an order, cents, how many units it has, and in how many parcels some of them were sent. */
export interface OrderSums {
  due: number;
  units: number;
  parcels: number;
  /** Whether all that was paid went back: if nothing was sent, there is nothing more to be done. */
  isRefunded: boolean;
}

/** Whether all that was paid for a row of `orders` was refunded, and is not due again. */
const allWentBack = sql<boolean>`(${dueOf} <= 0 and (select coalesce(sum(amount_cents), 0) > 0
  and sum(amount_cents) <= sum(refunded_cents) from payments where order_id = orders.id and state = 'succeeded'))`;

/** Of a row of `orders` that is open: it was refunded before anything of it was handed over or sent. */
export const refundedUnsent = sql<boolean>`(${allWentBack}
  and not exists (select 1 from shipments where order_id = orders.id and taken_back_at is null))`;

/** The states in which an order is still to be handed over or sent. */
export const waitingStates: readonly OrderState[] = ['placed', 'reserved', 'ready'];

export const isRefunded = ({ state }: OrderHead, sums?: OrderSums): boolean =>
  waitingStates.includes(state) && (sums?.isRefunded ?? false) && sums?.parcels === 0;

export const isPartlyShipped = ({ state }: OrderHead, sums?: OrderSums): boolean =>
  state === 'placed' && (sums?.parcels ?? 0) > 0;

/** By the ids of the orders. */
export async function sumsOf(reader: Reader, ids: readonly string[]): Promise<Map<string, OrderSums>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<
    Omit<OrderSums, 'isRefunded'> & { id: string; refunded: number }
  >`select orders.id, ${dueOf} as due,
    case when ${allWentBack} then 1 else 0 end as refunded,
    (select sum(quantity) from order_lines where order_id = orders.id) as units,
    (select count(*) from shipments where order_id = orders.id and taken_back_at is null) as parcels
    from orders where id in (${sql.join(ids)})`.execute(reader);
  return new Map(
    rows.map(({ id, due, units, parcels, refunded }) => [
      id,
      {
        due: Math.max(0, Number(due)),
        units: Number(units),
        parcels: Number(parcels),
        isRefunded: Number(refunded) === 1,
      },
    ]),
  );
}

/** Writes by what an order is found, in place of what it was found by before. */
export async function writeOrderWords(trx: Trx, order: OrderHead): Promise<void> {
  await trx.deleteFrom('order_words').where('order_id', '=', order.id).execute();
  await addOrderWords(trx, order);
}

type WordedHead = Pick<
  OrderHead,
  'id' | 'number' | 'contact' | 'shippingContact' | 'tableNumber' | 'comment' | 'placedAt'
>;

/** Writes by what a new order is found. */
export async function addOrderWords(trx: Trx, order: WordedHead): Promise<void> {
  const { id, number, contact, shippingContact, tableNumber: table, comment, placedAt } = order;
  const lines = await trx
    .selectFrom('order_lines')
    .select(['sku', 'note'])
    .where('order_id', '=', id)
    .execute();
  const words = orderWords({ number, people: [contact, shippingContact], table, comment, lines });
  if (words.length === 0) return;
  const rows = words.map((word) => sql`(${word}, ${placedAt ?? 0}, ${id})`);
  // As SQL: each sale writes some twenty.
  await sql`insert into order_words (word, placed_at, order_id) values ${sql.join(rows)} on conflict do nothing`.execute(
    trx,
  );
}
