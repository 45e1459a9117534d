/** Queries the periods of the books, and what the entries of a span sum to. */
import { sql } from 'kysely';
import type { FiledSum } from '#contract/staff/closing.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { LedgerPeriodsTable } from '#db/ledger-tables.ts';
import { fieldColumns, fieldsOf, selectedFields } from '#server/modules/ledger/index.ts';

/** Closing a period and entries under way wait for each other: on PostgreSQL a trigger on the entries takes this lock too. */
export const lockClosing = (db: Pick<Database, 'queries'>, trx: Trx): Promise<void> =>
  db.queries.lock(trx, 'closing the books');

export interface Span {
  /** Epoch ms: `from` included, `to` not. */
  from: number;
  to: number;
}

/** The newest first. */
export const allPeriods = (reader: Reader) =>
  reader
    .selectFrom('ledger_periods')
    .selectAll()
    .orderBy('closed_at', 'desc')
    .orderBy('to_at', 'desc')
    .execute();

export const periodOf = (reader: Reader, id: string) =>
  reader.selectFrom('ledger_periods').selectAll().where('id', '=', id).executeTakeFirst();

export const lastClosed = (reader: Reader) =>
  reader
    .selectFrom('ledger_periods')
    .selectAll()
    .where('reopened_at', 'is', null)
    .orderBy('to_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** When the books begin, epoch ms; null while they are empty. */
export async function firstBooked(reader: Reader): Promise<number | null> {
  const { at } = await reader
    .selectFrom('ledger_entries')
    .select(({ fn }) => fn.min<number | null>('booked_at').as('at'))
    .executeTakeFirstOrThrow();
  return at === null ? null : Number(at);
}

export async function insertPeriod(
  trx: Trx,
  row: { [K in keyof LedgerPeriodsTable]: string | number | null },
): Promise<void> {
  await trx
    .insertInto('ledger_periods')
    .values(row as never)
    .execute();
}

export async function reopen(
  trx: Trx,
  id: string,
  { at, by, why }: { at: number; by: string; why: string },
): Promise<void> {
  await trx
    .updateTable('ledger_periods')
    .set({ reopened_at: at, reopened_by: by, reopened_why: why })
    .where('id', '=', id)
    .execute();
}

/** Entries are never deleted: as many as before are the same ones. */
export async function countIn(reader: Reader, { from, to }: Span): Promise<number> {
  const { count } = await reader
    .selectFrom('ledger_entries')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('booked_at', '>=', from)
    .where('booked_at', '<', to)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function sumsIn(reader: Reader, { from, to }: Span): Promise<FiledSum[]> {
  const { rows } =
    await sql<FiledSum>`select currency, store_id as store, account, ${sql.raw(selectedFields)},
    sum(amount_cents) as amount, sum(base_cents) as base, sum(units) as units from ledger_entries
    where booked_at >= ${from} and booked_at < ${to} group by currency, store_id, account, ${sql.raw(fieldColumns)}`.execute(
      reader,
    );
  return rows.map((row) => ({
    currency: row.currency,
    store: row.store,
    account: row.account,
    ...fieldsOf(row),
    amount: Number(row.amount),
    base: Number(row.base),
    units: Number(row.units),
  }));
}

/** Ids of events whose entries do not sum to zero: something other than the shop has written them. */
export async function unbalancedEvents(reader: Reader, most: number): Promise<string[]> {
  const { rows } = await sql<{ event_id: string }>`select event_id from ledger_entries
    group by booked_at, event_id having sum(amount_cents) <> 0 order by booked_at, event_id limit ${most}`.execute(
    reader,
  );
  return rows.map(({ event_id }) => event_id);
}
