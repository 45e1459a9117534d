/**
 * Queries the books, and what of orders they are written from. What every sale asks is written as SQL: building such a query takes longer
 * than SQLite needs to answer it.
 */
import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { cashBackOf } from '#contract/rules/refund-parts.ts';
import {
  type Account,
  type BookEvent,
  type EntryFields,
  entryFields,
} from '#contract/staff/accounts-of-books.ts';
import { insertMany } from '#db/bulk-writes.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { Tables } from '#db/tables.ts';
import { type AgreedBill, cashStepOf } from '#server/modules/orders/index.ts';
import { wayOf } from '#server/modules/payments/index.ts';
import { placeOf } from '#server/modules/pricing/index.ts';
import { storesIn } from '#server/modules/stores/index.ts';
import type {
  Booked,
  Entry,
  LineFacts,
  OrderFacts,
  OrderStanding,
  PaymentFacts,
  RefundFacts,
} from './entries.ts';
import { columnOf, fieldColumns, fieldsOf, selectedFields } from './entry-columns.ts';

/** Of another shop, before this one: their numbers begin with a #. */
const isOfThisShop = sql<boolean>`(orders.order_number is null or orders.order_number not like '#%')`;

/** Nothing is booked of it but what its goods cost. */
const hasNoEntries = sql<boolean>`not exists (select event_id from ledger_entries
  where ledger_entries.order_id = orders.id and ledger_entries.kind <> 'cost')`;

/** An order, by its place in the order of their creation. */
export interface OrderPlace {
  at: number;
  id: string;
}

/**
 * The next orders that have something to book, by their creation: those that were placed, or for which money came too late.
 * `isUnbooked`: only those of which nothing is booked but what their goods cost.
 */
export async function ordersAfter(
  reader: Reader,
  after: OrderPlace,
  { most, isUnbooked }: { most: number; isUnbooked: boolean },
): Promise<OrderPlace[]> {
  return reader
    .selectFrom('orders')
    .select(['id', 'created_at as at'])
    .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(after.at, after.id)))
    .where(isOfThisShop)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('placed_at', 'is not', null),
        exists(
          selectFrom('payments')
            .select('payments.id')
            .whereRef('payments.order_id', '=', 'orders.id')
            .where('payments.received_at', 'is not', null),
        ),
      ]),
    )
    .$if(isUnbooked, (query) => query.where(hasNoEntries))
    .orderBy('created_at')
    .orderBy('id')
    .limit(most)
    .execute();
}

