/** Pages, counts, sorts and groups the results of a search. */
import { sql } from 'kysely';
import type { SearchMatch, SearchSegment } from '#db/engines/search.ts';
import type { ListDatabase } from './list-reads.ts';
import type { ListingRecord } from './listing-record.ts';
import { type FacetGroup, type Membership, memberships } from './lists.repository.ts';
import { keyEnd, productNoOf, soldOutFrom } from './order-key.ts';
import type { Groups } from './search/plan-query.ts';

export interface SearchResult {
  /** Best matches first; each tier includes those before it. Not empty. */
  tiers: readonly Groups[];
  /** Tokens that all results must have, such as a brand's scope. */
  filters: readonly string[];
}

/** Matches every result. */
export function matchOf({ tiers, filters }: SearchResult): SearchMatch {
  return { all: [...(tiers.at(-1) ?? []), ...filters.map((token) => [token])] };
}

/** By tier, then in the default order; all sold-out products after all others. */
function segmentsOf({ tiers, filters }: SearchResult): SearchSegment[] {
  const narrowed = filters.map((token) => [token]);
  const matches = tiers.map((tier, index) => {
    const before = tiers[index - 1];
    return { all: [...tier, ...narrowed], without: before ? [before] : [] };
  });
  return [
    ...matches.map((match) => ({ match, from: 0, below: soldOutFrom })),
    ...matches.map((match) => ({ match, from: soldOutFrom, below: keyEnd })),
  ];
}

/** Product numbers, best matches first. Rows before the page are read with it, in one query. */
export async function resultsByRelevance(
  db: ListDatabase,
  found: SearchResult,
  offset: number,
  limit: number,
): Promise<number[]> {
  const keys = await db.queries.search.find(db.catalogue, segmentsOf(found), offset + limit);
  return keys.slice(offset).map(productNoOf);
}

export function countResults(db: ListDatabase, found: SearchResult): Promise<number> {
  return db.queries.search.count(db.catalogue, matchOf(found));
}

/** Fewer results than this are sorted in memory; more are frequent enough to find by scanning the order. */
const few = 1000;

/** Product numbers in the order of `sort` of `listings`. `allScope` lists every product. */
export async function resultsBySort(
  db: ListDatabase,
  found: SearchResult,
  sort: string,
  allScope: number,
  offset: number,
  limit: number,
): Promise<number[]> {
  const match = matchOf(found);
  const keys = await db.queries.search.find(db.catalogue, [{ match, from: 0, below: keyEnd }], few);
  if (keys.length < few) return await sortedByHand(db, keys.map(productNoOf), sort, offset, limit);
  const { rows } = await sql<{ product_no: number }>`
    select product_no from listings
    where scope_id = ${allScope} and sort = ${sort}
      and product_no in (select found.key % 16777216 from (${db.queries.search.keys(match)}) as found)
    order by key, product_no limit ${limit} offset ${offset}`.execute(db.catalogue);
  return rows.map((row) => row.product_no);
}

async function sortedByHand(
  db: ListDatabase,
  nos: readonly number[],
  sort: string,
  offset: number,
  limit: number,
): Promise<number[]> {
  if (nos.length === 0) return [];
  const rows = await db.catalogue.selectFrom('products').select(['no', 'listing']).where('no', 'in', nos).execute();
  const keyed = rows.flatMap(({ no, listing }) => (listing === null ? [] : [{ no, key: keyIn(JSON.parse(listing), sort) }]));
  return keyed
    .sort((a, b) => a.key - b.key || a.no - b.no)
    .slice(offset, offset + limit)
    .map(({ no }) => no);
}

function keyIn(record: ListingRecord, sort: string): number {
  return sort === 'p' ? record.price : (Object.entries(record.names).find(([locale]) => locale === sort)?.[1] ?? 0);
}

/** Groups results by the scopes of their brand and category and by their flags. */
export async function facetGroupsOfResults(db: ListDatabase, found: SearchResult, allScope: number): Promise<FacetGroup[]> {
  const { rows } = await sql<FacetGroup>`
    select l.brand_scope, l.category_scope, l.flags, count(*) as count
    from (${db.queries.search.keys(matchOf(found))}) as found
    join listings l on l.scope_id = ${allScope} and l.sort = 'd' and l.key = found.key
    group by l.brand_scope, l.category_scope, l.flags`.execute(db.catalogue);
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** Counts results by tag or store. */
export async function membersOfResults(
  db: ListDatabase,
  found: SearchResult,
  membership: Membership,
): Promise<Map<string, number>> {
  const [table, column] = memberships[membership];
  const { rows } = await sql<{ name: string; count: number }>`
    select ${sql.ref(`m.${column}`)} as name, count(*) as count
    from (${db.queries.search.keys(matchOf(found))}) as found
    join ${sql.table(table)} m on m.product_no = found.key % 16777216
    group by ${sql.ref(`m.${column}`)}`.execute(db.catalogue);
  return new Map(rows.map(({ name, count }) => [name, Number(count)]));
}
