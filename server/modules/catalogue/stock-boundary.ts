/** Updates the catalogue when a product sells out or comes back; other sales change nothing. */
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import type { Database, Trx } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { recordIn, searchEntry } from './index-products.ts';
import { sortColumns } from './listing-record.ts';
import { setCardQuantity, setListingRecords, updateSortKey } from './listings.repository.ts';
import { keyOf, quantityOf } from './product.ts';
import { loadProducts } from './product-loader.repository.ts';
import { productNosOfSkus, setSoldOut } from './products.repository.ts';
import { loadTaxonomy } from './taxonomy.ts';

/**
 * Call it in the transaction that changed their stock, with SKUs that passed between some and no units at a location. Moves
 * products that became sold out, or available again, in lists and search, and makes the change visible everywhere.
 */
export async function stockCrossed(db: Database, media: MediaService, trx: Trx, skus: readonly string[]): Promise<void> {
  if (skus.length === 0) return;
  for (const stored of await loadProducts(trx, await productNosOfSkus(trx, skus))) {
    const { facts } = stored;
    const quantity = quantityOf(facts);
    const soldOut = quantity === 0;
    await setCardQuantity(trx, facts.no, quantity);
    if (soldOut === facts.soldOut) continue;
    facts.soldOut = soldOut;
    await setSoldOut(db, trx, [facts]);
    const record = recordIn(stored);
    if (!record) continue;
    const moved = { ...record, key: keyOf(facts) };
    await updateSortKey(trx, facts.no, { scopes: record.scopes, sort: sortColumns.default, from: record.key, to: moved.key });
    await db.queries.search.remove(trx, [record.key]);
    await db.queries.search.put(trx, [searchEntry(facts, await loadTaxonomy(trx, media), moved).document]);
    await setListingRecords(db, trx, [[facts.no, JSON.stringify(moved)]]);
  }
  await bumpCatalogueVersion(trx);
}
