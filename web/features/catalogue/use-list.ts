import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { limits } from '#contract/limits.ts';
import type { ProductFacets, ProductSummary, SearchList } from '#contract/schemas/catalogue.ts';
import { useApi } from '#web/lib/api.ts';
import { usePaged } from '#web/lib/paged.ts';
import type { ListSearch } from '#web/lib/urls.ts';
import { countQuery, facetsQuery, productListQuery } from './queries.ts';
import { filtersOf, type ListSource, sortedFiltersOf } from './source.ts';

/** Until the filters have loaded, or if they cannot be, the list is shown without them. */
const noFacets: ProductFacets = {
  count: 0,
  currency: 'CAD',
  brands: [],
  categories: [],
  prices: [],
  capacities: [],
  colours: [],
  stores: [],
  tags: [],
};

export function useList(source: ListSource, search: ListSearch) {
  const api = useApi();
  const query = useInfiniteQuery(productListQuery(api, sortedFiltersOf(source, search), search.page ?? 1));
  const filters = filtersOf(source, search);
  const count = useQuery(countQuery(api, filters)).data ?? -1;
  const facets = useQuery(facetsQuery(api, filters)).data;
  return {
    ...usePaged(query, { pageSize: limits.pageSize, count, itemsOf, idOf }),
    facets: facets ?? noFacets,
    correctedTo: query.data?.pages[0]?.correctedTo ?? null,
  };
}

export type List = ReturnType<typeof useList>;

function itemsOf({ products }: SearchList): ProductSummary[] {
  return products;
}

function idOf({ id }: ProductSummary): string {
  return id;
}
