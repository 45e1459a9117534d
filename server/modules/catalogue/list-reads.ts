/** The reads of lists and searches whose cost grows with the catalogue, as SQL. */
import type { Database } from '#db/database.ts';
import { countValues, type FacetValue } from './facet-values.ts';
import type { ScopeFilter } from './list-filter.ts';
import { sortColumns } from './listing-record.ts';
import { countListRows, facetGroupsOfList, type Membership, membersOfList, productNosOfList } from './lists.repository.ts';
import type { QueryPlan, QueryPlanner } from './search/plan-query.ts';
import { scopeToken } from './search/tokens.ts';
import {
  countResults,
  facetGroupsOfResults,
  membersOfResults,
  resultsByRelevance,
  resultsBySort,
} from './search-results.repository.ts';

/** A list or a search. */
export interface ListQuery {
  /** The text that is searched; undefined for a list. */
  text: string | undefined;
  /** The scopes that it is restricted to; not empty. */
  filters: readonly ScopeFilter[];
  /** The id of the scope that lists every product. */
  allScope: number;
}

export interface PageQuery extends ListQuery {
  /** `sort` of `listings`. The default order of a search is by relevance. */
  sort: string;
  offset: number;
  limit: number;
}

export interface FoundPage {
  /** Product numbers in their order. */
  nos: number[];
  /** The text that was searched instead; null if the original text was used. */
  correctedTo: string | null;
}

export interface ListReads {
  page(query: PageQuery): Promise<FoundPage>;
  count(query: ListQuery): Promise<number>;
  /** The number of products of each value, by the value's scope. */
  facets(query: ListQuery, values: readonly FacetValue[]): Promise<ReadonlyMap<number, number>>;
}

/** The part of a database that these reads need. */
export type ListDatabase = Pick<Database, 'engine' | 'queries' | 'catalogue'>;

/** Tokens that all results must have, such as a brand's scope. */
export function filterTokens({ filters }: ListQuery): string[] {
  return filters.flatMap(({ kind, scopeId }) => (kind === 'all' ? [] : [scopeToken(scopeId)]));
}

export function createSqlListReads(db: ListDatabase, planner: QueryPlanner): ListReads {
  const resultOf = ({ rankGroups }: QueryPlan, query: ListQuery) =>
    rankGroups.length > 0 ? { tiers: rankGroups, filters: filterTokens(query) } : null;

  return {
    async page(query) {
      const { text, sort, offset, limit, allScope } = query;
      if (text === undefined) return { nos: await productNosOfList(db, query.filters, query), correctedTo: null };
      const plan = await planner.plan(text);
      const found = resultOf(plan, query);
      if (!found) return { nos: [], correctedTo: null };
      const nos =
        sort === sortColumns.default
          ? await resultsByRelevance(db, found, offset, limit)
          : await resultsBySort(db, found, sort, allScope, offset, limit);
      return { nos, correctedTo: plan.correctedTo };
    },
    async count(query) {
      if (query.text === undefined) return await countListRows(db, query.filters);
      const found = resultOf(await planner.plan(query.text), query);
      return found ? await countResults(db, found) : 0;
    },
    async facets(query, values) {
      const { text, filters, allScope } = query;
      const found = text === undefined ? undefined : resultOf(await planner.plan(text), query);
      if (found === null) return new Map();
      const isAsked = (...kinds: FacetValue['by'][]) => values.some(({ by }) => kinds.includes(by));
      const members = async (membership: Membership): Promise<ReadonlyMap<string, number>> => {
        if (!isAsked(membership)) return new Map();
        return found ? await membersOfResults(db, found, membership) : await membersOfList(db, filters, membership);
      };
      const grouped = found ? () => facetGroupsOfResults(db, found, allScope) : () => facetGroupsOfList(db, filters);
      const groups = isAsked('brand', 'category', 'flags') ? await grouped() : [];
      return countValues(values, groups, { tag: await members('tag'), store: await members('store') });
    },
  };
}
