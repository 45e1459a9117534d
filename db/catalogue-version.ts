/** Every change of catalogue or content increments it, and caches read it on the path of a request. */
import type { Trx } from './database.ts';

/** The topic of a change that may touch anything. */
export const everything = '*';

/** Changes that touch more are recorded as `everything`. */
const mostTopics = 300;
/** A process may be so far behind without dropping all that it has cached. */
const keptChanges = 1000;

/** Call it in every transaction that changes what catalogue or content show. No `topics`: nobody can see the change. */
export async function recordCatalogueChange(trx: Trx, topics: Iterable<string>): Promise<void> {
  const named = [...new Set(topics)];
  if (named.length === 0) return;
  // The row is locked until the transaction ends, so versions become visible in their order.
  const { version } = await trx
    .updateTable('catalogue_version')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', 1)
    .returning('version')
    .executeTakeFirstOrThrow();
  const stored = JSON.stringify(named.length > mostTopics ? [everything] : named);
  await trx.insertInto('catalogue_changes').values({ version, topics: stored }).execute();
  if (version % 100 === 0)
    await trx
      .deleteFrom('catalogue_changes')
      .where('version', '<=', version - keptChanges)
      .execute();
}

/** It may touch anything. */
export async function bumpCatalogueVersion(trx: Trx): Promise<void> {
  await recordCatalogueChange(trx, [everything]);
}
