import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '#web/lib/api.ts';

/** The data of the shell on every page: the shop's name, its menu, its footer. */
export function shellQuery(api: ApiClient) {
  return queryOptions({
    queryKey: ['shell', api.locale],
    queryFn: async ({ signal }) => (await api.call('appInfoInit', { signal })).appContent,
    staleTime: Number.POSITIVE_INFINITY,
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
