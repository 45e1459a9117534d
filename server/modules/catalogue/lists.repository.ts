/** Scans `listings`. Every query here follows its primary key. */
import type { Database } from '#db/database.ts';
import { selectVarying } from '#db/select.ts';
import type { CardRow } from './card.ts';
import { type ScopeFilter, splitScopeFilters } from './list-filter.ts';
import type { ListDatabase } from './list-reads.ts';

export interface ListWindow {
  sort: string;
  language: string;
  offset: number;
  limit: number;
  /** The length of the list, if known. */
  count: number | undefined;
}

const cardFields = 'c.card, c.price_cents, c.list_price_cents, c.price_from, c.quantity';

/** A page of cards. The far half of a list of known length is scanned backwards; a page after the end needs no scan. */
export async function cardsOfList(db: Database, confined: readonly ScopeFilter[], page: ListWindow): Promise<CardRow[]> {
  const { scope, text, parameters } = splitScopeFilters(confined);
  const count = page.count ?? Number.POSITIVE_INFINITY;
  if (page.offset >= count) return [];
  const end = Math.min(page.offset + page.limit, count);
  const backwards = page.offset > count / 2;
  const [direction, offset, limit] = backwards ? ['desc', count - end, end - page.offset] : ['asc', page.offset, page.limit];
  const rows = await selectVarying<CardRow>(
    db.catalogue,
    db.engine,
    `select l.product_no, ${cardFields} from (
       select product_no, key from listings where scope_id = ? and sort = ?${text}
       order by key ${direction}, product_no ${direction} limit ? offset ?
     ) l join product_cards c on c.product_no = l.product_no and c.language = ?
     order by l.key ${direction}, l.product_no ${direction}`,
    [scope.scopeId, page.sort, ...parameters, limit, offset, page.language],
  );
  return backwards ? rows.reverse() : rows;
}

/** The product numbers of a page of a list. */
export async function productNosOfList(
  db: ListDatabase,
  confined: readonly ScopeFilter[],
  { sort, offset, limit }: Pick<ListWindow, 'sort' | 'offset' | 'limit'>,
): Promise<number[]> {
  const { scope, text, parameters } = splitScopeFilters(confined);
  const rows = await selectVarying<{ product_no: number }>(
    db.catalogue,
    db.engine,
    `select product_no from listings where scope_id = ? and sort = ?${text} order by key, product_no limit ? offset ?`,
    [scope.scopeId, sort, ...parameters, limit, offset],
  );
  return rows.map((row) => row.product_no);
}

/** Counts by scanning the whole of the smallest scope. */
export async function countListRows(db: ListDatabase, confined: readonly ScopeFilter[]): Promise<number> {
  const { scope, text, parameters } = splitScopeFilters(confined);
  const rows = await selectVarying<{ count: number }>(
    db.catalogue,
    db.engine,
    `select count(*) as count from listings where scope_id = ? and sort = 'd'${text}`,
    [scope.scopeId, ...parameters],
  );
  return Number(rows[0]?.count ?? 0);
}

/** How many products have these scopes of brand and category and these flags. */
export interface FacetGroup {
  brand_scope: number;
  category_scope: number;
  flags: number;
  count: number;
}

/** Groups the products of a list by everything that its rows hold. */
export async function facetGroupsOfList(db: ListDatabase, confined: readonly ScopeFilter[]): Promise<FacetGroup[]> {
  const { scope, text, parameters } = splitScopeFilters(confined);
  const columns = 'brand_scope, category_scope, flags';
  const rows = await selectVarying<FacetGroup>(
    db.catalogue,
    db.engine,
    `select ${columns}, count(*) as count from listings where scope_id = ? and sort = 'd'${text} group by ${columns}`,
    [scope.scopeId, ...parameters],
  );
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** The tables that say which tags a product has and which stores have it. */
export const memberships = { tag: ['product_tags', 'tag_id'], store: ['product_stores', 'store_id'] } as const;
export type Membership = keyof typeof memberships;

/** Counts the products of a list by tag or store. */
export async function membersOfList(
  db: ListDatabase,
  confined: readonly ScopeFilter[],
  membership: Membership,
): Promise<Map<string, number>> {
  const { scope, text, parameters } = splitScopeFilters(confined);
  const [table, column] = memberships[membership];
  const rows = await selectVarying<{ name: string; count: number }>(
    db.catalogue,
    db.engine,
    `select m.${column} as name, count(*) as count
     from (select product_no from listings where scope_id = ? and sort = 'd'${text}) l
     join ${table} m on m.product_no = l.product_no group by m.${column}`,
    [scope.scopeId, ...parameters],
  );
  return new Map(rows.map(({ name, count }) => [name, Number(count)]));
}

/** Cards in the order of `nos`. */
export async function cardsByNo(db: Database, nos: readonly number[], language: string): Promise<CardRow[]> {
  if (nos.length === 0) return [];
  const places = nos.map(() => '?').join(', ');
  const rows = await selectVarying<CardRow>(
    db.catalogue,
    db.engine,
    `select c.product_no, ${cardFields} from product_cards c where product_no in (${places}) and language = ?`,
    [...nos, language],
  );
  const byNo = new Map(rows.map((row) => [row.product_no, row]));
  return nos.flatMap((no) => byNo.get(no) ?? []);
}
