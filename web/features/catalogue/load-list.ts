import type { QueryClient } from '@tanstack/react-query';
import type { ApiClient } from '#web/lib/api.ts';
import type { ListSearch } from '#web/lib/urls.ts';
import { countQuery, facetsQuery, productListQuery } from './queries.ts';
import { filtersOf, type ListFilters, type ListSource, sortedFiltersOf } from './source.ts';

export interface LoadContext {
  api: ApiClient;
  queryClient: QueryClient;
}

/**
 * Waits for what the first view of a list needs. The list is a failure of the page; its count (-1 then,
 * SPEC §8) and its filters may be missing. Pages loaded earlier are kept when the page asked for is
 * among them, so that Back finds the list as it was; otherwise it begins anew at that page.
 */
export async function loadList(context: LoadContext, source: ListSource, search: ListSearch): Promise<void> {
  const { api, queryClient } = context;
  const page = search.page ?? 1;
  const filters = filtersOf(source, search);
  const list = productListQuery(api, sortedFiltersOf(source, search), page);
  const kept = queryClient.getQueryData(list.queryKey);
  if (kept && !kept.pageParams.includes(page)) queryClient.removeQueries({ queryKey: list.queryKey, exact: true });
  const [{ pages }] = await Promise.all([
    queryClient.infiniteQuery({ ...list, staleTime: 'static' }),
    queryClient.query({ ...countQuery(api, filters), staleTime: 'static' }),
    loadFacets(context, filters),
  ]);
  // A search without results offers the categories there are.
  if (source.kind === 'search' && pages[0]?.products.length === 0) await loadFacets(context, {});
}

/** Filters are a help: a list without them is still a list. */
export async function loadFacets({ api, queryClient }: LoadContext, filters: ListFilters): Promise<void> {
  await queryClient.query({ ...facetsQuery(api, filters), staleTime: 'static' }).catch(() => undefined);
}
