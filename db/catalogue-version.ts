/** The number that caches of public answers key on (design: a change is visible on the next request). */
import type { Database, Trx } from './database.ts';

/** To be called in every transaction that changes catalogue or content. */
export async function bumpCatalogueVersion(trx: Trx): Promise<void> {
  await trx
    .updateTable('catalogue_version')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', 1)
    .execute();
}

/**
 * The version as of now or later, from where catalogue reads go: on a replica that lags behind, data
 * and version lag together. Read it before the data it is to describe.
 */
export function readCatalogueVersion(db: Database): number | Promise<number> {
  return db.catalogueVersion();
}
