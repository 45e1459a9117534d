import { type InfiniteData, infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query';
import { limits } from '#contract/limits.ts';
import type { SearchList } from '#contract/schemas/catalogue.ts';
import { isMissing } from '#ui/errors.ts';
import type { ApiClient } from '#web/lib/api.ts';
import { listKeptMs } from '#web/lib/paged.ts';
import type { ListFilters, SortedFilters } from './source.ts';

/** Pages of 12 (SPEC §9), counted from 1. `startPage` is not part of the key, so that Back finds every page that had been loaded. */
export function productListQuery(api: ApiClient, filters: SortedFilters, startPage = 1) {
  return infiniteQueryOptions<SearchList, Error, InfiniteData<SearchList, number>, QueryKey, number>({
    queryKey: ['catalogue', 'products', api.locale, filters],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filters, startingPosition: (pageParam - 1) * limits.pageSize, numberToLoad: limits.pageSize };
      try {
        return await api.call('products', { query, signal });
      } catch (error) {
        // An unknown filter finds nothing and can be removed. Whether the page exists depends on its source only.
        if (isMissing(error)) return { products: [], correctedTo: null };
        throw error;
      }
    },
    initialPageParam: startPage,
    getNextPageParam: (last, _pages, page) => (last.products.length < limits.pageSize ? undefined : page + 1),
    getPreviousPageParam: (_first, _pages, page) => (page > 1 ? page - 1 : undefined),
    staleTime: 5 * 60_000,
    gcTime: listKeptMs,
  });
}

/** The number of products in a list; -1 if it could not be loaded (SPEC §8). */
export function countQuery(api: ApiClient, filters: ListFilters) {
  return queryOptions({
    queryKey: ['catalogue', 'count', api.locale, filters],
    queryFn: async ({ signal }) => {
      try {
        return (await api.call('productCount', { query: filters, signal })).count;
      } catch (error) {
        if (signal.aborted) throw error;
        return isMissing(error) ? 0 : -1;
      }
    },
    staleTime: ({ state }) => (state.data === -1 ? 0 : 60_000),
    gcTime: listKeptMs,
  });
}

/** Brand counts ignore the brand filter and category counts the category filter, so that the customer can switch. */
export function facetsQuery(api: ApiClient, filters: ListFilters) {
  return queryOptions({
    queryKey: ['catalogue', 'facets', api.locale, filters],
    queryFn: ({ signal }) => api.call('productFacets', { query: filters, signal }),
    gcTime: listKeptMs,
  });
}

export function categoryQuery(api: ApiClient, name: string) {
  return queryOptions({
    queryKey: ['catalogue', 'category', api.locale, name],
    queryFn: ({ signal }) => api.call('category', { params: { name }, signal }),
  });
}

export function brandQuery(api: ApiClient, name: string) {
  return queryOptions({
    queryKey: ['catalogue', 'brand', api.locale, name],
    queryFn: ({ signal }) => api.call('brand', { params: { name }, signal }),
  });
}

export function brandsQuery(api: ApiClient) {
  return queryOptions({
    queryKey: ['catalogue', 'brands', api.locale],
    queryFn: ({ signal }) => api.call('brands', { signal }),
  });
}

export function tagQuery(api: ApiClient, name: string) {
  return queryOptions({
    queryKey: ['catalogue', 'tag', api.locale, name],
    queryFn: ({ signal }) => api.call('tag', { params: { name }, signal }),
  });
}

export function newProductsQuery(api: ApiClient) {
  return queryOptions({
    queryKey: ['catalogue', 'new', api.locale],
    queryFn: ({ signal }) => api.call('products', { query: { newArrival: true, numberToLoad: 4 }, signal }),
    staleTime: 5 * 60_000,
  });
}

export function commonSearchesQuery(api: ApiClient) {
  return queryOptions({
    queryKey: ['catalogue', 'searches', api.locale],
    queryFn: ({ signal }) => api.call('commonSearches', { signal }),
    staleTime: 5 * 60_000,
  });
}
