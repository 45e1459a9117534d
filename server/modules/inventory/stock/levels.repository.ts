/** Stock as the office lists it: by SKU at one place. */
import { sql } from 'kysely';
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
  name: string;
  options: string;
  /** Null if it never had a level there. */
  units: number | null;
}

export function levelsAt(db: Database, { place, words, after = '', most }: LevelsQuery): Promise<LevelRow[]> {
  const query = db.read
    .selectFrom('skus')
    .innerJoin('products', 'products.id', 'skus.product_id')
    .leftJoin('stock', (join) => join.onRef('stock.sku', '=', 'skus.id').on('stock.location_id', '=', place))
    .select(['skus.id as sku', 'products.name', 'skus.option_pairs as options', 'stock.quantity as units'])
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
    union select id from skus where gtin = ${text})`;
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
