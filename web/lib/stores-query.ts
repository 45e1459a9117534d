import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from './api.ts';

/** The displayed stores. Their details rarely change, so an answer stays fresh for ten minutes. */
export function storesQuery(api: ApiClient) {
  return queryOptions({
    queryKey: ['stores', api.locale],
    queryFn: ({ signal }) => api.call('pickupLocations', { signal }),
    staleTime: 10 * 60_000,
  });
}
