/**
 * The catalogue version, which every change of catalogue or content increments, and what each change touched. Caches read it on
 * the path of a request (design: a change is visible on the next request).
 */
import type { Trx } from './database.ts';

/** The topic of a change that may touch anything. */
export const everything = '*';

/** Changes that touch more are recorded as `everything`. */
const mostTopics = 300;
/** Changes that a process may be behind without dropping everything that it has cached. */
const keptChanges = 1000;

/**
 * Records a change in the transaction that makes it. Call it in every transaction that changes what catalogue or content show.
 * @param topics what the change touches, by the names of `server/platform/topics.ts`; none: nobody can see the change
 */
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

/** Records a change that may touch anything. */
export async function bumpCatalogueVersion(trx: Trx): Promise<void> {
  await recordCatalogueChange(trx, [everything]);
}
