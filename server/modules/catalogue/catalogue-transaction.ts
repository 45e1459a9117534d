/** Runs one change of the catalogue as a transaction, visible on the next request. */
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Trx } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { lockCatalogue } from './catalogue-lock.ts';
import type { WriteContext } from './product-writer.ts';
import { insertScope } from './taxonomy.repository.ts';
import { loadTaxonomy, scopeNames, type Taxonomy } from './taxonomy.ts';

export interface CatalogueWriteDeps {
  db: Database;
  now: () => number;
  media: MediaService;
}

/**
 * Runs `work` alone: writers wait for each other, so that no count or order is computed from data that another one is changing.
 */
export type ChangeCatalogue = <T>(work: (context: WriteContext) => Promise<T>) => Promise<T>;

const baseScopes = [scopeNames.all, scopeNames.sale, scopeNames.clearance, scopeNames.new];

export function createCatalogueTransaction(deps: CatalogueWriteDeps): ChangeCatalogue {
  return (work) => deps.db.transaction((trx) => changeCatalogueIn(deps, trx, work));
}

/** Runs one change of the catalogue as a part of the caller's transaction. */
export async function changeCatalogueIn<T>(
  { db, now, media }: CatalogueWriteDeps,
  trx: Trx,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> {
  await lockCatalogue(db, trx);
  const touched = new Set<string>();
  const taxonomy = await taxonomyWithScopes(trx, media, baseScopes);
  const result = await work({ db, trx, now, media, taxonomy, touched });
  await recordCatalogueChange(trx, touched);
  return result;
}

/** The taxonomy as of `trx`, after adding the scopes of `names` that are missing. */
export async function taxonomyWithScopes(trx: Trx, media: MediaService, names: readonly string[]): Promise<Taxonomy> {
  const taxonomy = await loadTaxonomy(trx, media);
  const missing = names.filter((name) => !taxonomy.scopes.has(name));
  for (const name of missing) await insertScope(trx, name);
  return missing.length > 0 ? await loadTaxonomy(trx, media) : taxonomy;
}
