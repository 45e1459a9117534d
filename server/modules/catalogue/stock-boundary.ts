/** Updates the catalogue when a product sells out or comes back; other sales change nothing. */
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Trx } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { topics } from '#server/platform/topics.ts';
import { recordIn, searchEntry } from './index-products.ts';
import { sortColumns } from './listing-record.ts';
import { setCardQuantity, setListingRecords, updateSortKey } from './listings.repository.ts';
import { keyOf, quantityOf } from './product.ts';
import { loadProducts } from './product-loader.repository.ts';
import { productNosOfSkus, setSoldOut } from './products.repository.ts';
import { loadTaxonomy } from './taxonomy.ts';

/** SKUs whose stock changed, and those of them that passed between some and no units everywhere. */
export interface StockChange {
  skus: readonly string[];
  crossed: ReadonlySet<string>;
}

/**
 * Call it in the transaction that changed the stock, with the catalogue locked. Moves products that became sold out, or available
 * again, in lists and search. Only what a SKU in `crossed` shows is recorded as changed: nobody sees other numbers.
 */
export async function stockChanged(db: Database, media: MediaService, trx: Trx, { skus, crossed }: StockChange): Promise<void> {
  if (skus.length === 0) return;
  const touched: string[] = [];
  for (const stored of await loadProducts(trx, await productNosOfSkus(trx, skus))) {
    const { facts } = stored;
    await setCardQuantity(trx, facts.no, quantityOf(facts));
    if (facts.skus.some(({ sku }) => crossed.has(sku))) touched.push(topics.product(facts.no));
    if (facts.soldOut === (quantityOf(facts) === 0)) continue;
    facts.soldOut = !facts.soldOut;
    await setSoldOut(db, trx, [facts]);
    const record = recordIn(stored);
    if (!record) continue;
    const moved = { ...record, key: keyOf(facts) };
    await updateSortKey(trx, facts.no, { scopes: record.scopes, sort: sortColumns.default, from: record.key, to: moved.key });
    await db.queries.search.remove(trx, [record.key]);
    await db.queries.search.put(trx, [searchEntry(facts, await loadTaxonomy(trx, media), moved).document]);
    await setListingRecords(db, trx, [[facts.no, JSON.stringify(moved)]]);
    touched.push(topics.product(facts.no), topics.search);
    touched.push(...record.scopes.map((scope) => topics.list(scope, sortColumns.default)));
  }
  await recordCatalogueChange(trx, touched);
}
