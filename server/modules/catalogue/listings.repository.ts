/** Reads and writes the listing index: listings, product cards and the record of where a product is listed. */
import type { Selectable } from 'kysely';
import { inLocale, type Locale } from '#contract/locales.ts';
import { deleteMany, insertMany, type SqlValue, updateMany } from '#db/bulk-writes.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { ProductCardsTable } from '#db/tables.ts';
import { listingColumns } from './listing-record.ts';

/** The columns that identify one row of `listings`. */
const listingKey = [
  ['scope_id', 'integer'],
  ['sort', 'text'],
  ['key', 'double precision'],
  ['product_no', 'integer'],
] as const;

/** A listed product's name in one language, and its sort key among the names. */
export interface RankedName {
  name: string;
  key: number;
}

/** One scope in the name order of one language. */
export interface NameOrder {
  scopeId: number;
  locale: Locale;
}

/** The listed products; `name` is JSON by language. */
export function listedProducts(reader: Reader): Promise<{ no: number; id: string; name: string }[]> {
  return reader.selectFrom('products').select(['no', 'id', 'name']).where('listing', 'is not', null).execute();
}

export async function scopeIdByName(reader: Reader, name: string): Promise<number | null> {
  const row = await reader.selectFrom('listing_scopes').select('id').where('name', '=', name).executeTakeFirst();
  return row?.id ?? null;
}

/** The languages of the first product's cards; empty if there are no cards. */
export async function cardLanguages(reader: Reader): Promise<Set<string>> {
  const rows = await reader
    .selectFrom('product_cards')
    .select('language')
    .where('product_no', '=', (eb) => eb.selectFrom('product_cards').select((min) => min.fn.min('product_no').as('no')))
    .execute();
  return new Set(rows.map(({ language }) => language));
}

/** `rows` hold the values of `listingColumns`. */
export async function insertListings(db: Database, trx: Trx, rows: readonly SqlValue[][]): Promise<void> {
  await insertMany(db, trx, 'listings', listingColumns, rows);
}

const cardColumns = ['product_no', 'language', 'card', 'price_cents', 'list_price_cents', 'price_from', 'quantity'] as const;

export async function insertCards(db: Database, trx: Trx, rows: readonly Selectable<ProductCardsTable>[]): Promise<void> {
  const values = rows.map((row) => cardColumns.map((column) => row[column]));
  await insertMany(db, trx, 'product_cards', cardColumns, values);
}

/** `keys` are scope id, sort, sort key and product number. */
export async function deleteListings(db: Database, trx: Trx, keys: readonly SqlValue[][]): Promise<void> {
  await deleteMany(db, trx, 'listings', listingKey, keys);
}

export async function deleteCards(trx: Trx, productNos: readonly number[]): Promise<void> {
  if (productNos.length > 0) await trx.deleteFrom('product_cards').where('product_no', 'in', productNos).execute();
}

export async function setCardQuantity(trx: Trx, productNo: number, quantity: number): Promise<void> {
  await trx.updateTable('product_cards').set({ quantity }).where('product_no', '=', productNo).execute();
}

/** Stores the listing of each product; `records` are product number and `ListingRecord` as JSON, null if unlisted. */
export async function setListingRecords(
  db: Database,
  trx: Trx,
  records: readonly (readonly [no: number, record: string | null])[],
): Promise<void> {
  await updateMany(db, trx, { table: 'products', key: 'no', column: 'listing', type: 'text' }, records);
}

export async function findListedProduct(trx: Trx, no: number): Promise<{ name: string; listing: string } | null> {
  const row = await trx.selectFrom('products').select(['name', 'listing']).where('no', '=', no).executeTakeFirst();
  return row && row.listing !== null ? { name: row.name, listing: row.listing } : null;
}

/** Changes the sort key of a product in one order of all its scopes. */
export async function updateSortKey(
  trx: Trx,
  productNo: number,
  { scopes, sort, from, to }: { scopes: readonly number[]; sort: string; from: number; to: number },
): Promise<void> {
  await trx
    .updateTable('listings')
    .set({ key: to })
    .where('scope_id', 'in', scopes)
    .where('sort', '=', sort)
    .where('key', '=', from)
    .where('product_no', '=', productNo)
    .execute();
}

/** Whether more than `count` products are listed in the order. */
export async function hasMoreThan(reader: Reader, order: NameOrder, count: number): Promise<boolean> {
  const row = await inOrder(reader, order).select('key').offset(count).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** All names of the order, in order. */
export async function rankedNames(reader: Reader, order: NameOrder): Promise<RankedName[]> {
  const rows = await withNames(reader, order).execute();
  return rows.map((row) => toRankedName(row, order.locale));
}

/** The lowest and the highest key of the order; 0 if it is empty. */
export async function keyRange(reader: Reader, { scopeId, locale }: NameOrder): Promise<{ lowest: number; highest: number }> {
  const range = await reader
    .selectFrom('listings')
    .select((eb) => [eb.fn.min('key').as('lowest'), eb.fn.max('key').as('highest')])
    .where('scope_id', '=', scopeId)
    .where('sort', '=', locale)
    .executeTakeFirstOrThrow();
  return { lowest: Number(range.lowest), highest: Number(range.highest) };
}

/** The first name with a key in [from, below); null if there is none. */
export async function firstNameBetween(
  reader: Reader,
  order: NameOrder,
  from: number,
  below: number,
): Promise<RankedName | null> {
  const row = await withNames(reader, order).where('key', '>=', from).where('key', '<', below).limit(1).executeTakeFirst();
  return row ? toRankedName(row, order.locale) : null;
}

function inOrder(reader: Reader, { scopeId, locale }: NameOrder) {
  return reader
    .selectFrom('listings')
    .where('scope_id', '=', scopeId)
    .where('sort', '=', locale)
    .orderBy('key')
    .orderBy('product_no');
}

function withNames(reader: Reader, order: NameOrder) {
  return inOrder(reader, order).innerJoin('products', 'products.no', 'listings.product_no').select(['products.name', 'key']);
}

function toRankedName({ name, key }: { name: string; key: number }, locale: Locale): RankedName {
  return { name: inLocale(JSON.parse(name), locale), key };
}
