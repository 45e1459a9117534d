/** Adds products to lists, cards and the search index, and removes them. */
import { localeCodes } from '#contract/locales.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { SqlValue } from '#db/bulk-writes.ts';
import type { Database, Trx } from '#db/database.ts';
import { type CardRow, cardRow } from './card.ts';
import { type ListingRecord, listingKeys, listingRows, recordOf } from './listing-record.ts';
import { deleteCards, deleteListings, insertCards, insertListings, setListingRecords } from './listings.repository.ts';
import type { NameKeys } from './name-ranks.ts';
import { type CatalogueProduct, searchTexts } from './product.ts';
import type { StoredProduct } from './product-loader.repository.ts';
import { type ScopeCounts, scopeCounts } from './scope-counts.ts';
import { setProductStores } from './scope-pairs.repository.ts';
import { indexEntry, scopeToken } from './search/tokens.ts';
import type { Taxonomy, TaxonomyNames } from './taxonomy.ts';
import { vocabularyChange } from './vocabulary.ts';

/** The state of one transaction that listing functions share. */
export interface ListingContext {
  db: Database;
  trx: Trx;
  taxonomy: Taxonomy;
}

export function recordIn(stored: StoredProduct): ListingRecord | null {
  return stored.row.listing === null ? null : JSON.parse(stored.row.listing);
}

/** Removes listed products. `taxonomy` must be the one they were listed with. */
export async function unindexProducts({ db, trx, taxonomy }: ListingContext, products: readonly StoredProduct[]): Promise<void> {
  const vocabulary = vocabularyChange();
  const counts = scopeCounts(taxonomy);
  const listed = products.flatMap((stored) => {
    const record = recordIn(stored);
    return record ? [{ no: stored.row.no, facts: stored.facts, record }] : [];
  });
  for (const { facts, record } of listed) {
    vocabulary.count(indexEntry(searchTexts(facts, taxonomy)).words, -1);
    countRecord(counts, record, -1);
  }
  const places = listed.flatMap(({ no, record }) => listingKeys(no, record));
  await deleteListings(db, trx, places);
  const nos = listed.map(({ no }) => no);
  await deleteCards(trx, nos);
  await setProductStores(
    db,
    trx,
    nos.map((no) => [no, []] as const),
  );
  await db.queries.search.remove(
    trx,
    listed.map(({ record }) => record.key),
  );
  await setListingRecords(
    db,
    trx,
    nos.map((no) => [no, null] as const),
  );
  await counts.write(db, trx);
  await vocabulary.write(db, trx);
}

/** Lists products that are not listed. Unpublished ones are skipped. Returns the records of the others by product number. */
export async function indexProducts(
  { db, trx, taxonomy }: ListingContext,
  products: readonly CatalogueProduct[],
  names: ReadonlyMap<string, NameKeys>,
  images: ReadonlyMap<string, ImageInfo>,
): Promise<Map<number, ListingRecord>> {
  const vocabulary = vocabularyChange();
  const counts = scopeCounts(taxonomy);
  const rows: SqlValue[][] = [];
  const cards: (CardRow & { language: string })[] = [];
  const documents: { key: number; tokens: string[] }[] = [];
  const records = new Map<number, ListingRecord>();
  for (const product of products) {
    const nameKeys = names.get(product.id);
    if (!product.published || !nameKeys) continue;
    const record = recordOf(product, taxonomy, nameKeys);
    rows.push(...listingRows(product.no, record));
    cards.push(...cardRows(product, taxonomy, images));
    const entry = searchEntry(product, taxonomy, record);
    documents.push(entry.document);
    vocabulary.count(entry.words, 1);
    countRecord(counts, record, 1);
    records.set(product.no, record);
  }
  await insertListings(db, trx, inKeyOrder(rows));
  await insertCards(db, trx, cards);
  await setProductStores(
    db,
    trx,
    [...records].map(([no, { stores = [] }]) => [no, stores] as const),
  );
  await db.queries.search.put(
    trx,
    documents.sort((a, b) => a.key - b.key),
  );
  const stored = [...records].map(([no, record]) => [no, JSON.stringify(record)] as const);
  await setListingRecords(db, trx, stored);
  await counts.write(db, trx);
  await vocabulary.write(db, trx);
  return records;
}

export function searchEntry(product: CatalogueProduct, taxonomy: TaxonomyNames, record: ListingRecord) {
  const { tokens, words } = indexEntry(searchTexts(product, taxonomy));
  return { document: { key: record.key, tokens: [...tokens, ...record.scopes.map(scopeToken)] }, words };
}

function cardRows(
  product: CatalogueProduct,
  taxonomy: Taxonomy,
  images: ReadonlyMap<string, ImageInfo>,
): (CardRow & { language: string })[] {
  const brand = taxonomy.brands.get(product.brand);
  if (!brand) throw new Error(`No brand ${product.brand}`);
  return localeCodes.map((language) => ({ language, ...cardRow(product, brand, images, language) }));
}

/** Rows that are adjacent in the table are written one after the other. */
function inKeyOrder(rows: SqlValue[][]): SqlValue[][] {
  return rows.sort(
    (a, b) => Number(a[0]) - Number(b[0]) || String(a[1]).localeCompare(String(b[1])) || Number(a[2]) - Number(b[2]),
  );
}

/** Counts a product in or out of the scopes of its record. */
export function countRecord(counts: ScopeCounts, { scopes, stores }: ListingRecord, change: 1 | -1): void {
  counts.count(scopes, change);
  // Records without stores were written before pairs were counted.
  if (stores) counts.countPairs(scopes, scopes, change);
}
