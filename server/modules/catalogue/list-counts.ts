/** Counts the products of lists, cached until the catalogue version changes. */
import type { ScopeFilter } from './list-filter.ts';
import type { Taxonomy } from './taxonomy.ts';

/** The number of cached counts of lists with several filters. */
const mostCounts = 10_000;

export function createListCounts() {
  /** A taxonomy is loaded once for each catalogue version. */
  const countsByTaxonomy = new WeakMap<Taxonomy, Map<string, number>>();

  function countsOf(taxonomy: Taxonomy): Map<string, number> {
    const counts = countsByTaxonomy.get(taxonomy) ?? new Map<string, number>();
    countsByTaxonomy.set(taxonomy, counts);
    return counts;
  }

  /** The cached count, or undefined if there is none. Never queries. */
  function known(filters: readonly ScopeFilter[], taxonomy: Taxonomy): number | undefined {
    return filters.length === 1 ? filters[0]?.count : countsOf(taxonomy).get(keyOf(filters));
  }

  return {
    known,
    /** The cached count, or that of `read`. */
    async count(filters: readonly ScopeFilter[], taxonomy: Taxonomy, read: () => Promise<number>): Promise<number> {
      const before = known(filters, taxonomy);
      if (before !== undefined) return before;
      const count = await read();
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
