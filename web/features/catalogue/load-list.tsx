import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { notFound } from '@tanstack/react-router';
import { memo, useDeferredValue } from 'react';
import { limits } from '#contract/limits.ts';
import type { ProductFacets, ProductSummary, SearchList } from '#contract/schemas/catalogue.ts';
import { type ApiClient, useApi } from '#web/lib/api.ts';
import { lazyWithPreload } from '#web/lib/lazy-view.tsx';
import { beginAt, usePaged } from '#web/lib/paged.ts';
import type { ListSearch } from '#web/lib/urls.ts';
import type { FilterProps } from './filter-groups.tsx';
import {
  commonSearchesQuery,
  countQuery,
  facetsQuery,
  newProductsQuery,
  productListQuery,
} from './queries.ts';
import { filtersOf, type ListFilters, type ListSource, sortedFiltersOf } from './source.ts';

type Props = FilterProps & { bar: boolean };

const Loaded = lazyWithPreload<Props>(async () => (await import('./filter-bar.tsx')).ListControls);
const Controls = memo(Loaded);

/** Links work before this code has loaded. Until then changes wait, since React would remove the server's markup. */
function WaitingControls(props: Props) {
  return <Controls {...useDeferredValue(props)} />;
}

export const ListControls = Object.assign(WaitingControls, { preload: Loaded.preload });

/** New arrivals in a file of their own, for lists: they show them only when a search finds nothing. */
export const NewProducts = lazyWithPreload(async () => (await import('./new-products.tsx')).NewProducts);

interface LoadContext {
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
  const isEmpty = pages[0]?.products.length === 0;
  // Past the end of a list is no page.
  if (isEmpty && page > 1) throw notFound();
  if (source.kind === 'search' && isEmpty) await loadSuggestions(context);
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
