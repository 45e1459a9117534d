/** The source of a list as a page's address names it, and the API conditions for it. */
import type { Query } from '#contract/endpoints.ts';
import { type ListSearch, urls } from '#web/lib/urls.ts';

export type ListSource =
  | { kind: 'all' }
  | { kind: 'newArrival' }
  | { kind: 'sale' }
  | { kind: 'category'; name: string }
  | { kind: 'brand'; name: string }
  | { kind: 'tag'; name: string }
  | { kind: 'search'; key: string };

export type ListFilters = Pick<
  Query<'productFacets'>,
  'categoryName' | 'brandName' | 'tagName' | 'onSale' | 'newArrival' | 'nameLike'
>;
export type SortedFilters = ListFilters & Pick<Query<'products'>, 'sortby'>;

/** The source of a list, before filters. */
function ownFilters(source: ListSource): ListFilters {
  switch (source.kind) {
    case 'all':
      return {};
    case 'newArrival':
      return { newArrival: true };
    case 'sale':
      return { onSale: true };
    case 'category':
      return { categoryName: source.name };
    case 'brand':
      return { brandName: source.name };
    case 'tag':
      return { tagName: source.name };
    case 'search':
      return { nameLike: source.key };
  }
}

/** The conditions of a list. A category's or brand's own list cannot be filtered by another one. */
export function filtersOf(source: ListSource, { cat, brand }: ListSearch): ListFilters {
  return { ...(cat ? { categoryName: cat } : {}), ...(brand ? { brandName: brand } : {}), ...ownFilters(source) };
}

export function sortedFiltersOf(source: ListSource, search: ListSearch): SortedFilters {
  return { ...filtersOf(source, search), ...(search.sort && search.sort !== 'default' ? { sortby: search.sort } : {}) };
}

/** The address of a list with its filters and order. */
export function listUrl(source: ListSource, { cat, ...rest }: ListSearch): string {
  switch (source.kind) {
    case 'all':
      return urls.productList({ cat, ...rest });
    case 'newArrival':
      return urls.productList({ cat, ...rest, newArrival: true });
    case 'sale':
      return urls.clearance({ cat, ...rest });
    case 'category':
      return urls.category(source.name, rest);
    case 'brand':
      return urls.brand(source.name, { cat, sort: rest.sort, page: rest.page });
    case 'tag':
      return urls.tag(source.name, { cat, ...rest });
    case 'search':
      return urls.search(source.key, { cat, ...rest });
  }
}

/** The category of a list, whether it is the source or a filter. */
export function categoryOf(source: ListSource, search: ListSearch): string | undefined {
  return source.kind === 'category' ? source.name : search.cat;
}

/**
 * The address of the same list in another category; without one, in all. A category's own list leads to the other category's
 * page.
 */
export function categoryUrl(source: ListSource, { brand, sort }: ListSearch, cat: string | undefined): string {
  if (source.kind !== 'category' && source.kind !== 'all') return listUrl(source, { cat, brand, sort });
  return cat ? urls.category(cat, { brand, sort }) : urls.productList({ brand, sort });
}

/** The address of the same list for one brand; without one, for all. */
export function brandUrl(source: ListSource, { cat, sort }: ListSearch, brand: string | undefined): string {
  return listUrl(source, { cat, brand, sort });
}
