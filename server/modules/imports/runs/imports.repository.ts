/** Files that were sent to be imported. What becomes of the things in them is in the rows of their bulk change. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { BulkChangesTable, ImportsTable } from '#db/change-tables.ts';
import type { Reader, Trx } from '#db/database.ts';

export type ImportRow = Selectable<ImportsTable> &
  Pick<Selectable<BulkChangesTable>, 'state' | 'total' | 'done' | 'started_at' | 'actor'>;

export const addImport = (trx: Trx, row: Insertable<ImportsTable>) =>
  trx.insertInto('imports').values(row).execute();

const withState = (reader: Reader) =>
  reader
    .selectFrom('imports')
    .innerJoin('bulk_changes', 'bulk_changes.id', 'imports.id')
    .selectAll('imports')
    .select([
      'bulk_changes.state',
      'bulk_changes.total',
      'bulk_changes.done',
      'bulk_changes.started_at',
      'bulk_changes.actor',
    ]);

export const importById = (reader: Reader, id: string): Promise<ImportRow | undefined> =>
  withState(reader).where('imports.id', '=', id).executeTakeFirst();

export const latestImports = (reader: Reader, most: number): Promise<ImportRow[]> =>
  withState(reader).orderBy('uploaded_at', 'desc').limit(most).execute();

/** The last that was applied of the files with this header, and not taken back. */
export const importLike = (reader: Reader, fingerprint: string): Promise<ImportRow | undefined> =>
  withState(reader)
    .where('fingerprint', '=', fingerprint)
    .where('made', 'is not', null)
    .where('bulk_changes.state', 'not in', ['takingBack', 'clearing'])
    .orderBy('uploaded_at', 'desc')
    .limit(1)
    .executeTakeFirst();

export async function setImport(trx: Trx, id: string, to: Updateable<ImportsTable>): Promise<void> {
  await trx.updateTable('imports').set(to).where('id', '=', id).execute();
}

export const importsBefore = (reader: Reader, at: number): Promise<ImportRow[]> =>
  withState(reader)
    .where('uploaded_at', '<', at)
    .where('bulk_changes.state', '!=', 'expired')
    .limit(20)
    .execute();

/** States in which nothing of the file is needed any more. */
const over = ['stopped', 'expired'];

/** The files that somebody sent since a time, by their hashes; `actor` as columns keep it. */
export async function hashesOf(reader: Reader, actor: string, since: number): Promise<string[]> {
  const rows = await withState(reader)
    .where('bulk_changes.actor', '=', actor)
    .where('uploaded_at', '>=', since)
    .where('bulk_changes.state', 'not in', over)
    .execute();
  return rows.map(({ hash }) => hash);
}

/** By an import since then that is not over. */
export const isHashUsed = async (reader: Reader, hash: string, since: number): Promise<boolean> =>
  (await reader
    .selectFrom('imports')
    .innerJoin('bulk_changes', 'bulk_changes.id', 'imports.id')
    .select('imports.id')
    .where('bulk_changes.state', 'not in', over)
    .where('hash', '=', hash)
    .where('uploaded_at', '>=', since)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** What files of some kinds say of a person, by the key of their email, which is in the plan of each row. */
export function rowsAbout(reader: Reader, kinds: readonly string[], key: string) {
  const pattern = `%"key":${JSON.stringify(key).replaceAll(/[!%_]/g, '!$&')}%`;
  return reader
    .selectFrom('imports')
    .innerJoin('bulk_change_rows as row', 'row.change_id', 'imports.id')
    .select(['row.change_id', 'row.no', 'row.plan', 'imports.hash', 'imports.about', 'imports.uploaded_at'])
    .where('imports.kind', 'in', kinds)
    .where(sql<boolean>`row.plan like ${pattern} escape '!'`)
    .execute();
}

export async function dropRowAbout(trx: Trx, id: string, no: number): Promise<void> {
  await trx.deleteFrom('bulk_change_rows').where('change_id', '=', id).where('no', '=', no).execute();
}
