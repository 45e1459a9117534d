/** Updates the catalogue when a product sells out or comes back; other sales change nothing. */
import { isDeepStrictEqual } from 'node:util';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Trx } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { topics } from '#server/platform/topics.ts';
import { countRecord, type ListingContext, recordIn, searchEntry } from './index-products.ts';
import { type ListingRecord, listingKeys, listingRows, sortColumns } from './listing-record.ts';
import { deleteListings, insertListings, setCardQuantity, setListingRecords, updateSortKey } from './listings.repository.ts';
import { keyOf, quantityOf } from './product.ts';
import { loadProducts, type StoredProduct } from './product-loader.repository.ts';
import { productNosOfSkus, setSoldOut } from './products.repository.ts';
import { scopeCounts } from './scope-counts.ts';
import { setProductStores } from './scope-pairs.repository.ts';
import { taxonomyWithStores } from './scopes.ts';
import { loadTaxonomy, scopeNames } from './taxonomy.ts';
import { listTopics } from './touched-topics.ts';

/** SKUs whose products are read at once. */
const batchSize = 250;

/** SKUs whose stock changed, and those of them that passed between some and no units everywhere. */
export interface StockBoundary {
  skus: readonly string[];
  crossed: ReadonlySet<string>;
}

/**
 * Call it in the transaction that changed the stock, with the catalogue locked. Moves products that became sold out, or available
 * again, in lists and search, and keeps the lists of what stores have. Only what a SKU in `crossed` shows is recorded as changed:
 * nobody sees other numbers.
 */
export async function stockChanged(db: Database, media: MediaService, trx: Trx, { skus, crossed }: StockBoundary): Promise<void> {
  if (skus.length === 0) return;
  const touched: string[] = [];
  for (const stored of await loadProducts(trx, await productNosOfSkus(trx, skus))) {
    const { facts } = stored;
    await setCardQuantity(trx, facts.no, quantityOf(facts));
    if (facts.skus.some(({ sku }) => crossed.has(sku))) touched.push(topics.product(facts.no));
    const turned = facts.soldOut !== (quantityOf(facts) === 0);
    if (turned) {
      facts.soldOut = !facts.soldOut;
      await setSoldOut(db, trx, [facts]);
    }
    const record = recordIn(stored);
    if (record && (turned || !isDeepStrictEqual(record.stores, facts.stores)))
      touched.push(topics.product(facts.no), ...(await moveProduct({ db, media, trx }, stored, record)));
  }
  await recordCatalogueChange(trx, touched);
}

/** Like `stockChanged`, for any number of SKUs: only so many products are in memory at once. */
export async function stockChangedInBatches(
  db: Database,
  media: MediaService,
  trx: Trx,
  { skus, crossed }: StockBoundary,
): Promise<void> {
  for (let start = 0; start < skus.length; start += batchSize)
    await stockChanged(db, media, trx, { skus: skus.slice(start, start + batchSize), crossed });
}

/** Lists a product by its present stock. Returns the topics that this touches. */
async function moveProduct(
  { db, media, trx }: { db: Database; media: MediaService; trx: Trx },
  stored: StoredProduct,
  record: ListingRecord,
): Promise<string[]> {
  const { facts } = stored;
  const taxonomy = await taxonomyWithStores(trx, media, await loadTaxonomy(trx, media), [stored]);
  const scopesOfStores = (stores: readonly string[] = []) =>
    stores.flatMap((store) => taxonomy.scopes.get(scopeNames.store(store))?.id ?? []);
  const [before, after] = [scopesOfStores(record.stores), scopesOfStores(facts.stores)];
  const scopes = [...record.scopes.filter((scope) => !before.includes(scope)), ...after];
  const moved: ListingRecord = { ...record, key: keyOf(facts), stores: facts.stores, scopes };
  const [left, entered] = [before.filter((id) => !after.includes(id)), after.filter((id) => !before.includes(id))];
  await deleteListings(db, trx, listingKeys(facts.no, { ...record, scopes: left }));
  const order = { scopes: record.scopes, sort: sortColumns.default, from: record.key, to: moved.key };
  if (order.from !== order.to) await updateSortKey(trx, facts.no, order);
  await insertListings(db, trx, listingRows(facts.no, { ...moved, scopes: entered }));
  await countMove({ db, trx, taxonomy }, record, moved);
  await setProductStores(db, trx, [[facts.no, facts.stores]]);
  await db.queries.search.remove(trx, [record.key]);
  await db.queries.search.put(trx, [searchEntry(facts, taxonomy, moved).document]);
  await setListingRecords(db, trx, [[facts.no, JSON.stringify(moved)]]);
  return listTopics(record, moved).concat(topics.search);
}

async function countMove({ db, trx, taxonomy }: ListingContext, before: ListingRecord, after: ListingRecord): Promise<void> {
  const counts = scopeCounts(taxonomy);
  countRecord(counts, before, -1);
  countRecord(counts, after, 1);
  await counts.write(db, trx);
}
