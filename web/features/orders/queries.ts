import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '#web/lib/api.ts';

export function orderQuery(api: ApiClient, id: string) {
  return queryOptions({
    queryKey: ['order', api.locale, id],
    queryFn: ({ signal }) => api.call('order', { params: { id }, signal }),
    enabled: id !== '',
  });
}

export function orderByLinkQuery(api: ApiClient, token: string) {
  return queryOptions({
    queryKey: ['orderByLink', api.locale, token],
    queryFn: ({ signal }) => api.call('orderLink', { params: { token }, signal }),
  });
}
