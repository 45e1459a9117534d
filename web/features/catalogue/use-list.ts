import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { limits } from '#contract/limits.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import { useApi } from '#web/lib/api-context.tsx';
import type { ListSearch } from '#web/lib/urls.ts';
import { countQuery, facetsQuery, productListQuery } from './queries.ts';
import { filtersOf, type ListSource, sortedFiltersOf } from './source.ts';

export interface ListPage {
  number: number;
  products: ProductSummary[];
}

/** The list of a page's address, as far as it is loaded, and the ways to load more of it. */
export function useList(source: ListSource, search: ListSearch) {
  const api = useApi();
  const query = useInfiniteQuery(productListQuery(api, sortedFiltersOf(source, search), search.page ?? 1));
  const filters = filtersOf(source, search);
  const count = useQuery(countQuery(api, filters)).data ?? -1;
  const facets = useQuery(facetsQuery(api, filters)).data;
  const pages = useMemo(() => pagesOf(query.data), [query.data]);

  const first = pages[0]?.number ?? 1;
  const last = pages.at(-1)?.number ?? 1;
  const loaded = pages.reduce((sum, page) => sum + page.products.length, 0);
  const reached = (first - 1) * limits.pageSize + loaded;
  return {
    pages,
    /** Products there are; -1 when that is not known (SPEC §8). */
    count,
    brands: facets?.brands ?? [],
    categories: facets?.categories ?? [],
    correctedTo: query.data?.pages[0]?.correctedTo ?? null,
    isEmpty: loaded === 0,
    /** Numbers of the products on the screen, from 1. */
    shown: { from: (first - 1) * limits.pageSize + 1, to: reached },
    next: query.hasNextPage && (count < 0 || reached < count) ? last + 1 : undefined,
    previous: first > 1 ? first - 1 : undefined,
    loadNext: () => query.fetchNextPage({ cancelRefetch: false }),
    loadPrevious: () => query.fetchPreviousPage({ cancelRefetch: false }),
    loadingNext: query.isFetchingNextPage,
    loadingPrevious: query.isFetchingPreviousPage,
    failed: query.isFetchNextPageError || query.isFetchPreviousPageError,
  };
}

export type List = ReturnType<typeof useList>;

/** A product that moved to a later page while pages were loaded is shown once. */
function pagesOf(data: { pages: { products: ProductSummary[] }[]; pageParams: number[] } | undefined): ListPage[] {
  const seen = new Set<string>();
  return (data?.pages ?? []).map(({ products }, index) => ({
    number: data?.pageParams[index] ?? 1,
    products: products.filter(({ id }) => !seen.has(id) && seen.add(id)),
  }));
}
