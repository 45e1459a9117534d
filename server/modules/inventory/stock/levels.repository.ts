/** Stock as the office lists it: by SKU at one place. */
import { sql } from 'kysely';
import { gtinsOf } from '#contract/rules/gtin.ts';
import type { Database, Reader } from '#db/database.ts';

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
    .leftJoin('stock_thresholds as own', (join) => join.onRef('own.sku', '=', 'skus.id').on('own.location_id', '=', place))
    .select(['skus.id as sku', 'products.id as product', 'products.name', 'skus.option_pairs as options'])
    .select(['stock.quantity as units', 'own.units as own'])
    .where('skus.id', '>', after)
    .orderBy('skus.id')
    .limit(most);
  return (words === null ? query : query.where('skus.id', 'in', matching(db, words))).execute();
}

function matching({ queries }: Database, { text, groups }: NonNullable<LevelsQuery['words']>) {
  const like = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  const indexed = groups.length === 0 ? sql`` : sql`p.no in (${queries.search.matching(groups)}) or `;
  return sql<string>`(select s.id from products p join skus s on s.product_id = p.id
      where ${indexed}(p.published = 0 and lower(p.name) like ${like} escape '\\')
    union select id from skus where id >= ${text} and id < ${`${text}\u{10ffff}`}
    union select id from skus where gtin in (${sql.join([text, ...gtinsOf(text)])}))`;
}

export async function heldUnits(db: Reader, place: string, skus: readonly string[]): Promise<ReadonlyMap<string, number>> {
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

const itemColumns = ['skus.id as sku', 'products.id as product', 'products.name', 'skus.option_pairs as options'] as const;
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
  const byGtin = Map.groupBy(await items(db).where('skus.gtin', 'in', forms).execute(), ({ gtin }) => gtin ?? '');
  return new Map(
    codes.flatMap((code) => {
      const found = [...new Set([code, ...gtinsOf(code)])].flatMap((form) => byGtin.get(form) ?? []);
      const item = byId.get(code) ?? (found.length === 1 ? found[0] : undefined);
      return item ? [[code, item] as const] : [];
    }),
  );
}
