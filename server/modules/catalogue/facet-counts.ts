/** Counts the products of a list by what it can be filtered by. */
import type { Database } from '#db/database.ts';
import { type Facet, type FacetValue, valuesOf } from './facet-values.ts';
import { type ListFilter, scopeFilters } from './list-filter.ts';
import { countsWithin } from './scope-pairs.repository.ts';
import type { Taxonomy } from './taxonomy.ts';

/** Counts by the names of scopes; a name that is missing has no product. */
export type CountOfScope = (scopeName: string) => number;

interface FacetCountDeps {
  db: Database;
  taxonomy: Taxonomy;
  /** Counts by the scopes of the values, for lists with several filters and for searches. */
  read: (filter: ListFilter, values: readonly FacetValue[]) => Promise<ReadonlyMap<number, number>>;
}

interface SharedCounts {
  filter: ListFilter;
  facets: Facet[];
}

/** The condition of each facet, which it is counted without. */
const conditions = {
  brand: 'brandName',
  category: 'categoryName',
  tag: 'tagName',
  price: 'priceRange',
  capacity: 'capacityRange',
  colour: 'colour',
  store: 'localStoreName',
} as const satisfies Record<Facet, keyof ListFilter>;

/** Counts every facet without its own condition. What several facets have in common is read once. */
export async function countFacets(deps: FacetCountDeps, filter: ListFilter): Promise<Record<Facet, CountOfScope>> {
  const shared = new Map<string, SharedCounts>();
  for (const facet of Object.keys(conditions) as Facet[]) {
    const { [conditions[facet]]: _own, ...others } = filter;
    const key = JSON.stringify(others);
    const entry: SharedCounts = shared.get(key) ?? { filter: others, facets: [] };
    entry.facets.push(facet);
    shared.set(key, entry);
  }
  const counted: [Facet, CountOfScope][] = [];
  for (const { filter: others, facets } of shared.values()) {
    const countOf = await countsOf(deps, others, facets);
    counted.push(...facets.map((facet) => [facet, countOf] satisfies [Facet, CountOfScope]));
  }
  return Object.fromEntries(counted) as Record<Facet, CountOfScope>;
}

async function countsOf({ db, taxonomy, read }: FacetCountDeps, filter: ListFilter, facets: Facet[]): Promise<CountOfScope> {
  const [scope, ...more] = scopeFilters(filter, taxonomy);
  const idOf = (name: string) => taxonomy.scopes.get(name)?.id ?? 0;
  if (filter.nameLike === undefined && scope && more.length === 0) {
    // The counts of whole scopes, and of what two scopes share, are kept while products are listed.
    if (scope.kind === 'all') return (name) => taxonomy.scopes.get(name)?.count ?? 0;
    const counts = await countsWithin(db, scope.scopeId);
    return (name) => counts.get(idOf(name)) ?? 0;
  }
  const counts = await read(
    filter,
    facets.flatMap((facet) => valuesOf(facet, taxonomy)),
  );
  return (name) => counts.get(idOf(name)) ?? 0;
}
