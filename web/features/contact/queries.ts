import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '#web/lib/api.ts';

export function storesQuery(api: ApiClient) {
  return queryOptions({
    queryKey: ['stores', api.locale],
    queryFn: ({ signal }) => api.call('pickupLocations', { signal }),
    staleTime: 10 * 60_000,
  });
}
