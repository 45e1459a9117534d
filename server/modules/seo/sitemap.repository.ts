/** Products for sitemaps: by ranges of their numbers, so that nothing is counted or skipped over. */
import { sql } from 'kysely';
import type { Reader } from '#db/database.ts';

export interface ProductRange {
  /** The range holds the numbers from `part * size + 1` to `(part + 1) * size`. */
  part: number;
  /** Epoch ms. */
  updatedAt: number;
}

/** The ranges of `size` numbers that have published products, with their last change; read off an index. */
export async function productRanges(db: Reader, size: number): Promise<ProductRange[]> {
  // Numbers begin with 1; dividing integers leaves the remainder out on both engines.
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
  /** File names, JSON. */
  images: string;
}

/** Published products with numbers above `after`, up to `last`; `limit` at most, in order. */
export async function productsAfter(db: Reader, after: number, last: number, limit: number): Promise<FoundProduct[]> {
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
