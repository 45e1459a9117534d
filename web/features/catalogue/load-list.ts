import type { QueryClient } from '@tanstack/react-query';
import type { ApiClient } from '#web/lib/api.ts';
import { beginAt } from '#web/lib/paged.ts';
import type { ListSearch } from '#web/lib/urls.ts';
import { ListControls, NewProducts } from './late-views.tsx';
import { commonSearchesQuery, countQuery, facetsQuery, newProductsQuery, productListQuery } from './queries.ts';
import { filtersOf, type ListFilters, type ListSource, sortedFiltersOf } from './source.ts';

export interface LoadContext {
  api: ApiClient;
  queryClient: QueryClient;
}

/** Without its products the page fails; its count (then -1, SPEC §8) and its filters are optional. */
export async function loadList(context: LoadContext, source: ListSource, search: ListSearch): Promise<void> {
  const { api, queryClient } = context;
  const page = search.page ?? 1;
  const filters = filtersOf(source, search);
  const list = productListQuery(api, sortedFiltersOf(source, search), page);
  beginAt(queryClient, list.queryKey, page);
  const [{ pages }] = await Promise.all([
    queryClient.infiniteQuery({ ...list, staleTime: 'static' }),
    queryClient.query({ ...countQuery(api, filters), staleTime: 'static' }),
    loadFacets(context, filters),
    ListControls.preload(),
  ]);
  if (source.kind === 'search' && pages[0]?.products.length === 0) await loadSuggestions(context);
}

export async function loadSuggestions(context: LoadContext): Promise<void> {
  const { api, queryClient } = context;
  await Promise.all([
    queryClient.prefetchQuery(commonSearchesQuery(api)),
    queryClient.prefetchQuery(newProductsQuery(api)),
    loadFacets(context, {}),
    NewProducts.preload(),
  ]);
}

async function loadFacets({ api, queryClient }: LoadContext, filters: ListFilters): Promise<void> {
  await queryClient.query({ ...facetsQuery(api, filters), staleTime: 'static' }).catch(() => undefined);
}