/** Ids of orders that were placed, or for which money came, within so long before the last one was placed; by the indexes of both. */
export async function recentOrders(reader: Reader, recentMs: number): Promise<string[]> {
  const last = await reader
    .selectFrom('orders')
    .select('placed_at')
    .where('placed_at', 'is not', null)
    .orderBy('placed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const since = Number(last?.placed_at ?? 0) - recentMs;
  const placed = await reader.selectFrom('orders').select('id').where('placed_at', '>=', since).execute();
  const paid = await reader
    .selectFrom('payments')
    .select('order_id')
    .where('received_at', '>=', since)
    .execute();
  return [...new Set([...placed.map(({ id }) => id), ...paid.map(({ order_id }) => order_id)])];
}

/** Of these orders of this shop, those of which nothing is booked but what their goods cost. */
export async function unbookedOf(reader: Reader, ids: readonly string[]): Promise<string[]> {
  const rows = await reader
    .selectFrom('orders')
    .select('id')
    .where('id', 'in', ids)
    .where(isOfThisShop)
    .where(hasNoEntries)
    .execute();
  return rows.map(({ id }) => id);
}

/** Those of another shop are not in these books. An order that is gone has nothing any more. */
export async function factsOf(reader: Reader, ids: readonly string[]): Promise<OrderFacts[]> {
  if (ids.length === 0) return [];
  const orders = await ordersOf(reader, ids);
  const placed = orders.filter(({ placed_at }) => placed_at !== null).map(({ id }) => id);
  const lines = Map.groupBy(await linesOf(reader, placed), ({ order_id }) => order_id);
  const money = Map.groupBy(await moneyOf(reader, ids), ({ order_id }) => order_id);
  const ended = orders.filter(({ state }) => state === 'cancelled' || state === 'lapsed').map(({ id }) => id);
  const ends = new Map((await endsOf(reader, ended)).map(({ order_id, at }) => [order_id, Number(at)]));
  const stores = [...money.values()].flat().some(({ kind, refund }) => kind === 'cash' && refund !== null)
    ? await storesIn(reader)
    : [];
  const known = orders.map((row): OrderFacts => {
    const step = cashStepOf({ currency: row.currency, storeId: row.store_id }, stores);
    const isArchived = row.order_number?.startsWith('#') ?? false;
    return {
      id: row.id,
      store: row.store_id,
      currency: row.currency,
      placedAt: row.placed_at,
      day: '',
      standing: isArchived ? 'none' : standingOf(row),
      endedAt: ends.get(row.id) ?? row.updated_at,
      place: placeOfOrder(row),
      bill: billIn(row.bill),
      lines: (lines.get(row.id) ?? []).map(toLine),
      payments: isArchived ? [] : withUnrecorded(row, toPayments(money.get(row.id) ?? [])),
      refunds: isArchived ? [] : toRefunds(money.get(row.id) ?? [], step),
    };
  });
  const there = new Set(known.map(({ id }) => id));
  return [
    ...known,
    ...(await goneOrders(
      reader,
      ids.filter((id) => !there.has(id)),
    )),
  ];
}

/** Null if it cannot be read: then nothing is booked for it, and `doctor` names the order. */
function billIn(json: string | null): AgreedBill | null {
  try {
    const bill = JSON.parse(json ?? 'null') as AgreedBill | null;
    return bill &&
      Number.isInteger(bill.total) &&
      Number.isInteger(bill.subtotal) &&
      Array.isArray(bill.taxLines)
      ? bill
      : null;
  } catch {
    return null;
  }
}

/** Such as a cart that was another order's: what is booked for it is somebody else's now. */
async function goneOrders(reader: Reader, ids: readonly string[]): Promise<OrderFacts[]> {
  if (ids.length === 0) return [];
  const rows = await reader
    .selectFrom('ledger_entries')
    .select(['order_id', 'store_id', 'currency'])
    .distinct()
    .where('order_id', 'in', ids)
    .execute();
  return rows.map(({ order_id, store_id, currency }) => ({
    id: order_id ?? '',
    standing: 'none',
    store: store_id,
    currency,
    placedAt: null,
    endedAt: null,
    place: '',
    day: '',
    bill: null,
    lines: [],
    payments: [],
    refunds: [],
  }));
}

/** Payments at the counter were not recorded before they had rows; `balanceOf` counts them the same. */
function withUnrecorded(
  order: { id: string; state: string; pay_at_store: number; total_cents: number; updated_at: number },
  payments: readonly PaymentFacts[],
): readonly PaymentFacts[] {
  const { id, state, pay_at_store, total_cents: amount, updated_at } = order;
  if (
    state !== 'completed' ||
    pay_at_store !== 1 ||
    amount === 0 ||
    payments.some(({ receivedAt }) => receivedAt !== null)
  )
    return payments;
  const unrecorded = {
    way: 'other',
    amount,
    tip: 0,
    rounding: 0,
    receivedAt: updated_at,
    undoneAt: null,
    actor: null,
  };
  return [...payments, { id: `counter-${id}`, ...unrecorded }];
}

function standingOf({ state, placed_at }: { state: string; placed_at: number | null }): OrderStanding {
  if (placed_at === null || state === 'cart' || state === 'paying') return 'none';
  return state === 'cancelled' || state === 'lapsed' ? state : 'placed';
}

/** Where the sale belongs to, for bills that do not say it. */
function placeOfOrder(row: {
  method: string | null;
  shipping_address: string | null;
  address: string | null;
}): string {
  const json = row.method === 'shipping' ? row.shipping_address : row.address;
  if (json === null) return '';
  const { countryISOCode = '', provinceCode = null } = JSON.parse(json) as {
    countryISOCode?: string;
    provinceCode?: string | null;
  };
  return placeOf({ countryISOCode, provinceCode });
}

type PlacedRow = Pick<
  Selectable<Tables['orders']>,
  | 'id'
  | 'order_number'
  | 'state'
  | 'store_id'
  | 'currency'
  | 'placed_at'
  | 'method'
  | 'shipping_address'
  | 'bill'
  | 'updated_at'
  | 'pay_at_store'
  | 'total_cents'
> & { address: string | null };

async function ordersOf(reader: Reader, ids: readonly string[]): Promise<PlacedRow[]> {
  const { rows } =
    await sql<PlacedRow>`select orders.id, orders.order_number, orders.state, orders.store_id, orders.currency,
    orders.placed_at, orders.method, orders.shipping_address, orders.bill, orders.updated_at, stores.address,
    orders.pay_at_store, orders.total_cents
    from orders left join stores on stores.id = orders.store_id where orders.id in (${sql.join(ids)})`.execute(
      reader,
    );
  return rows;
}

type LineRow = Pick<
  Selectable<Tables['order_lines']>,
  'order_id' | 'id' | 'sku' | 'product_id' | 'quantity' | 'unit_price_cents' | 'tax_class'
> & { category_id: string | null };

async function linesOf(reader: Reader, ids: readonly string[]): Promise<LineRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<LineRow>`select line.order_id, line.id, line.sku, line.product_id, line.quantity,
    line.unit_price_cents, line.tax_class, products.category_id
    from order_lines line left join products on products.id = line.product_id
    where line.order_id in (${sql.join(ids)}) order by line.position`.execute(reader);
  return rows;
}

