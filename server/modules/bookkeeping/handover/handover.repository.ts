/** Queries what was handed over, and the entries that files list. */
import { sql } from 'kysely';
import type { EntryFields } from '#contract/staff/accounts-of-books.ts';
import type { BookProgram } from '#contract/staff/handover.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { HandedFilesTable, HandedJournalsTable } from '#db/ledger-tables.ts';
import { fieldsOf, selectedFields } from '#server/modules/ledger/index.ts';

export const allFiles = (reader: Reader) =>
  reader
    .selectFrom('handed_files')
    .selectAll()
    .select((eb) => {
      const own = eb.selectFrom('handed_journals').whereRef('file_id', '=', 'handed_files.id');
      return [
        own.select(({ fn }) => fn.countAll().as('count')).as('journals'),
        own
          .where('corrects', '>', 0)
          .select(({ fn }) => fn.countAll().as('count'))
          .as('corrections'),
        own.select(({ fn }) => fn.min('no').as('no')).as('first'),
        own.select(({ fn }) => fn.max('no').as('no')).as('last'),
      ];
    })
    .orderBy('at', 'desc')
    .orderBy('id')
    .execute();

export const fileOf = (reader: Reader, id: string) =>
  reader.selectFrom('handed_files').selectAll().where('id', '=', id).executeTakeFirst();

export const journalsOf = (reader: Reader, file: string) =>
  reader.selectFrom('handed_journals').selectAll().where('file_id', '=', file).orderBy('no').execute();

/** The days that were handed over to a program, as the spans of its files. */
export async function handedSpans(
  reader: Reader,
  program: BookProgram,
): Promise<{ from: string; to: string }[]> {
  const rows = await reader
    .selectFrom('handed_files')
    .select(['from_day', 'to_day'])
    .where('program', '=', program)
    .where('from_day', 'is not', null)
    .orderBy('from_day')
    .execute();
  return rows.map(({ from_day: from, to_day: to }) => ({ from: from ?? '', to: to ?? '' }));
}

export const handedJournals = (reader: Reader, program: BookProgram, since: string) =>
  reader
    .selectFrom('handed_journals')
    .selectAll()
    .where('program', '=', program)
    .where('day', '>=', since)
    .orderBy('no')
    .execute();

export async function lastNumber(reader: Reader): Promise<number> {
  const row = await reader
    .selectFrom('handed_journals')
    .select(({ fn }) => fn.max<number | null>('no').as('no'))
    .executeTakeFirst();
  return Number(row?.no ?? 0);
}

export async function insertFile(
  trx: Trx,
  row: { [K in keyof HandedFilesTable]: string | number | null },
): Promise<void> {
  await trx
    .insertInto('handed_files')
    .values(row as never)
    .execute();
}

export async function insertJournals(
  trx: Trx,
  rows: readonly { [K in keyof HandedJournalsTable]: string | number }[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += 100)
    await trx
      .insertInto('handed_journals')
      .values(rows.slice(from, from + 100) as never)
      .execute();
}

export interface EntryRow extends EntryFields {
  event_id: string;
  no: number;
  kind: string;
  at: number;
  booked_at: number;
  order_number: string | null;
  store_id: string | null;
  currency: string;
  actor: string | null;
  rebuilt: number;
  account: string;
  product_id: string | null;
  sku: string | null;
  category_id: string | null;
  amount_cents: number;
  base_cents: number;
  units: number;
  note: string | null;
}

export interface EntriesAsked {
  /** Epoch ms: `from` included, `to` not. */
  from: number;
  to: number;
  /** Only of these; null for all. */
  stores: ReadonlySet<string> | null;
}

const columns =
  'event_id, no, kind, at, booked_at, e.currency, actor, rebuilt, account, product_id, sku, category_id, amount_cents, base_cents, units, note';

/** Entries in their order, after one of them; those of an event stand together. */
export async function entriesAfter(
  reader: Reader,
  { from, to, stores }: EntriesAsked,
  after: Pick<EntryRow, 'booked_at' | 'event_id' | 'no'> | null,
  most: number,
): Promise<EntryRow[]> {
  const ofStores = stores === null ? sql`` : sql`and e.store_id in (${sql.join([...stores, ''])})`;
  const start = after
    ? sql`and e.booked_at >= ${after.booked_at} and (e.booked_at > ${after.booked_at} or e.event_id > ${after.event_id}
        or (e.event_id = ${after.event_id} and e.no > ${after.no}))`
    : sql``;
  const { rows } =
    await sql<EntryRow>`select ${sql.raw(`${columns}, ${selectedFields}`)}, e.store_id, o.order_number
    from ledger_entries e left join orders o on o.id = e.order_id
    where e.booked_at >= ${from} and e.booked_at < ${to} ${ofStores} ${start}
    order by e.booked_at, e.event_id, e.no limit ${most}`.execute(reader);
  return rows.map((row) => ({
    ...row,
    ...fieldsOf(row),
    no: Number(row.no),
    at: Number(row.at),
    booked_at: Number(row.booked_at),
    amount_cents: Number(row.amount_cents),
    base_cents: Number(row.base_cents),
    units: Number(row.units),
  }));
}
