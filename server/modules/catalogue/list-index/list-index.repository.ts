/** Reads what the index in memory is made of, and what has changed since. For SQLite. */
import { sql } from 'kysely';
import type { CatalogueChange } from '#db/change-tracker.ts';
import type { Reader } from '#db/database.ts';
import { select } from '#db/select.ts';
import { scopeNames } from '../taxonomy.ts';

export async function catalogueVersion(db: Reader): Promise<number> {
  const { version } = await db.selectFrom('catalogue_version').select('version').where('id', '=', 1).executeTakeFirstOrThrow();
  return version;
}

/** The changes after a version, in their order. Old ones may be missing. */
export function changesAfter(db: Reader, version: number): Promise<CatalogueChange[]> {
  return db
    .selectFrom('catalogue_changes')
    .select(['version', 'topics'])
    .where('version', '>', version)
    .orderBy('version')
    .execute();
}

/** The highest number of a product, 0 if there are none; and the scope that lists every product. */
export async function catalogueSize(db: Reader): Promise<{ highestNo: number; allScope: number }> {
  const { no } = await db
    .selectFrom('products')
    .select((eb) => eb.fn.max('no').as('no'))
    .executeTakeFirstOrThrow();
  const scope = await db.selectFrom('listing_scopes').select('id').where('name', '=', scopeNames.all).executeTakeFirst();
  return { highestNo: no ?? 0, allScope: scope?.id ?? 0 };
}

export interface ListedRow {
  product_no: number;
  key: number;
}

/** The next rows of an order of a scope, after the given place. */
export function listedAfter(
  db: Reader,
  order: { scope: number; sort: string },
  after: Pick<ListedRow, 'key' | 'product_no'>,
  limit: number,
): Promise<ListedRow[]> {
  return select<ListedRow>(
    db,
    'sqlite',
    `select product_no, key from listings
     where scope_id = ? and sort = ? and (key, product_no) > (?, ?) order by key, product_no limit ?`,
    [order.scope, order.sort, after.key, after.product_no, limit],
  );
}

/**
 * The product numbers of a token, in the order of their keys. They come as one text of two characters a number, because a row for
 * each costs several times as much memory.
 */
export async function productNosOfToken(db: Reader, token: string): Promise<Uint32Array> {
  const { rows } = await sql<{ nos: string | null }>`
    select group_concat(char(1 + (rowid & 4095), 1 + ((rowid >> 12) & 4095)), '') as nos
    from search_index where search_index match ${`"${token.replaceAll('"', '""')}"`}`.execute(db);
  const text = rows[0]?.nos ?? '';
  const nos = new Uint32Array(text.length / 2);
  for (let i = 0; i < nos.length; i++) nos[i] = (text.charCodeAt(2 * i) - 1) | ((text.charCodeAt(2 * i + 1) - 1) << 12);
  return nos;
}
