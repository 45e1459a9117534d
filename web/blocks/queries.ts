import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '#web/lib/api.ts';

/** A content page with its blocks, by its name. */
export function pageContentQuery(api: ApiClient, pageName: string) {
  return queryOptions({
    queryKey: ['content', 'page', api.locale, pageName],
    queryFn: ({ signal }) => api.call('pageContent', { query: { pageName }, signal }),
  });
}
