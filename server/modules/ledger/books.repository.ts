/** Sums the books for reports, lists what a figure sums, and what orders owe. Each query reads a few days, so that none holds the thread for long. */
import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { warehouse } from '#contract/limits.ts';
import type { LocalText } from '#contract/locales.ts';
import {
  type Account,
  accounts,
  accountsIn,
  type BookEvent,
  type CountedEvent,
  countedEvents,
  type EntryFields,
  eventsIn,
  fieldLists,
  reportSign,
} from '#contract/staff/accounts-of-books.ts';
import type { BookGroup } from '#contract/staff/book-figures.ts';
import type { BooksFilter } from '#contract/staff/books.ts';
import type { Reader } from '#db/database.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { billSource } from './entries.ts';
import { columnOf, fieldColumns, noFields, selectedFields } from './entry-columns.ts';

/** What is read at once. */
const stepMs = 7 * dayMs;

export interface BooksSpan {
  /** Epoch ms; included. */
  from: number;
  /** Not included. */
  to: number;
  /** Only what is of these stores; null for all. */
  stores: ReadonlySet<string> | null;
  /** Only what is of this one, or of none. */
  store?: string | undefined;
}

/** Hours and weekdays are told from it: a quarter of an hour is in one of them in every time zone. */
export const quarterMs = 15 * 60_000;

const groupColumns: Readonly<Record<BookGroup, string>> = {
  product: "coalesce(product_id, '')",
  category: "coalesce(category_id, '')",
  hour: `at / ${quarterMs}`,
  weekday: `at / ${quarterMs}`,
};

export interface SummedRow extends EntryFields {
  grouped: string | number;
  store: string | null;
  currency: string;
  kind: BookEvent;
  account: Account;
  actor: string | null;
  amount: number | string;
  base: number | string;
  units: number | string;
}

/** In a report of their own. */
export const elsewhere = sql.join(accountsIn('elsewhere'));

/** What was booked, in pieces: by what each entry says, or by a group alone. What buyers owe, and the goods, are no part of a report. */
export async function* sumsIn(
  reader: Reader,
  span: BooksSpan,
  by: BookGroup | null,
): AsyncGenerator<SummedRow[]> {
  const group = sql.raw(by === null ? "''" : groupColumns[by]);
  const shown = sql.raw(by === null ? `${selectedFields}, actor` : `${noFields}, null as actor`);
  const keys = sql.raw(
    [
      'store_id',
      'currency',
      'kind',
      'account',
      ...(by === null ? [fieldColumns, 'actor'] : [groupColumns[by]]),
    ].join(', '),
  );
  for await (const [from, to] of steps(span)) {
    const { rows } =
      await sql<SummedRow>`select ${group} as grouped, store_id as store, currency, kind, account, ${shown},
      sum(amount_cents) as amount, sum(base_cents) as base, sum(units) as units from ledger_entries
      where ${within(span, from, to)} and account not in (${elsewhere}) group by ${keys}`.execute(reader);
    yield rows;
  }
}

export interface CountedRow {
  store: string | null;
  currency: string;
  kind: CountedEvent;
  count: number | string;
}

/** Orders that were placed, cancelled and lapsed. */
export async function* countsIn(reader: Reader, span: BooksSpan): AsyncGenerator<CountedRow[]> {
  for await (const [from, to] of steps(span)) yield await countedAtOnce(reader, { ...span, from, to });
}

/** The same in one query, for a span that is no longer than a step of a report. */
export async function countedAtOnce(reader: Reader, span: BooksSpan): Promise<CountedRow[]> {
  const { rows } =
    await sql<CountedRow>`select store_id as store, currency, kind, count(*) as count from ledger_entries
    where ${within(span, span.from, span.to)} and no = 0 and kind in (${sql.join(countedEvents)}) and source = ${billSource}
    group by store_id, currency, kind`.execute(reader);
  return rows;
}

export interface EventSum {
  id: string;
  at: number;
  booked_at: number;
  kind: BookEvent;
  order_id: string | null;
  store: string | null;
  rebuilt: number;
  amount: number | string;
  base: number | string;
}

export interface EventsWanted extends BooksSpan {
  currency: string;
  filter: BooksFilter;
  after: { bookedAt: number; id: string } | null;
  most: number;
}

const signed = sql.raw(
  `case when account in (${accounts
    .filter((account) => reportSign(account) === -1)
    .map((account) => `'${account}'`)
    .join(', ')}) then 0 - amount_cents else amount_cents end`,
);

