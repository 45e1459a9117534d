/** How many products a list has, remembered for as long as the catalogue version stands. */
import type { Database } from '#db/database.ts';
import type { ScopeFilter } from './list-filter.ts';
import { countListRows } from './lists.repository.ts';
import type { Taxonomy } from './taxonomy.ts';

/** Counts of lists with several filters that are remembered. */
const mostCounts = 10_000;

export function createListCounts(db: Database) {
  /** A taxonomy is loaded once for each catalogue version. */
  const countsByTaxonomy = new WeakMap<Taxonomy, Map<string, number>>();

  function countsOf(taxonomy: Taxonomy): Map<string, number> {
    const counts = countsByTaxonomy.get(taxonomy) ?? new Map<string, number>();
    countsByTaxonomy.set(taxonomy, counts);
    return counts;
  }

  /** The count, or undefined if nobody has asked for it yet. Never queries. */
  function known(filters: readonly ScopeFilter[], taxonomy: Taxonomy): number | undefined {
    return filters.length === 1 ? filters[0]?.count : countsOf(taxonomy).get(keyOf(filters));
  }

  return {
    known,
    async count(filters: readonly ScopeFilter[], taxonomy: Taxonomy): Promise<number> {
      const before = known(filters, taxonomy);
      if (before !== undefined) return before;
      const count = await countListRows(db, filters);
      const counts = countsOf(taxonomy);
      if (counts.size >= mostCounts) counts.clear();
      counts.set(keyOf(filters), count);
      return count;
    },
  };
}

function keyOf(filters: readonly ScopeFilter[]): string {
  return filters.map(({ scopeId }) => scopeId).join(' ');
}
