import type { Selectable } from 'kysely';
import type { ExternalSourcesTable } from '#db/content-tables.ts';
import type { Reader, Trx } from '#db/database.ts';

export type SourceRow = Selectable<ExternalSourcesTable>;

export async function sourcesByKey(db: Reader, keys: readonly string[]): Promise<SourceRow[]> {
  if (keys.length === 0) return [];
  return await db.selectFrom('external_sources').selectAll().where('key', 'in', keys).execute();
}

/** Claims a source that is due, until `until`. Returns null if it is not due or another process has claimed it. */
export async function claimSource(
  trx: Trx,
  key: string,
  now: number,
  until: number,
): Promise<SourceRow | null> {
  await trx
    .insertInto('external_sources')
    .values({ key, value: null, validators: '{}', due_at: 0, good_at: null, failures: 0, problem: null })
    .onConflict((c) => c.doNothing())
    .execute();
  const row = await trx
    .updateTable('external_sources')
    .set({ due_at: until })
    .where('key', '=', key)
    .where('due_at', '<=', now)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function updateSource(
  trx: Trx,
  key: string,
  change: Partial<Omit<SourceRow, 'key'>>,
): Promise<void> {
  await trx.updateTable('external_sources').set(change).where('key', '=', key).execute();
}

export async function deleteSource(trx: Trx, key: string): Promise<void> {
  await trx.deleteFrom('external_sources').where('key', '=', key).execute();
}

export async function sourceKeys(db: Reader, prefix: string): Promise<string[]> {
  const rows = await db.selectFrom('external_sources').select('key').execute();
  return rows.map(({ key }) => key).filter((key) => key.startsWith(prefix));
}
