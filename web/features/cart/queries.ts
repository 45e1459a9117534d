import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '#web/lib/api.ts';

/** The session's cart. Never part of a rendered page: it is asked for once the page is there. */
export function myCartQuery(api: ApiClient) {
  return queryOptions({
    queryKey: ['cart', api.locale],
    queryFn: ({ signal }) => api.call('myCart', { signal }),
  });
}