function toLine(row: LineRow): LineFacts {
  return {
    id: row.id,
    sku: row.sku,
    product: row.product_id,
    category: row.category_id,
    quantity: row.quantity,
    taxClass: row.tax_class ?? 'standard',
    unitPrice: row.unit_price_cents ?? 0,
  };
}

type MoneyRow = Pick<
  Selectable<Tables['payments']>,
  | 'order_id'
  | 'id'
  | 'provider'
  | 'kind'
  | 'amount_cents'
  | 'tip_cents'
  | 'rounding_cents'
  | 'received_at'
  | 'undone_at'
  | 'actor'
> & {
  refund: string | null;
  back: number | null;
  back_tip: number | null;
  corrects: number | null;
  covers: string | null;
  reason: string | null;
  state: string | null;
  attention: number | null;
  refunded_at: number | null;
  ended_at: number | null;
  dispute: string | null;
};

/** Each payment, once for each refund of it. */
async function moneyOf(reader: Reader, ids: readonly string[]): Promise<MoneyRow[]> {
  const { rows } =
    await sql<MoneyRow>`select payments.order_id, payments.id, provider, kind, payments.amount_cents,
    payments.tip_cents, rounding_cents, received_at, undone_at, actor, refunds.id as refund, refunds.amount_cents as back,
    refunds.tip_cents as back_tip, corrects, covers, refunds.reason, refunds.state, attention,
    refunds.created_at as refunded_at, refunds.updated_at as ended_at, disputes.id as dispute
    from payments left join refunds on refunds.payment_id = payments.id left join disputes on disputes.id = refunds.id
    where payments.order_id in (${sql.join(ids)}) order by payments.created_at, payments.id`.execute(reader);
  return rows;
}

function toPayments(rows: readonly MoneyRow[]): PaymentFacts[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].map((row) => ({
    id: row.id,
    way: wayOf(row),
    amount: row.amount_cents,
    tip: row.tip_cents,
    rounding: row.rounding_cents,
    receivedAt: row.received_at,
    undoneAt: row.undone_at,
    actor: row.actor,
  }));
}

