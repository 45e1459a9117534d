import { type InfiniteData, infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query';
import { limits } from '#contract/limits.ts';
import type { SearchList } from '#contract/schemas/catalogue.ts';
import { isMissing } from '#ui/errors.ts';
import { type ApiClient, callQuery } from '#web/lib/api.ts';
import { listKeptMs } from '#web/lib/paged.ts';
import type { ListFilters, SortedFilters } from './source.ts';

/** Pages of 12 (SPEC §9), counted from 1. `startPage` is not part of the key, so that Back finds every page that had been loaded. */
export function productListQuery(api: ApiClient, filters: SortedFilters, startPage = 1) {
  return infiniteQueryOptions<SearchList, Error, InfiniteData<SearchList, number>, QueryKey, number>({
    queryKey: ['catalogue', 'products', api.locale, filters],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        ...filters,
        startingPosition: (pageParam - 1) * limits.pageSize,
        numberToLoad: limits.pageSize,
      };
      try {
        return await api.call('products', { query, signal });
      } catch (error) {
        // An unknown filter finds nothing and can be removed. Whether the page exists depends on its source only.
        if (isMissing(error)) return { products: [], correctedTo: null, partial: false };
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
export const facetsQuery = (api: ApiClient, filters: ListFilters) =>
  callQuery(api, 'productFacets', { query: filters }, { gcTime: listKeptMs });

export const categoryQuery = (api: ApiClient, name: string) =>
  callQuery(api, 'category', { params: { name } });

export const brandQuery = (api: ApiClient, name: string) => callQuery(api, 'brand', { params: { name } });

export const brandsQuery = (api: ApiClient) => callQuery(api, 'brands');

export const tagQuery = (api: ApiClient, name: string) => callQuery(api, 'tag', { params: { name } });

export const newProductsQuery = (api: ApiClient) =>
  callQuery(api, 'products', { query: { newArrival: true, numberToLoad: 4 } }, { staleTime: 5 * 60_000 });

export const commonSearchesQuery = (api: ApiClient) =>
  callQuery(api, 'commonSearches', {}, { staleTime: 5 * 60_000 });
