import { sql } from 'kysely';
import { insertMany } from '#db/bulk-writes.ts';
import { advanceCounter, clearMark, counterValue, isMarked, setMark } from '#db/counters.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { readableRows } from '#server/platform/unreadable-rows.ts';
import type { CardRow } from './card.ts';
import type { Listing } from './listing.ts';

const counter = 'listings';

/** A product that left all lists has no listing. */
export interface ListingChange {
  no: number;
  revision: number;
  listing: Listing | null;
}

export const lastRevision = (db: Reader): Promise<number> => counterValue(db, counter);

const listingIn = ({
  product_no: no,
  listing,
}: {
  product_no: number;
  listing: string | null;
}): Listing | null =>
  readableRows(
    'listings',
    [listing ?? 'null'],
    () => String(no),
    (text): Listing | null => JSON.parse(text),
  )[0] ?? null;

/** In the order in which they were made. */
export async function listingsAfter(
  db: Reader,
  { revision, no }: Pick<ListingChange, 'no' | 'revision'>,
  limit: number,
): Promise<ListingChange[]> {
  const { rows } = await sql<{ product_no: number; revision: number; listing: string | null }>`
    select product_no, revision, listing from listings
    where (revision, product_no) > (${revision}, ${no}) order by revision, product_no limit ${limit}`.execute(
    db,
  );
  // Of one that cannot be read the change is known, so that the lists go on behind it: the product is not in them.
  return rows.map((row) => ({ no: row.product_no, revision: row.revision, listing: listingIn(row) }));
}

export async function listingsOf(db: Reader, nos: readonly number[]): Promise<Map<number, Listing>> {
  if (nos.length === 0) return new Map();
  const rows = await db
    .selectFrom('listings')
    .select(['product_no', 'listing'])
    .where('product_no', 'in', nos)
    .execute();
  return new Map(
    rows.flatMap((row) => {
      const listing = listingIn(row);
      return listing === null ? [] : [[row.product_no, listing]];
    }),
  );
}

/** With the catalogue locked, so that changes become visible in the order of their revisions. */
export async function putListings(
  db: Database,
  trx: Trx,
  listings: ReadonlyMap<number, Listing | null>,
): Promise<void> {
  if (listings.size === 0) return;
  const revision = await advanceCounter(trx, counter);
  const rows = [...listings].map(([no, listing]) => [no, revision, listing && JSON.stringify(listing)]);
  const replace =
    'on conflict (product_no) do update set revision = excluded.revision, listing = excluded.listing';
  await insertMany(db, trx, {
    into: 'listings',
    columns: ['product_no', 'revision', 'listing'],
    rows,
    suffix: replace,
  });
}

export async function clearListings(trx: Trx): Promise<void> {
  const revision = await advanceCounter(trx, counter);
  await trx.updateTable('listings').set({ revision, listing: null }).execute();
  for (const table of ['product_cards', 'search_trigrams', 'search_terms'] as const)
    await trx.deleteFrom(table).execute();
  await sql`delete from search_index`.execute(trx);
}

export async function cardsByNo(db: Database, nos: readonly number[], language: string): Promise<CardRow[]> {
  if (nos.length === 0) return [];
  const rows = await db.read
    .selectFrom('product_cards')
    .select(['product_no', 'card', 'price_cents', 'list_price_cents', 'price_from', 'quantity'])
    .where('product_no', 'in', nos)
    .where('language', '=', language)
    .execute();
  const byNo = new Map(rows.map((row) => [row.product_no, row]));
  return nos.flatMap((no) => byNo.get(no) ?? []);
}

const cardColumns = [
  'product_no',
  'language',
  'card',
  'price_cents',
  'list_price_cents',
  'price_from',
  'quantity',
] as const;

export async function putCards(
  db: Database,
  trx: Trx,
  nos: readonly number[],
  cards: readonly (CardRow & { language: string })[],
): Promise<void> {
  if (nos.length > 0) await trx.deleteFrom('product_cards').where('product_no', 'in', nos).execute();
  await insertMany(db, trx, {
    into: 'product_cards',
    columns: cardColumns,
    rows: cards.map((card) => cardColumns.map((column) => card[column])),
  });
}

export async function setCardQuantity(trx: Trx, productNo: number, quantity: number): Promise<void> {
  await trx.updateTable('product_cards').set({ quantity }).where('product_no', '=', productNo).execute();
}

/** A row of `counters` while lists must be written again; a migration may set it. */
const outdated = 'outdated lists';

/** A migration says so, or they lack the names of a language. */
export async function areListingsOutdated(reader: Reader, languages: readonly string[]): Promise<boolean> {
  const any = await reader
    .selectFrom('listings')
    .select('listing')
    .where('listing', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  const names = any?.listing ? (JSON.parse(any.listing) as Listing).names : null;
  return (
    (await isMarked(reader, outdated)) ||
    (names !== null && languages.some((language) => !(language in names)))
  );
}

export const markOutdated = (trx: Trx): Promise<void> => setMark(trx, outdated);
export const unmarkOutdated = (trx: Trx): Promise<void> => clearMark(trx, outdated);

export async function publishedNosAfter(reader: Reader, after: number, limit: number): Promise<number[]> {
  const rows = await reader
    .selectFrom('products')
    .select('no')
    .where('published', '=', 1)
    .where('no', '>', after)
    .orderBy('no')
    .limit(limit)
    .execute();
  return rows.map(({ no }) => no);
}
