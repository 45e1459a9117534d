/** Stock of a SKU as a shopper asks for it, and of all at one place as the office lists it, with from how many units on it is low. */
import { type RawBuilder, sql } from 'kysely';
import { mostLow, neverLow } from '#contract/limits.ts';
import { gtinsOf } from '#contract/rules/gtin.ts';
import type { Database, Reader, Trx } from '#db/database.ts';

const itemColumns = [
  ...(['skus.id as sku', 'products.id as product', 'products.name'] as const),
  ...(['skus.option_pairs as pairs', 'products.options'] as const),
] as const;

export interface LevelsQuery {
  place: string;
  /** Groups of search tokens; empty: no text of a published product matches. */
  words: { text: string; groups: readonly (readonly string[])[] } | null;
  after?: string | undefined;
  most: number;
}

export interface LevelRow {
  sku: string;
  product: string;
  name: string;
  pairs: string;
  /** Of the product. */
  options: string;
  /** Null if it never had a level there. */
  units: number | null;
  /** The threshold of this SKU and place; null: the usual one. */
  own: number | null;
}

export function levelsAt(db: Database, { place, words, after = '', most }: LevelsQuery): Promise<LevelRow[]> {
  const query = db.read
    .selectFrom('skus')
    .innerJoin('products', 'products.id', 'skus.product_id')
    .leftJoin('stock', (join) => join.onRef('stock.sku', '=', 'skus.id').on('stock.location_id', '=', place))
    .leftJoin('stock_thresholds as own', (join) =>
      join.onRef('own.sku', '=', 'skus.id').on('own.location_id', '=', place),
    )
    .select(itemColumns)
    .select(['stock.quantity as units', 'own.units as own'])
    .where('skus.id', '>', after)
    .orderBy('skus.id')
    .limit(most);
  return (words === null ? query : query.where('skus.id', 'in', matching(db, words))).execute();
}

function matching({ queries }: Database, { text, groups }: NonNullable<LevelsQuery['words']>) {
  const like = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  // Beside each other: with an `or` PostgreSQL reads every product.
  const found = (where: RawBuilder<unknown>) =>
    sql`select s.id from products p join skus s on s.product_id = p.id where ${where}`;
  const indexed =
    groups.length === 0 ? sql`` : sql`${found(sql`p.no in (${queries.search.matching(groups)})`)} union `;
  return sql<string>`(${indexed}${found(sql`p.published = 0 and lower(p.name) like ${like} escape '\\'`)}
    union select id from skus where id >= ${text} and id < ${`${text}\u{10ffff}`}
    union select id from skus where gtin in (${sql.join([text, ...gtinsOf(text)])}))`;
}

export async function heldUnits(
  db: Reader,
  place: string,
  skus: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (skus.length === 0) return new Map();
  const rows = await db
    .selectFrom('holds')
    .select((eb) => ['sku', eb.fn.sum<number>('quantity').as('units')])
    .where('location_id', '=', place)
    .where('sku', 'in', skus)
    .groupBy('sku')
    .execute();
  return new Map(rows.map(({ sku, units }) => [sku, Number(units)]));
}

/** At each place, by SKU and place. */
export async function placesOf(db: Reader, sku: string) {
  const levels = await db
    .selectFrom('stock')
    .leftJoin('stock_thresholds as own', (join) =>
      join.onRef('own.sku', '=', 'stock.sku').onRef('own.location_id', '=', 'stock.location_id'),
    )
    .select(['stock.location_id as place', 'stock.quantity as units', 'own.units as own'])
    .where('stock.sku', '=', sku)
    .execute();
  const held = await db
    .selectFrom('holds')
    .select((eb) => ['location_id as place', eb.fn.sum<number>('quantity').as('units')])
    .where('sku', '=', sku)
    .groupBy('location_id')
    .execute();
  const unitsHeld = new Map(held.map(({ place, units }) => [place, Number(units)]));
  return levels.map((level) => ({ ...level, held: unitsHeld.get(level.place) ?? 0 }));
}

const items = (db: Reader) =>
  db
    .selectFrom('skus')
    .innerJoin('products', 'products.id', 'skus.product_id')
    .select([...itemColumns, 'skus.gtin']);

export type ItemRow = Awaited<ReturnType<typeof firstItems>>[number];
export const firstItems = (db: Reader, most: number) => items(db).orderBy('skus.id').limit(most).execute();
export const itemsOf = (db: Reader, skus: readonly string[]) =>
  skus.length === 0 ? Promise.resolve([]) : items(db).where('skus.id', 'in', skus).execute();

