/** Lists in pages counted from 1: as many of them as are loaded, and the ways to load more in either direction. */
import type { InfiniteData, QueryClient, QueryKey, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';

export interface PageOf<T> {
  number: number;
  items: T[];
}

export interface Paged<T> {
  pages: PageOf<T>[];
  /** Items there are; -1 when that is not known (SPEC §8). */
  count: number;
  isEmpty: boolean;
  /** Numbers of the items on the screen, from 1. */
  shown: { from: number; to: number };
  /** Numbers of the pages after and before those loaded. */
  next: number | undefined;
  previous: number | undefined;
  loadNext: () => Promise<unknown>;
  loadPrevious: () => Promise<unknown>;
  loadingNext: boolean;
  failed: boolean;
}

export interface PagedOptions<P, T> {
  pageSize: number;
  count: number;
  /** Give functions that stay the same. */
  itemsOf: (page: P) => readonly T[];
  idOf: (item: T) => string;
}

/** What an infinite query whose page parameter is a page's number has loaded. */
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

/** An item that moved to a later page while pages were loaded is shown once. */
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

/**
 * In a loader: pages loaded earlier are kept when the page asked for is among them, so that Back finds
 * the list as it was; otherwise it begins anew at that page.
 */
export function beginAt(queryClient: QueryClient, queryKey: QueryKey, page: number): void {
  const kept = queryClient.getQueryData<InfiniteData<unknown, number>>(queryKey);
  if (kept && !kept.pageParams.includes(page)) queryClient.removeQueries({ queryKey, exact: true });
}

/** Long enough to look at one or a few of a list's items, and come back to the list as it was. Milliseconds. */
export const listKeptMs = 30 * 60_000;

/** Beyond it what a list skips would be more than the contract's `startingPosition` allows. */
const lastPage = 80_000;

/** The page that an address asks for; undefined for the first, and for what is no page. */
export function pageNumberOf(value: unknown): number | undefined {
  const text = String(value);
  if (!/^\d{1,6}$/.test(text)) return undefined;
  const page = Number(text);
  return page > 1 && page <= lastPage ? page : undefined;
}
