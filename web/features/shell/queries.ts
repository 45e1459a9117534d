import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '#web/lib/api.ts';

export function shellQuery(api: ApiClient) {
  return queryOptions({
    queryKey: ['shell', api.locale],
    queryFn: async ({ signal }) => (await api.call('appInfoInit', { signal })).appContent,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function topCategoriesQuery(api: ApiClient) {
  return queryOptions({
    queryKey: ['catalogue', 'categories', api.locale],
    queryFn: ({ signal }) => api.call('categories', { params: { id: 'primary' }, signal }),
    staleTime: 5 * 60_000,
  });
}

export function menuPicksQuery(api: ApiClient, categoryName: string) {
  return queryOptions({
    queryKey: ['catalogue', 'picks', api.locale, categoryName],
    queryFn: ({ signal }) => api.call('products', { query: { categoryName, numberToLoad: 4 }, signal }),
    staleTime: 5 * 60_000,
  });
}

/** Suggestions for a text being typed. Cancelled when the text changes. */
export function suggestionsQuery(api: ApiClient, text: string) {
  return queryOptions({
    queryKey: ['suggestions', api.locale, text],
    queryFn: ({ signal }) => api.call('productSuggestions', { params: { nameLike: text }, signal }),
    enabled: text !== '',
  });
}