/** The one SKU that each code names, by its id or its bar code. Codes that name none or several are not in it. */
export async function itemsByCode(db: Reader, codes: readonly string[]): Promise<Map<string, ItemRow>> {
  const byId = new Map((await itemsOf(db, codes)).map((row) => [row.sku, row]));
  const forms = [...new Set(codes.flatMap((code) => [code, ...gtinsOf(code)]))];
  const byGtin = Map.groupBy(
    await items(db).where('skus.gtin', 'in', forms).execute(),
    ({ gtin }) => gtin ?? '',
  );
  return new Map(
    codes.flatMap((code) => {
      const found = [...new Set([code, ...gtinsOf(code)])].flatMap((form) => byGtin.get(form) ?? []);
      const item = byId.get(code) ?? (found.length === 1 ? found[0] : undefined);
      return item ? [[code, item] as const] : [];
    }),
  );
}

interface Place {
  sku: string;
  location: string;
}

/** In the order of `places`. `usual`: the setting. */
export async function thresholdsOf(
  reader: Reader,
  places: readonly Place[],
  usual: number,
): Promise<number[]> {
  if (places.length === 0) return [];
  const rows = await reader
    .selectFrom('stock_thresholds')
    .selectAll()
    .where('sku', 'in', [...new Set(places.map(({ sku }) => sku))])
    .execute();
  return places.map(
    ({ sku, location }) =>
      rows.find((row) => row.sku === sku && row.location_id === location)?.units ?? usual,
  );
}

/** What was set before, and is no longer; null: nothing. */
export async function setThreshold(
  trx: Trx,
  { sku, location }: Place,
  units: number | null,
): Promise<number | null> {
  const old = await trx
    .deleteFrom('stock_thresholds')
    .where('sku', '=', sku)
    .where('location_id', '=', location)
    .returning('units')
    .executeTakeFirst();
  if (units !== null)
    await trx.insertInto('stock_thresholds').values({ sku, location_id: location, units }).execute();
  return old?.units ?? null;
}

export interface LowQuery {
  place: string;
  usual: number;
  /** Of the row before, its units and SKU. */
  after?: { units: number; sku: string } | undefined;
  most: number;
}

/** Those that are counted and that a place has or had; also of drafts, since modifiers take units of some. */
async function lowQuery(reader: Reader, { place, usual, after }: Omit<LowQuery, 'most'>) {
  const { highest } = await reader
    .selectFrom('stock_thresholds')
    .select((eb) => eb.fn.max('units').as('highest'))
    .where('location_id', '=', place)
    .executeTakeFirstOrThrow();
  const query = reader
    .selectFrom('stock')
    .innerJoin('skus', 'skus.id', 'stock.sku')
    .innerJoin('products', 'products.id', 'skus.product_id')
    .leftJoin('stock_thresholds as own', (join) =>
      join.onRef('own.sku', '=', 'stock.sku').onRef('own.location_id', '=', 'stock.location_id'),
    )
    .where('stock.location_id', '=', place)
    .where('skus.counted', '=', 1)
    // So much of the index, and no more, is read.
    .where('stock.quantity', '<=', Math.max(usual, Number(highest ?? neverLow)))
    .where(sql<boolean>`stock.quantity <= coalesce(own.units, ${usual})`);
  return after
    ? query.where(sql<boolean>`(stock.quantity, stock.sku) > (${after.units}, ${after.sku})`)
    : query;
}

export async function lowLevels(reader: Reader, query: LowQuery) {
  return (await lowQuery(reader, query))
    .select(itemColumns)
    .select(['stock.quantity as units', 'own.units as own'])
    .orderBy('stock.quantity')
    .orderBy('stock.sku')
    .limit(query.most)
    .execute();
}

/** At most `mostLow` and one. */
export async function countLow(reader: Reader, place: string, usual: number): Promise<number> {
  const low = (await lowQuery(reader, { place, usual })).select('stock.sku').limit(mostLow + 1);
  const { count } = await reader
    .selectFrom(low.as('low'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export interface InventoryProduct {
  id: string;
  in_store_only: number;
}

export function publishedProduct(db: Reader, id: string): Promise<InventoryProduct | undefined> {
  return db
    .selectFrom('products')
    .select(['id', 'in_store_only'])
    .where('id', '=', id)
    .where('published', '=', 1)
    .executeTakeFirst();
}

export interface SkuPriceRow {
  id: string;
  price_cents: number;
  compare_at_cents: number | null;
  counted: number;
  oversell: number;
}

/** `optionPairs` must be in canonical form. */
export function skuOfOptions(
  db: Reader,
  productId: string,
  optionPairs: string,
): Promise<SkuPriceRow | undefined> {
  return db
    .selectFrom('skus')
    .select(['id', 'price_cents', 'compare_at_cents', 'counted', 'oversell'])
    .where('product_id', '=', productId)
    .where('option_pairs', '=', optionPairs)
    .executeTakeFirst();
}

export async function unitsByPlace(db: Reader, sku: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('stock')
    .select(['location_id', 'quantity'])
    .where('sku', '=', sku)
    .execute();
  return new Map(rows.map((row) => [row.location_id, row.quantity]));
}
