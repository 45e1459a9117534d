/** Lists in pages counted from 1: the loaded pages, and functions to load more in either direction. */
import type { InfiniteData, QueryClient, QueryKey, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';

export interface PageOf<T> {
  number: number;
  items: T[];
}

export interface Paged<T> {
  pages: PageOf<T>[];
  count: number;
  isEmpty: boolean;
  /** The range of loaded items, from 1. */
  shown: { from: number; to: number };
  next: number | undefined;
  previous: number | undefined;
  loadNext: () => Promise<unknown>;
  loadPrevious: () => Promise<unknown>;
  loadingNext: boolean;
  failed: boolean;
}

interface PagedOptions<P, T> {
  pageSize: number;
  count: number;
  /** Pass stable functions. */
  itemsOf: (page: P) => readonly T[];
  idOf: (item: T) => string;
}

export function usePaged<P, T>(
  query: UseInfiniteQueryResult<InfiniteData<P, number>>,
  { pageSize, count, itemsOf, idOf }: PagedOptions<P, T>,
): Paged<T> {
  const { data } = query;
  const pages = useMemo(() => pagesOf(data, itemsOf, idOf), [data, itemsOf, idOf]);
  const first = pages[0]?.number ?? 1;
  const last = pages.at(-1)?.number ?? 1;
  const loaded = pages.reduce((sum, { items }) => sum + items.length, 0);
  const reached = (first - 1) * pageSize + loaded;
  return {
    pages,
    count,
    isEmpty: loaded === 0,
    shown: { from: (first - 1) * pageSize + 1, to: reached },
    next: query.hasNextPage && (count < 0 || reached < count) ? last + 1 : undefined,
    previous: first > 1 ? first - 1 : undefined,
    loadNext: () => query.fetchNextPage({ cancelRefetch: false }),
    loadPrevious: () => query.fetchPreviousPage({ cancelRefetch: false }),
    loadingNext: query.isFetchingNextPage,
    failed: query.isFetchNextPageError || query.isFetchPreviousPageError,
  };
}

/** An item that moved to a later page between two requests is shown once. */
function pagesOf<P, T>(
  data: InfiniteData<P, number> | undefined,
  itemsOf: (page: P) => readonly T[],
  idOf: (item: T) => string,
): PageOf<T>[] {
  const seen = new Set<string>();
  return (data?.pages ?? []).map((page, index) => ({
    number: data?.pageParams[index] ?? 1,
    items: itemsOf(page).filter((item) => !seen.has(idOf(item)) && seen.add(idOf(item))),
  }));
}

/** Keeps the loaded pages if the requested page is among them, so that Back finds the list as it was; otherwise starts again there. */
export function beginAt(queryClient: QueryClient, queryKey: QueryKey, page: number): void {
  const kept = queryClient.getQueryData<InfiniteData<unknown, number>>(queryKey);
  if (kept && !kept.pageParams.includes(page)) queryClient.removeQueries({ queryKey, exact: true });
}

/** Long enough to visit a few items of a list and return to it unchanged. Milliseconds. */
export const listKeptMs = 30 * 60_000;

/** Beyond this page the offset would exceed the maximum of the API's `startingPosition`. */
const lastPage = 80_000;

/** The page number in an address; undefined for the first page and for anything invalid. */
export function pageNumberOf(value: unknown): number | undefined {
  const text = String(value);
  if (!/^\d{1,6}$/.test(text)) return undefined;
  const page = Number(text);
  return page > 1 && page <= lastPage ? page : undefined;
}

/** `validateSearch` of the blog's lists. */
export function checkPageSearch(raw: Record<string, unknown>): { page: number | undefined } {
  return { page: pageNumberOf(raw.page) };
}
