/**
 * The catalogue version, which caches of public responses use as part of their key (design: a change is visible on the next
 * request).
 */
import type { Database, Trx } from './database.ts';

/** Call it in every transaction that changes catalogue or content. */
export async function bumpCatalogueVersion(trx: Trx): Promise<void> {
  await trx
    .updateTable('catalogue_version')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', 1)
    .execute();
}

/**
 * The current version or a later one, read where catalogue reads go: on a replica that lags behind, data and version lag
 * together. Read it before the data it describes.
 */
export function readCatalogueVersion(db: Database): number | Promise<number> {
  return db.catalogueVersion();
}
