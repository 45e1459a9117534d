/** Work in pieces, with a row for each thing that is done. */
import type { Insertable, Selectable, Updateable } from 'kysely';
import { insertMany } from '#db/bulk-writes.ts';
import type { BulkChangeRowsTable, BulkChangesTable } from '#db/change-tables.ts';
import type { Database, Reader, Trx } from '#db/database.ts';

export type BulkChangeRow = Selectable<BulkChangesTable>;
export type BulkRow = Selectable<BulkChangeRowsTable>;
export type NewBulkRow = Pick<BulkRow, 'no' | 'subject'> & Partial<BulkRow>;

export const addBulkChange = (trx: Trx, row: Insertable<BulkChangesTable>) =>
  trx.insertInto('bulk_changes').values(row).execute();

export const bulkChangeById = (reader: Reader, id: string): Promise<BulkChangeRow | undefined> =>
  reader.selectFrom('bulk_changes').selectAll().where('id', '=', id).executeTakeFirst();

/** Newest first; of the same moment, by their ids, so that the first is the same one for everybody. */
export const latestBulkChanges = (
  reader: Reader,
  kinds: readonly string[],
  most: number,
): Promise<BulkChangeRow[]> =>
  reader
    .selectFrom('bulk_changes')
    .selectAll()
    .where('kind', 'in', kinds)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();

/** Whether the latest is another one than somebody had seen; null: they had seen none. */
export async function isBulkChangeSince(reader: Reader, kind: string, seen: string | null): Promise<boolean> {
  const [latest] = await latestBulkChanges(reader, [kind], 1);
  return (latest?.id ?? null) !== seen;
}

interface Claim {
  states: readonly string[];
  owner: string;
  now: number;
  until: number;
}

/** The oldest that is not finished and that no other process works on: it belongs to this one until then. */
export async function claimBulkChange(
  trx: Trx,
  { states, owner, now, until }: Claim,
): Promise<BulkChangeRow | undefined> {
  const next = await trx
    .selectFrom('bulk_changes')
    .select('id')
    .where('state', 'in', states)
    .where((eb) => eb.or([eb('owner', '=', owner), eb('owned_until', '<=', now)]))
    .orderBy('started_at')
    .limit(1)
    .executeTakeFirst();
  if (!next) return undefined;
  return trx
    .updateTable('bulk_changes')
    .set({ owner, owned_until: until })
    .where('id', '=', next.id)
    .where((eb) => eb.or([eb('owner', '=', owner), eb('owned_until', '<=', now)]))
    .returningAll()
    .executeTakeFirst();
}

export async function isAnyDue(reader: Reader, states: readonly string[]): Promise<boolean> {
  const row = await reader
    .selectFrom('bulk_changes')
    .select('id')
    .where('state', 'in', states)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** `from`: only out of these states. Returns whether it was in one. */
export async function moveBulkChange(
  trx: Trx,
  id: string,
  to: Updateable<BulkChangesTable>,
  from?: readonly string[],
): Promise<boolean> {
  const moved = await trx
    .updateTable('bulk_changes')
    .set(to)
    .where('id', '=', id)
    .$if(from !== undefined, (query) => query.where('state', 'in', from ?? []))
    .returning('id')
    .executeTakeFirst();
  return moved !== undefined;
}

const columns = ['change_id', 'no', 'subject', 'fields', 'problem', 'plan', 'outcome', 'undo'] as const;

/** What is left out stays as it was. */
export async function putBulkRows(
  db: Database,
  trx: Trx,
  id: string,
  rows: readonly NewBulkRow[],
): Promise<void> {
  const values = rows.map((row) => ({
    fields: '',
    problem: null,
    plan: null,
    outcome: null,
    undo: null,
    ...row,
    change_id: id,
  }));
  const kept = (column: string) => `${column} = coalesce(excluded.${column}, bulk_change_rows.${column})`;
  await insertMany(db, trx, {
    into: 'bulk_change_rows',
    columns,
    rows: values.map((row) => columns.map((column) => row[column])),
    suffix: `on conflict (change_id, no) do update set fields = case when excluded.fields = '' then bulk_change_rows.fields else excluded.fields end,
      ${['problem', 'plan', 'outcome', 'undo'].map(kept).join(', ')}`,
  });
}

export const dropBulkRows = (trx: Trx, id: string, most: number) =>
  trx
    .deleteFrom('bulk_change_rows')
    .where('change_id', '=', id)
    .where('no', 'in', (eb) =>
      eb.selectFrom('bulk_change_rows').select('no').where('change_id', '=', id).orderBy('no').limit(most),
    )
    .returning('no')
    .execute();

interface Found {
  below: number | null;
  most: number;
  outcomes?: readonly string[] | undefined;
}

/** The next below a number. */
export function bulkRowsBelow(
  reader: Reader,
  id: string,
  { below, most, outcomes }: Found,
): Promise<BulkRow[]> {
  return reader
    .selectFrom('bulk_change_rows')
    .selectAll()
    .where('change_id', '=', id)
    .$if(below !== null, (query) => query.where('no', '<', below ?? 0))
    .$if(outcomes !== undefined, (query) => query.where('outcome', 'in', outcomes ?? []))
    .orderBy('no', 'desc')
    .limit(most)
    .execute();
}

export const bulkProblems = (reader: Reader, id: string, most: number) =>
  reader
    .selectFrom('bulk_change_rows')
    .select(['subject', 'problem'])
    .where('change_id', '=', id)
    .where('problem', 'is not', null)
    .orderBy('no', 'desc')
    .limit(most)
    .execute();

/** How many rows have each outcome. */
export const bulkOutcomes = (reader: Reader, id: string) =>
  reader
    .selectFrom('bulk_change_rows')
    .select((eb) => ['outcome', eb.fn.countAll<number>().as('count')])
    .where('change_id', '=', id)
    .groupBy('outcome')
    .execute();
