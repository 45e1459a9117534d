import {
  capacityRanges,
  type FilterColour,
  type FilterRange,
  filterColourNames,
  formatFilterRange,
} from '#contract/list-filters.ts';
import type { LocalText } from '#contract/locales.ts';
import type { ProductFacets } from '#contract/schemas/catalogue.ts';
import type { Query } from '#contract/shop/endpoints.ts';
import { notFound } from '#server/platform/errors.ts';
import { scopeNames } from '../products/listing.ts';
import { anyStore } from '../products/product.ts';
import { type TaxonomyNames, withDescendants } from '../taxonomy/taxonomy.ts';

export type CountOfScope = (scope: string) => number;

/** And the condition that each is counted without. */
const conditions = {
  brand: 'brandName',
  category: 'categoryName',
  tag: 'tagName',
  price: 'priceRange',
  capacity: 'capacityRange',
  colour: 'colour',
  store: 'localStoreName',
} as const satisfies Record<string, keyof ListFilter>;
type Facet = keyof typeof conditions;

/** Each without its own condition. `counter` is called once for each narrower filter. */
export async function countFacets(
  filter: ListFilter,
  counter: (filter: ListFilter) => Promise<CountOfScope>,
): Promise<Record<Facet, CountOfScope>> {
  const counters = new Map<string, CountOfScope>();
  const counts: Partial<Record<Facet, CountOfScope>> = {};
  for (const facet of Object.keys(conditions) as Facet[]) {
    const { [conditions[facet]]: _own, ...others } = filter;
    const key = JSON.stringify(others);
    const count = counters.get(key) ?? (await counter(others));
    counters.set(key, count);
    counts[facet] = count;
  }
  return counts as Record<Facet, CountOfScope>;
}

/** With those below it. */
export function countCategory(names: FilterContext['names'], count: CountOfScope, id: string): number {
  return withDescendants(names, id).reduce((sum, each) => sum + count(scopeNames.category(each)), 0);
}

const swatchOf: Readonly<Record<FilterColour, string>> = {
  white: '#f4f1ea',
  beige: '#d9c7a6',
  grey: '#8d8b88',
  black: '#26241f',
  brown: '#7a5236',
  red: '#a83c2c',
  pink: '#d9a39a',
  orange: '#d07b35',
  yellow: '#e0b93f',
  green: '#6f8f6a',
  blue: '#46708a',
  purple: '#7d6290',
};

/** Besides what products have. */
export interface OfferedNames {
  stores: readonly { id: string; name: LocalText }[];
  /** In the order in which they are offered. Unknown ones are left out. */
  tags: readonly string[];
}

type Counts = Readonly<Record<Facet, CountOfScope>>;

/** Every value that has products, and those that the filter names. */
export function facetsOf(
  filter: ListFilter,
  { names, prices }: FilterContext,
  counts: Counts,
  offered: OfferedNames,
): Omit<ProductFacets, 'count' | 'currency'> {
  const used = <E extends { name: string; count: number }>(entries: E[], own: string | undefined): E[] =>
    entries.filter(({ name, count }) => count > 0 || name === own);
  const ranged = (facet: 'price' | 'capacity', ranges: readonly FilterRange[], own: string | undefined) =>
    ranges
      .map((each) => ({
        range: formatFilterRange(each),
        ...each,
        count: counts[facet](scopeNames[facet](each)),
      }))
      .filter(({ range, count }) => count > 0 || range === own);
  const named = <N extends LocalText>(facet: 'brand' | 'store' | 'tag', id: string, name: N) => ({
    name: id,
    nameContent: name,
    count: (facet === 'store' ? scopesOfStore(id) : [scopeNames[facet](id)]).reduce(
      (sum, scope) => sum + counts[facet](scope),
      0,
    ),
  });
  const colours = filterColourNames.map((name) => ({
    name,
    color: swatchOf[name],
    count: counts.colour(scopeNames.colour(name)),
  }));
  const tags = offered.tags.flatMap((id) => {
    const tag = names.tags.get(id);
    return tag ? [named('tag', id, tag.name)] : [];
  });
  return {
    brands: used(
      [...names.brands.values()].map(({ id, name }) => named('brand', id, name)),
      filter.brandName,
    ),
    categories: used(
      [...names.categories.values()].map(({ id, name, parentId }) => ({
        name: id,
        nameContent: name,
        count: countCategory(names, counts.category, id),
        parent: parentId,
      })),
      filter.categoryName,
    ),
    prices: ranged('price', prices, filter.priceRange),
    capacities: ranged('capacity', capacityRanges, filter.capacityRange),
    colours: used(colours, filter.colour),
    stores: used(
      offered.stores.map(({ id, name }) => named('store', id, name)),
      filter.localStoreName,
    ),
    tags: used(tags, filter.tagName),
  };
}

/** No product is in both. */
export const scopesOfStore = (id: string): string[] => [scopeNames.store(id), scopeNames.store(anyStore)];

export type ListFilter = Omit<Query<'productCount'>, 'lang'>;

export interface FilterContext {
  names: TaxonomyNames;
  prices: readonly FilterRange[];
}

/** Each with those that stand for it: a category's own and those below it. @throws {AppError} 404 for unknown names and ranges */
export function filterScopes(
  filter: ListFilter,
  { names, prices }: FilterContext,
): ReadonlyMap<string, readonly string[]> {
  const { categoryName, brandName, tagName, priceRange, capacityRange, colour, localStoreName } = filter;
  const scopes = new Map<string, readonly string[]>();
  const add = (scope: string, isKnown = true, parts = [scope]) => {
    if (!isKnown) throw notFound();
    scopes.set(scope, parts);
  };
  const isRange = (ranges: readonly FilterRange[], wanted: string) =>
    ranges.some((range) => formatFilterRange(range) === wanted);
  if (categoryName !== undefined) {
    const below = withDescendants(names, categoryName).map(scopeNames.category);
    add(scopeNames.category(categoryName), names.categories.has(categoryName), below);
  }
  if (brandName !== undefined) add(scopeNames.brand(brandName), names.brands.has(brandName));
  if (tagName !== undefined) add(scopeNames.tag(tagName), names.tags.has(tagName));
  if (priceRange !== undefined) add(`price:${priceRange}`, isRange(prices, priceRange));
  if (capacityRange !== undefined) add(`capacity:${capacityRange}`, isRange(capacityRanges, capacityRange));
  if (colour !== undefined)
    add(scopeNames.colour(colour), (filterColourNames as readonly string[]).includes(colour));
  if (localStoreName !== undefined)
    add(scopeNames.store(localStoreName), true, scopesOfStore(localStoreName));
  if (filter.onSale) add(scopeNames.sale);
  if (filter.clearance) add(scopeNames.clearance);
  if (filter.newArrival) add(scopeNames.new);
  return scopes;
}
