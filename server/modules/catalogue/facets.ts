/** What a list can be filtered by, in its wire shape. */
import {
  capacityRanges,
  type FilterColour,
  type FilterRange,
  filterColourNames,
  formatFilterRange,
} from '#contract/list-filters.ts';
import type { LocalText } from '#contract/locales.ts';
import type { ProductFacets } from '#contract/schemas/catalogue.ts';
import type { CountOfScope } from './facet-counts.ts';
import type { Facet } from './facet-values.ts';
import type { ListFilter } from './list-filter.ts';
import { scopeNames, type Taxonomy } from './taxonomy.ts';

/** How each colour is shown. */
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

/** What the shop offers as filters besides what products have. */
export interface OfferedNames {
  stores: readonly { id: string; name: LocalText }[];
  /** Ids, in the order in which they are offered. Unknown ones are left out. */
  tags: readonly string[];
}

type Counts = Readonly<Record<Facet, CountOfScope>>;

/** Every value that has products, and those that the filter names. */
export function facetsOf(
  filter: ListFilter,
  taxonomy: Taxonomy,
  counts: Counts,
  offered: OfferedNames,
): Omit<ProductFacets, 'count' | 'currency'> {
  const used = <E extends { name: string; count: number }>(entries: E[], own: string | undefined): E[] =>
    entries.filter(({ name, count }) => count > 0 || name === own);
  const ranged = (facet: 'price' | 'capacity', ranges: readonly FilterRange[], own: string | undefined) =>
    ranges
      .map((each) => ({ range: formatFilterRange(each), ...each, count: counts[facet](scopeNames[facet](each)) }))
      .filter(({ range, count }) => count > 0 || range === own);
  const named = <N extends LocalText>(facet: 'brand' | 'category' | 'store' | 'tag', id: string, name: N) => ({
    name: id,
    nameContent: name,
    count: counts[facet](scopeNames[facet](id)),
  });
  const colours = filterColourNames.map((name) => ({
    name,
    color: swatchOf[name],
    count: counts.colour(scopeNames.colour(name)),
  }));
  const tags = offered.tags.flatMap((id) => {
    const tag = taxonomy.tags.get(id);
    return tag ? [named('tag', id, tag.name)] : [];
  });
  return {
    brands: used(
      [...taxonomy.brands.values()].map(({ id, name }) => named('brand', id, name)),
      filter.brandName,
    ),
    categories: used(
      [...taxonomy.categories.values()].map(({ id, name, parentId }) => ({ ...named('category', id, name), parent: parentId })),
      filter.categoryName,
    ),
    prices: ranged('price', taxonomy.priceRanges, filter.priceRange),
    capacities: ranged('capacity', capacityRanges, filter.capacityRange),
    colours: used(colours, filter.colour),
    stores: used(
      offered.stores.map(({ id, name }) => named('store', id, name)),
      filter.localStoreName,
    ),
    tags: used(tags, filter.tagName),
  };
}
