import type { ProductFacets } from '#contract/schemas/catalogue.ts';
import type { Query } from '#contract/shop/endpoints.ts';
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
  | 'categoryName'
  | 'brandName'
  | 'tagName'
  | 'onSale'
  | 'newArrival'
  | 'priceRange'
  | 'capacityRange'
  | 'colour'
  | 'localStoreName'
  | 'nameLike'
>;
export type SortedFilters = ListFilters & Pick<Query<'products'>, 'sortby'>;

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

const parameters = {
  cat: 'categoryName',
  brand: 'brandName',
  price: 'priceRange',
  capacity: 'capacityRange',
  colour: 'colour',
  store: 'localStoreName',
  tag: 'tagName',
} as const satisfies Partial<Record<keyof ListSearch, keyof ListFilters>>;

export type FilterName = keyof typeof parameters;
const filterNames = Object.keys(parameters) as FilterName[];

/** The filter that a list is made of, which its address has in the path. */
const ownFilter: Partial<Record<ListSource['kind'], FilterName>> = {
  category: 'cat',
  brand: 'brand',
  tag: 'tag',
};

/** Whether a list can be filtered by this: a category's, brand's or tag's own list cannot be filtered by another one. */
export function canFilter(source: ListSource, name: FilterName): boolean {
  return ownFilter[source.kind] !== name;
}

export function activeFilters(source: ListSource, search: ListSearch): FilterName[] {
  return filterNames.filter((name) => search[name] !== undefined && canFilter(source, name));
}

export function filtersOf(source: ListSource, search: ListSearch): ListFilters {
  const chosen = activeFilters(source, search).map((name) => [parameters[name], search[name]]);
  return { ...(Object.fromEntries(chosen) as ListFilters), ...ownFilters(source) };
}

export function sortedFiltersOf(source: ListSource, search: ListSearch): SortedFilters {
  return {
    ...filtersOf(source, search),
    ...(search.sort && search.sort !== 'default' ? { sortby: search.sort } : {}),
  };
}

export function listUrl(source: ListSource, search: ListSearch): string {
  const own = ownFilter[source.kind];
  const kept = own ? { ...search, [own]: undefined } : search;
  switch (source.kind) {
    case 'all':
      return urls.productList(kept);
    case 'newArrival':
      return urls.productList({ ...kept, newArrival: true });
    case 'sale':
      return urls.clearance(kept);
    case 'category':
      return urls.category(source.name, kept);
    case 'brand':
      return urls.brand(source.name, kept);
    case 'tag':
      return urls.tag(source.name, kept);
    case 'search':
      return urls.search(source.key, kept);
  }
}

export function categoryOf(source: ListSource, search: ListSearch): string | undefined {
  return source.kind === 'category' ? source.name : search.cat;
}

/** From its first page. A category's own list leads to the other category's page. */
export function filterUrl(
  source: ListSource,
  { page: _, ...search }: ListSearch,
  name: FilterName,
  value: string | undefined,
): string {
  const changed: ListSearch = { ...search, [name]: value };
  if (name !== 'cat' || (source.kind !== 'category' && source.kind !== 'all'))
    return listUrl(source, changed);
  const { cat, ...kept } = changed;
  return cat ? urls.category(cat, kept) : urls.productList(kept);
}

type CategoryFacet = ProductFacets['categories'][number];
export interface CategoryBranch extends CategoryFacet {
  children: CategoryBranch[];
}

/** Nests categories under their parents. A category whose parent is missing is at the top level. */
export function categoryTree(categories: CategoryFacet[]): CategoryBranch[] {
  const branches = new Map<string, CategoryBranch>(
    categories.map((category) => [category.name, { ...category, children: [] }]),
  );
  const top: CategoryBranch[] = [];
  for (const branch of branches.values()) {
    const siblings = branches.get(branch.parent ?? '')?.children ?? top;
    siblings.push(branch);
  }
  return top;
}

/** What a list of a category or of all products shows as links above it: the children of the category, or the top level. */
export function subCategories(source: ListSource, categories: CategoryFacet[]): CategoryFacet[] {
  if (source.kind === 'all') return childrenOf(categories, undefined);
  return source.kind === 'category' ? childrenOf(categories, source.name) : [];
}

export function childrenOf(categories: CategoryFacet[], name: string | undefined): CategoryFacet[] {
  return name === undefined
    ? categories.filter(({ parent }) => parent === null)
    : categories.filter(({ parent }) => parent === name);
}
