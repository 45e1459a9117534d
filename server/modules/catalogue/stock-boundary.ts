/** What a sale changes in the catalogue: nothing, unless something sells out or comes back. */
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import type { Database, Trx } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { recordIn, searchEntry } from './index-products.ts';
import { sortColumns } from './listing-record.ts';
import { keyOf, quantityOf } from './product.ts';
import { loadProducts } from './product-loader.repository.ts';
import { setSoldOut } from './products.repository.ts';
import { loadTaxonomy } from './taxonomy.ts';

/**
 * To be called, in the transaction that changed their stock, with SKUs that passed between some and
 * none at a place. Moves products that are sold out now, or no longer, to their place in lists and
 * search, and makes the change visible everywhere.
 */
export async function stockCrossed(db: Database, media: MediaService, trx: Trx, skus: readonly string[]): Promise<void> {
  if (skus.length === 0) return;
  const nos = await trx
    .selectFrom('skus')
    .innerJoin('products', 'products.id', 'skus.product_id')
    .select('products.no')
    .distinct()
    .where('skus.id', 'in', skus)
    .orderBy('products.no')
    .execute();
  for (const stored of await loadProducts(
    trx,
    nos.map(({ no }) => no),
  )) {
    const { facts } = stored;
    const quantity = quantityOf(facts);
    const soldOut = quantity === 0;
    await trx.updateTable('product_cards').set({ quantity }).where('product_no', '=', facts.no).execute();
    if (soldOut === facts.soldOut) continue;
    facts.soldOut = soldOut;
    await setSoldOut(db, trx, [facts]);
    const record = recordIn(stored);
    if (!record) continue;
    const moved = { ...record, key: keyOf(facts) };
    await trx
      .updateTable('listings')
      .set({ key: moved.key })
      .where('scope_id', 'in', record.scopes)
      .where('sort', '=', sortColumns.default)
      .where('key', '=', record.key)
      .where('product_no', '=', facts.no)
      .execute();
    await db.queries.search.remove(trx, [record.key]);
    await db.queries.search.put(trx, [searchEntry(facts, await loadTaxonomy(trx, media), moved).document]);
    await trx
      .updateTable('products')
      .set({ listing: JSON.stringify(moved) })
      .where('no', '=', facts.no)
      .execute();
  }
  await bumpCatalogueVersion(trx);
}
