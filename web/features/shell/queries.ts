import { queryOptions } from '@tanstack/react-query';
import { type ApiClient, callQuery } from '#web/lib/api.ts';

export function shellQuery(api: ApiClient) {
  return queryOptions({
    queryKey: ['shell', api.locale],
    queryFn: async ({ signal }) => (await api.call('appInfoInit', { signal })).appContent,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const topCategoriesQuery = (api: ApiClient) =>
  callQuery(api, 'categories', { params: { id: 'primary' } }, { staleTime: 5 * 60_000 });

export const menuPicksQuery = (api: ApiClient, categoryName: string) =>
  callQuery(api, 'products', { query: { categoryName, numberToLoad: 4 } }, { staleTime: 5 * 60_000 });

export const suggestionsQuery = (api: ApiClient, text: string) =>
  callQuery(api, 'productSuggestions', { params: { nameLike: text } }, { enabled: text !== '' });
