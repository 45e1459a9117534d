import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Trx } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { loadTaxonomy } from '../taxonomy/taxonomy.repository.ts';
import { priceRanges } from './listing.ts';
import type { WriteContext } from './product-writer.ts';

export interface CatalogueWriteDeps {
  db: Database;
  now: () => number;
  media: MediaService;
  settings: Pick<SettingsService, 'read'>;
}

/** Writers wait for each other, so that changes of lists become visible in the order of their revisions. */
export async function changeCatalogueIn<T>(
  { db, now, media, settings }: CatalogueWriteDeps,
  trx: Trx,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> {
  await lockCatalogue(db, trx);
  const touched = new Set<string>();
  const taxonomy = await loadTaxonomy(trx, media);
  const prices = priceRanges(await settings.read(trx));
  const result = await work({ db, trx, now, media, taxonomy, prices, touched });
  await recordCatalogueChange(trx, touched);
  return result;
}

/** Take it after the rows of `stock`, which sales lock first. */
export function lockCatalogue(db: Database, trx: Trx): Promise<void> {
  return db.queries.lock(trx, 'catalogue');
}
