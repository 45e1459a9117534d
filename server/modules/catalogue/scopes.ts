/** Adds scopes that are missing, such as that of a store which has its first product. */
import type { Trx } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { StoredProduct } from './product-loader.repository.ts';
import { insertScope } from './taxonomy.repository.ts';
import { loadTaxonomy, scopeNames, type Taxonomy } from './taxonomy.ts';

/** The taxonomy as of `trx`, after adding the scopes of `names` that are missing. */
export async function taxonomyWithScopes(trx: Trx, media: MediaService, names: readonly string[]): Promise<Taxonomy> {
  const taxonomy = await loadTaxonomy(trx, media);
  const missing = names.filter((name) => !taxonomy.scopes.has(name));
  for (const name of missing) await insertScope(trx, name);
  return missing.length > 0 ? await loadTaxonomy(trx, media) : taxonomy;
}

/** `taxonomy`, or a newer one if a store that has one of the products has no scope yet. */
export async function taxonomyWithStores(
  trx: Trx,
  media: MediaService,
  taxonomy: Taxonomy,
  products: readonly StoredProduct[],
): Promise<Taxonomy> {
  const names = [...new Set(products.flatMap(({ facts }) => facts.stores.map(scopeNames.store)))];
  return names.every((name) => taxonomy.scopes.has(name)) ? taxonomy : await taxonomyWithScopes(trx, media, names);
}
