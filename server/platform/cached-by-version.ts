/** Caches small values in memory for as long as the catalogue version does not change. No timers, no eviction. */
import type { Database } from '#db/database.ts';

/**
 * Returns a reader that calls `load` once per catalogue version. The version is read first, so a cached value is never older than
 * its version.
 */
export function cachedByCatalogueVersion<T>(db: Database, load: () => Promise<T>): () => Promise<T> {
  let kept: { version: number; value: Promise<T> } | null = null;
  return async () => {
    const version = await db.catalogueVersion();
    if (kept?.version === version) return kept.value;
    const value = load();
    const mine = { version, value };
    kept = mine;
    // Failures are not cached.
    value.catch(() => {
      if (kept === mine) kept = null;
    });
    return value;
  };
}
