/** Runs one change of the catalogue as a transaction, visible on the next request. */
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Trx } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { lockCatalogue } from './catalogue-lock.ts';
import { fixedFilterScopes, priceRanges } from './filter-scopes.ts';
import type { WriteContext } from './product-writer.ts';
import { taxonomyWithScopes } from './scopes.ts';
import { scopeNames } from './taxonomy.ts';

export interface CatalogueWriteDeps {
  db: Database;
  now: () => number;
  media: MediaService;
  settings: Pick<SettingsService, 'read'>;
}

/**
 * Runs `work` alone: writers wait for each other, so that no count or order is computed from data that another one is changing.
 */
export type ChangeCatalogue = <T>(work: (context: WriteContext) => Promise<T>) => Promise<T>;

const baseScopes = [scopeNames.all, scopeNames.sale, scopeNames.clearance, scopeNames.new, ...fixedFilterScopes];

export function createCatalogueTransaction(deps: CatalogueWriteDeps): ChangeCatalogue {
  return (work) => deps.db.transaction((trx) => changeCatalogueIn(deps, trx, work));
}

/** Runs one change of the catalogue as a part of the caller's transaction. */
export async function changeCatalogueIn<T>(
  { db, now, media, settings }: CatalogueWriteDeps,
  trx: Trx,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> {
  await lockCatalogue(db, trx);
  const touched = new Set<string>();
  const found = await taxonomyWithScopes(trx, media, baseScopes);
  // A catalogue that was filled under other price ranges keeps them until it is reindexed.
  const taxonomy =
    found.priceRanges.length > 0
      ? found
      : await taxonomyWithScopes(trx, media, priceRanges(await settings.read(trx)).map(scopeNames.price));
  const result = await work({ db, trx, now, media, taxonomy, touched });
  await recordCatalogueChange(trx, touched);
  return result;
}
