/** Reads lists and searches from the index in memory, and with SQL while it is being built. */
import { filterTokens, type ListQuery, type ListReads } from '../list-reads.ts';
import { sortColumns } from '../listing-record.ts';
import type { QueryPlan, QueryPlanner } from '../search/plan-query.ts';
import { scopeToken } from '../search/tokens.ts';
import type { IndexSynchronizer } from './index-synchronizer.ts';
import type { Selection } from './list-index.ts';

/** Plans that are remembered until words change. */
const mostPlans = 2000;

/** Remembers plans until words change. */
export function cachedPlanner(planner: QueryPlanner, synchronizer: Pick<IndexSynchronizer, 'words'>): QueryPlanner {
  const plans = new Map<string, QueryPlan>();
  let words = synchronizer.words;
  return {
    async plan(text) {
      if (words !== synchronizer.words || plans.size >= mostPlans) plans.clear();
      words = synchronizer.words;
      const known = plans.get(text);
      if (known) return known;
      const plan = await planner.plan(text);
      plans.set(text, plan);
      return plan;
    },
  };
}

export interface IndexedReadsDeps {
  synchronizer: Pick<IndexSynchronizer, 'current' | 'words'>;
  planner: QueryPlanner;
  /** Used while there is no index. */
  sqlReads: ListReads;
}

/** Call them in a snapshot of the synchronizer's reader. */
export function createIndexedReads({ synchronizer, planner, sqlReads }: IndexedReadsDeps): ListReads {
  /** Null if nothing can match. */
  async function select(query: ListQuery): Promise<{ selection: Selection | null; correctedTo: string | null }> {
    const filters = filterTokens(query);
    if (query.text === undefined) return { selection: { tiers: [], filters }, correctedTo: null };
    const { rankGroups, correctedTo } = await planner.plan(query.text);
    return { selection: rankGroups.length > 0 ? { tiers: rankGroups, filters } : null, correctedTo };
  }

  return {
    async page(query) {
      const index = await synchronizer.current();
      if (!index?.hasOrder(query.sort)) return await sqlReads.page(query);
      const { selection, correctedTo } = await select(query);
      if (!selection) return { nos: [], correctedTo: null };
      const byRelevance = query.text !== undefined && query.sort === sortColumns.default;
      const nos = byRelevance
        ? await index.byRelevance(selection, query.offset, query.limit)
        : await index.bySort(selection, query.sort, query.offset, query.limit);
      return { nos, correctedTo };
    },
    async count(query) {
      const index = await synchronizer.current();
      if (!index) return await sqlReads.count(query);
      const { selection } = await select(query);
      return selection ? await index.count(selection) : 0;
    },
    async facets(query, values) {
      const index = await synchronizer.current();
      if (!index) return await sqlReads.facets(query, values);
      const { selection } = await select(query);
      if (!selection) return new Map();
      // Every value of a filter is a scope, and every scope of a product a token.
      const counts = await index.countEach(
        selection,
        values.map(({ scopeId }) => scopeToken(scopeId)),
      );
      return new Map(values.map(({ scopeId }, at) => [scopeId, counts[at] ?? 0]));
    },
  };
}
