/** The values of filters that products are counted by, and how the tables say that a product has one. */
import { capacityRanges, filterColourNames } from '#contract/list-filters.ts';
import { filterBits } from './filter-scopes.ts';
import type { FilterKind } from './list-filter.ts';
import type { FacetGroup, Membership } from './lists.repository.ts';
import { scopeNames, type Taxonomy, withDescendants } from './taxonomy.ts';

/** What lists can be filtered by. */
export type Facet = Exclude<FilterKind, 'all' | 'flag'>;

/** A value of a filter. Plain data, which another thread can be sent. */
export type FacetValue = { scopeId: number } & (
  | { by: 'brand' }
  /** `scopes`: its own and those of the categories below it. */
  | { by: 'category'; scopes: readonly number[] }
  /** A bit of `listings.flags`. */
  | { by: 'flags'; bit: number }
  | { by: Membership; id: string }
);

/** All values of a facet that have a scope. */
export function valuesOf(facet: Facet, taxonomy: Taxonomy): FacetValue[] {
  const idOf = (name: string) => taxonomy.scopes.get(name)?.id;
  const withScope = (name: string, rest: (scopeId: number) => FacetValue): FacetValue[] => {
    const scopeId = idOf(name);
    return scopeId === undefined ? [] : [rest(scopeId)];
  };
  const flag = (name: string, bit: number) => withScope(name, (scopeId) => ({ scopeId, by: 'flags', bit }));
  const storePrefix = scopeNames.store('');
  switch (facet) {
    case 'brand':
      return [...taxonomy.brands.keys()].flatMap((id) =>
        withScope(scopeNames.brand(id), (scopeId) => ({ scopeId, by: 'brand' })),
      );
    case 'category':
      return [...taxonomy.categories.keys()].flatMap((id) => {
        const scopes = withDescendants(taxonomy, id).flatMap((below) => idOf(scopeNames.category(below)) ?? []);
        return withScope(scopeNames.category(id), (scopeId) => ({ scopeId, by: 'category', scopes }));
      });
    case 'price':
      return taxonomy.priceRanges.flatMap((range, index) => flag(scopeNames.price(range), filterBits.price(index)));
    case 'capacity':
      return capacityRanges.flatMap((range, index) => flag(scopeNames.capacity(range), filterBits.capacity(index)));
    case 'colour':
      return filterColourNames.flatMap((name, index) => flag(scopeNames.colour(name), filterBits.colour(index)));
    case 'tag':
      return [...taxonomy.tags.keys()].flatMap((id) => withScope(scopeNames.tag(id), (scopeId) => ({ scopeId, by: 'tag', id })));
    case 'store':
      return [...taxonomy.scopes.values()].flatMap(({ id: scopeId, name }) =>
        name.startsWith(storePrefix) ? [{ scopeId, by: 'store', id: name.slice(storePrefix.length) }] : [],
      );
  }
}

/** Counts by the scopes of the values, from rows that SQL has grouped. */
export function countValues(
  values: readonly FacetValue[],
  groups: readonly FacetGroup[],
  members: Readonly<Record<Membership, ReadonlyMap<string, number>>>,
): Map<number, number> {
  const byScope = new Map<number, number>();
  const byFlags = new Map<number, number>();
  const add = (to: Map<number, number>, key: number, count: number) => to.set(key, (to.get(key) ?? 0) + count);
  for (const { brand_scope, category_scope, flags, count } of groups) {
    add(byScope, brand_scope, count);
    add(byScope, category_scope, count);
    add(byFlags, flags, count);
  }
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const countOf = (value: FacetValue): number => {
    if (value.by === 'brand') return byScope.get(value.scopeId) ?? 0;
    if (value.by === 'category') return sum(value.scopes.map((scope) => byScope.get(scope) ?? 0));
    if (value.by === 'flags') return sum([...byFlags].map(([flags, count]) => ((flags & value.bit) === 0 ? 0 : count)));
    return members[value.by].get(value.id) ?? 0;
  };
  return new Map(values.map((value) => [value.scopeId, countOf(value)]));
}
