/** Small things kept in memory for as long as the catalogue version stands: no timers, nothing to empty. */
import type { Database } from '#db/database.ts';

/**
 * Makes a reader of `load` that loads once for each catalogue version. The version is read first, so
 * that what is kept for it is never older.
 */
export function cachedByCatalogueVersion<T>(db: Database, load: () => Promise<T>): () => Promise<T> {
  let kept: { version: number; value: Promise<T> } | null = null;
  return async () => {
    const version = await db.catalogueVersion();
    if (kept?.version === version) return kept.value;
    const value = load();
    const mine = { version, value };
    kept = mine;
    // A failure is not kept.
    value.catch(() => {
      if (kept === mine) kept = null;
    });
    return value;
  };
}