function toRefunds(rows: readonly MoneyRow[], step: number): RefundFacts[] {
  const refunds = rows.flatMap((row): RefundFacts[] =>
    row.refund === null
      ? []
      : [
          {
            id: row.refund,
            taker: row.actor,
            way: wayOf(row),
            amount: row.back ?? 0,
            tip: row.back_tip ?? 0,
            rounding: (cashBackOf(row.back ?? 0, row.kind, step) ?? row.back ?? 0) - (row.back ?? 0),
            corrects: row.corrects === 1,
            reason: row.reason ?? '',
            state: row.state ?? '',
            covers: row.covers === null ? null : JSON.parse(row.covers),
            isOwed: row.state === 'refused' && row.attention === 1,
            isLostDispute: row.dispute !== null,
            createdAt: row.refunded_at ?? 0,
            updatedAt: row.ended_at ?? 0,
          },
        ],
  );
  return refunds.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

const endsOf = async (reader: Reader, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : reader
        .selectFrom('order_events')
        .select(({ fn }) => ['order_id', fn.max('at').as('at')])
        .where('order_id', 'in', ids)
        .where('to_state', 'in', ['cancelled', 'lapsed'])
        .groupBy('order_id')
        .execute();

const keys = 'order_id, source, account, line_id, product_id, sku, category_id';

interface BookedRow extends EntryFields {
  order_id: string;
  source: string;
  account: string;
  line_id: string | null;
  product_id: string | null;
  sku: string | null;
  category_id: string | null;
  amount: number;
  base: number;
  units: number;
}

/** What is booked for each order, by its sources. What its goods cost follows from stock, not from it. */
export async function bookedFor(reader: Reader, ids: readonly string[]): Promise<Map<string, Booked>> {
  if (ids.length === 0) return new Map();
  const { rows } =
    await sql<BookedRow>`select ${sql.raw(`${keys}, ${selectedFields}`)}, sum(amount_cents) as amount,
    sum(base_cents) as base, sum(units) as units from ledger_entries
    where order_id in (${sql.join(ids)}) and kind <> 'cost' group by ${sql.raw(`${keys}, ${fieldColumns}`)}`.execute(
      reader,
    );
  const byOrder = Map.groupBy(rows, ({ order_id }) => order_id);
  return new Map(
    [...byOrder].map(([id, own]) => {
      const bySource = Map.groupBy(own, ({ source }) => source);
      return [id, new Map([...bySource].map(([source, all]) => [source, all.flatMap(toEntry)]))];
    }),
  );
}

function toEntry(row: BookedRow): Entry[] {
  const [amount, base, units] = [Number(row.amount), Number(row.base), Number(row.units)];
  if (amount === 0 && base === 0 && units === 0) return [];
  return [
    {
      // Written only from `Account`.
      account: row.account as Account,
      ...fieldsOf(row),
      line: row.line_id,
      product: row.product_id,
      sku: row.sku,
      category: row.category_id,
      amount,
      base,
      units,
    },
  ];
}

export interface EventRow {
  kind: BookEvent;
  source: string;
  at: number;
  bookedAt: number;
  order: string | null;
  store: string | null;
  currency: string;
  actor: string | null;
  /** As `NewEvent` has it. */
  tipTaker?: string | null;
  isRebuilt: boolean;
  note?: string | null;
  entries: readonly Entry[];
}

const entryColumns = [
  'event_id',
  'kind',
  'source',
  'at',
  'booked_at',
  'order_id',
  'store_id',
  'currency',
  'actor',
  'rebuilt',
  'note',
  'no',
  'account',
  'line_id',
  'product_id',
  'sku',
  'category_id',
  'amount_cents',
  'base_cents',
  'units',
  ...entryFields.map(columnOf),
];

/** Events of one moment are read in the order in which they are given. @throws {Error} if the entries of one do not sum to zero */
export async function insertEvents(db: Database, trx: Trx, events: readonly EventRow[]): Promise<void> {
  const ids = events.map(() => randomUUID()).sort();
  const rows = events.flatMap((event, index) => {
    const id = ids[index] ?? '';
    const sum = event.entries.reduce((total, { amount }) => total + amount, 0);
    if (sum !== 0) throw new Error(`The entries of a ${event.kind} sum to ${sum}`);
    const {
      kind,
      source,
      at,
      bookedAt,
      order,
      store,
      currency,
      isRebuilt,
      note = null,
      tipTaker = event.actor,
    } = event;
    return event.entries.map((entry, no) => {
      const { account, line, product, sku, category, amount, base, units } = entry;
      const actor = account === 'money' && entry.part === 'tip' ? tipTaker : event.actor;
      return [
        id,
        kind,
        source,
        at,
        bookedAt,
        order,
        store,
        currency,
        actor,
        isRebuilt ? 1 : 0,
        note,
        no,
        account,
        line,
        product,
        sku,
        category,
        amount,
        base,
        units,
        ...entryFields.map((field) => entry[field]),
      ];
    });
  });
  await insertMany(db, trx, { into: 'ledger_entries', columns: entryColumns, rows });
}

/** The end of the last closed period, epoch ms; 0 if none is. */
export async function closedUntil(reader: Reader): Promise<number> {
  // With a parameter it is prepared.
  const { rows } = await sql<{ at: number | null }>`select max(to_at) as at from ledger_periods
    where reopened_at is null and to_at > ${0}`.execute(reader);
  return Number(rows[0]?.at ?? 0);
}
