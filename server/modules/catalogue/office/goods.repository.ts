/** Products as the office finds them: all of them, the newest first. */
import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { GoodsFilter } from '#contract/staff/goods.ts';
import type { Database } from '#db/database.ts';
import { withoutChinese } from '#db/goods.ts';
import type { Tables } from '#db/tables.ts';
import { type Bits, countBits, hasBit, highestBits, newBits, setBit } from '../lists/product-bits.ts';

export interface FoundBy extends Omit<GoodsFilter, 'text' | 'category'> {
  /** Of the search index; empty: no text of a published product matches. */
  ids?: readonly string[] | undefined;
  words?: { text: string; groups: readonly (readonly string[])[] } | undefined;
  /** With those below it. */
  categories?: readonly string[] | undefined;
}

interface Page {
  skip: number;
  most: number;
}

interface GoodsNos {
  count: number;
  nos: number[];
}

export const pageStatement = (db: Database, found: FoundBy, { skip, most }: Page) =>
  select(db, found).select('no').orderBy('no', 'desc').offset(skip).limit(most);

export const countStatement = (db: Database, found: FoundBy) =>
  select(db, found).select(sql<number>`count(*)`.as('count'));

/**
 * The numbers of a page, and how many there are in all. `listed`: which of those that customers see have the words, the tag and the
 * stock at a store that are asked for, where these are so many that engines would read them all for each page.
 */
export async function goodsPage(
  db: Database,
  found: FoundBy,
  page: Page,
  listed: Bits | null,
): Promise<GoodsNos> {
  if (!listed) return readPage(db, found, page);
  const { words, tag: _tag, stock: _stock, store: _store, ...others } = found;
  // Drafts, and what is found by the beginning of a SKU or a bar code.
  const beside = select(db, words ? { ...found, words: { ...words, groups: [] } } : found).select('no');
  const rows = await (words ? beside : beside.where('published', '=', 0)).execute();
  const all = newBits(rows.reduce((above, { no }) => Math.max(above, no + 1), 32 * listed.length));
  if (Object.values(others).every((value) => value === undefined)) all.set(listed);
  else
    for (const { no } of await select(db, others).where('published', '=', 1).select('no').execute())
      if (hasBit(listed, no)) setBit(all, no);
  for (const { no } of rows) setBit(all, no);
  return { count: countBits(all), nos: highestBits(all, page.skip, page.most) };
}

/** Words are looked up once for both. */
async function readPage(db: Database, found: FoundBy, page: Page): Promise<GoodsNos> {
  const statement = pageStatement(db, found, page);
  if (!found.words)
    return { count: await countGoods(db, found), nos: (await statement.execute()).map(({ no }) => no) };
  const rows = await statement.select(sql<number>`count(*) over ()`.as('count')).execute();
  const [first] = rows;
  return { count: first ? Number(first.count) : await countGoods(db, found), nos: rows.map(({ no }) => no) };
}

export async function countGoods(db: Database, found: FoundBy): Promise<number> {
  const [row] = await countStatement(db, found).execute();
  return Number(row?.count ?? 0);
}

/** With their numbers, in parts: a statement takes a limited number of parameters. */
export async function goodsNosOf(db: Database, ids: readonly string[]): Promise<Map<string, number>> {
  const nos = new Map<string, number>();
  for (let start = 0; start < ids.length; start += 500) {
    const part = ids.slice(start, start + 500);
    const rows = await db.read.selectFrom('products').select(['no', 'id']).where('id', 'in', part).execute();
    for (const { no, id } of rows) nos.set(id, no);
  }
  return nos;
}

export const goodsIds = (db: Database, found: FoundBy, page: Page) =>
  pageStatement(db, found, page).select('id').execute();

/** The numbers of all that are found, descending, for work on them. */
export async function goodsNos(db: Database, found: FoundBy): Promise<number[]> {
  const rows = await select(db, found).select('no').orderBy('no', 'desc').execute();
  return rows.map(({ no }) => no);
}

/** Descending; those that are gone are left out. */
export async function goodsOf(db: Database, nos: readonly number[]) {
  if (nos.length === 0) return [];
  return db.read
    .selectFrom('products')
    .select(['no', 'id'])
    .where('no', 'in', nos)
    .orderBy('no', 'desc')
    .execute();
}

/** The next ones below a number, for work on all that are found. */
export async function goodsBelow(db: Database, found: FoundBy, below: number | null, most: number) {
  const query = select(db, found).select(['no', 'id']).orderBy('no', 'desc').limit(most);
  return (below === null ? query : query.where('products.no', '<', below)).execute();
}

/** The next ones above a number, of all. */
export const goodsAfter = (db: Database, after: number, most: number) =>
  select(db, {}).select('no').where('no', '>', after).orderBy('no').limit(most).execute();

function select(db: Database, found: FoundBy) {
  return db.read.selectFrom('products').where((eb) => eb.and(conditions(db, found, eb)));
}

function conditions(db: Database, found: FoundBy, eb: ExpressionBuilder<Tables, 'products'>) {
  const { ids, brand, categories, tag, status, stock, store, without, fromCents, toCents, words } = found;
  return [
    ...(words ? [sql<SqlBool>`products.no in (${matching(db, words)})`] : []),
    ...(ids === undefined ? [] : [eb('id', 'in', ids)]),
    ...(brand === undefined ? [] : [eb('brand_id', '=', brand)]),
    ...(categories === undefined ? [] : [eb('category_id', 'in', categories)]),
    ...(tag === undefined
      ? []
      : [sql<SqlBool>`products.no in (select product_no from product_tags where tag_id = ${tag})`]),
    // Literals, which partial indexes are chosen by.
    ...(status === undefined ? [] : [sql<SqlBool>`status = ${sql.lit(status)}`]),
    ...(stock === undefined ? [] : [inStock(stock, store)]),
    ...(without === 'picture' ? [sql<SqlBool>`images = '[]'`] : []),
    ...(without === 'chinese' ? [withoutChinese] : []),
    ...(fromCents === undefined ? [] : [eb('price_cents', '>=', fromCents)]),
    ...(toCents === undefined ? [] : [eb('price_cents', '<=', toCents)]),
  ];
}

function inStock(stock: 'some' | 'none', store: string | undefined): RawBuilder<SqlBool> {
  if (store === undefined) return stock === 'none' ? sql`sold_out = 1` : sql`sold_out = 0`;
  // One that never runs out is there wherever it is not sold out today, as lists have it.
  const held = sql<SqlBool>`exists (select 1 from skus left join stock on stock.sku = skus.id and stock.location_id = ${store}
    where skus.product_id = products.id and (stock.quantity > 0 or skus.counted = 0 or skus.oversell = 1)
    and not exists (select 1 from sold_out where store_id = ${store} and item in ('sku:' || skus.id, 'product:' || skus.product_id)))`;
  return stock === 'none' ? sql`not ${held}` : held;
}

/** The search index has the published ones. */
function matching(
  { queries }: Database,
  { text, groups }: NonNullable<FoundBy['words']>,
): RawBuilder<unknown> {
  const like = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  const indexed = groups.length === 0 ? sql`` : sql`${queries.search.matching(groups)} union `;
  return sql`${indexed}select no from products where published = 0 and lower(name) like ${like} escape '\\'
    union select p.no from products p where p.id = ${text}
    union select p.no from products p join skus on skus.product_id = p.id where skus.id >= ${text} and skus.id < ${`${text}\u{10ffff}`}
    union select p.no from products p join skus on skus.product_id = p.id where skus.gtin = ${text}`;
}
