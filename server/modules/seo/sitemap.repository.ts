/** Reads products for sitemaps by ranges of product numbers, which needs no counting and no offsets. */
import { sql } from 'kysely';
import type { Reader } from '#db/database.ts';

export interface ProductRange {
  /** The range covers the numbers from `part * size + 1` to `(part + 1) * size`. */
  part: number;
  updatedAt: number;
}

/** The ranges of `size` numbers that contain published products, with their last change; answered from an index. */
export async function productRanges(db: Reader, size: number): Promise<ProductRange[]> {
  // Numbers start at 1; integer division drops the remainder on both engines.
  const part = sql<number>`(no - 1) / ${sql.lit(size)}`;
  const rows = await db
    .selectFrom('products')
    .select(({ fn }) => [part.as('part'), fn.max('updated_at').as('updated_at')])
    .where('published', '=', 1)
    .groupBy(part)
    .orderBy(part)
    .execute();
  return rows.map((row) => ({ part: Number(row.part), updatedAt: Number(row.updated_at) }));
}

export interface FoundProduct {
  no: number;
  id: string;
  updatedAt: number;
  /** File names as JSON. */
  images: string;
}

/** Published products with numbers above `after`, up to `last`; at most `limit`, in order. */
export async function productsAfter(
  db: Reader,
  after: number,
  last: number,
  limit: number,
): Promise<FoundProduct[]> {
  const rows = await db
    .selectFrom('products')
    .select(['no', 'id', 'updated_at', 'images'])
    .where('published', '=', 1)
    .where('no', '>', after)
    .where('no', '<=', last)
    .orderBy('no')
    .limit(limit)
    .execute();
  return rows.map(({ no, id, updated_at, images }) => ({ no, id, updatedAt: updated_at, images }));
}