/** Events with entries that a filter asks for, in the order of the books, in pieces of at most `most`. Hours and weekdays are not asked for here. */
export async function* eventsOfFigure(reader: Reader, wanted: EventsWanted): AsyncGenerator<EventSum[]> {
  let { after } = wanted;
  for await (const [from, to] of steps({ ...wanted, from: Math.max(wanted.from, after?.bookedAt ?? 0) })) {
    for (;;) {
      const beyond = after
        ? sql`and (booked_at > ${after.bookedAt} or (booked_at = ${after.bookedAt} and event_id > ${after.id}))`
        : sql``;
      const { rows }: { rows: EventSum[] } =
        await sql<EventSum>`select event_id as id, min(at) as at, booked_at, kind, order_id,
        store_id as store, max(rebuilt) as rebuilt, sum(${signed}) as amount, sum(base_cents) as base from ledger_entries
        where ${within(wanted, from, to)} ${beyond} and currency = ${wanted.currency} ${asked(wanted.filter)}
        group by booked_at, event_id, kind, order_id, store_id order by booked_at, event_id limit ${wanted.most}`.execute(
          reader,
        );
      yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < wanted.most) break;
      after = { bookedAt: Number(last.booked_at), id: last.id };
    }
  }
}

type FieldColumns = Record<keyof typeof fieldLists, string>;

function asked({ group, movements, ...lists }: BooksFilter): RawBuilder<unknown> {
  const columns = {
    ...(Object.fromEntries(
      Object.entries(fieldLists).map(([list, field]) => [list, columnOf(field)]),
    ) as FieldColumns),
    accounts: 'account',
    persons: "coalesce(actor, '')",
  } as const satisfies Record<keyof typeof lists, string>;
  const conditions = (Object.keys(columns) as (keyof typeof columns)[]).flatMap((name) => {
    const values: readonly (string | number)[] | undefined = lists[name];
    return values === undefined ? [] : [sql`and ${sql.raw(columns[name])} in (${sql.join([...values])})`];
  });
  if (movements) conditions.push(sql`and kind in (${sql.join(eventsIn(movements))})`);
  if (group?.by === 'product' || group?.by === 'category')
    conditions.push(sql`and ${sql.raw(groupColumns[group.by])} = ${group.key}`);
  return sql.join(conditions, sql` `);
}

export interface OwedRow {
  order_id: string;
  store: string | null;
  currency: string;
  amount: number | string;
}

/** What each order owed of what was booked in each step until `to`, oldest first; those that owe nothing of it are left out. */
export async function* owedIn(reader: Reader, span: Omit<BooksSpan, 'from'>): AsyncGenerator<OwedRow[]> {
  const first = await reader
    .selectFrom('ledger_entries')
    .select(({ fn }) => fn.min<number | null>('booked_at').as('at'))
    .executeTakeFirst();
  if (first?.at === null || first?.at === undefined) return;
  for await (const [from, to] of steps({ ...span, from: Number(first.at) })) {
    const { rows } =
      await sql<OwedRow>`select order_id, store_id as store, currency, sum(amount_cents) as amount from ledger_entries
      where ${within(span, from, to)} and account = 'receivable' and order_id is not null
      group by order_id, store_id, currency having sum(amount_cents) <> 0`.execute(reader);
    yield rows;
  }
}

/** What was booked of what these orders owe, before `to`, oldest first. */
export async function owedEntries(reader: Reader, orders: readonly string[], to: number) {
  return reader
    .selectFrom('ledger_entries')
    .select(['order_id', 'booked_at', 'amount_cents'])
    .where('order_id', 'in', orders)
    .where('account', '=', 'receivable')
    .where('booked_at', '<', to)
    .orderBy('booked_at')
    .orderBy('event_id')
    .execute();
}

/** The numbers of orders, by their ids. */
export async function numbersOf(reader: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .selectFrom('orders')
    .select(['id', 'order_number'])
    .where('id', 'in', ids)
    .execute();
  return new Map(
    rows.flatMap(({ id, order_number }) => (order_number === null ? [] : [[id, order_number] as const])),
  );
}

/** The names of products, or of categories, by their ids; those that are gone have none. */
export async function namesOf(
  reader: Reader,
  of: 'products' | 'categories',
  ids: readonly string[],
): Promise<Map<string, LocalText>> {
  const names = new Map<string, LocalText>();
  for (let from = 0; from < ids.length; from += namesAtOnce) {
    const some = ids.slice(from, from + namesAtOnce);
    const rows = await reader.selectFrom(of).select(['id', 'name']).where('id', 'in', some).execute();
    for (const { id, name } of rows) names.set(id, JSON.parse(name));
  }
  return names;
}
/** In one statement: databases limit its parameters. */
const namesAtOnce = 500;

/** Others have their turn between two: SQLite answers on the thread. */
async function* steps({
  from,
  to,
}: Pick<BooksSpan, 'from' | 'to'>): AsyncGenerator<[from: number, to: number]> {
  for (let at = from; at < to; at += stepMs) {
    yield [at, Math.min(at + stepMs, to)];
    await setImmediate();
  }
}

export function within(
  { stores, store }: Omit<BooksSpan, 'from' | 'to'>,
  from: number,
  to: number,
): RawBuilder<unknown> {
  const ofStores = stores === null ? sql`` : sql`and store_id in (${sql.join([...stores, ''])})`;
  const ofOne =
    store === undefined
      ? sql``
      : store === warehouse
        ? sql`and store_id is null`
        : sql`and store_id = ${store}`;
  return sql`booked_at >= ${from} and booked_at < ${to} ${ofStores} ${ofOne}`;
}
