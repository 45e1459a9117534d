import { queryOptions } from '@tanstack/react-query';
import { isMissing } from '#ui/errors.ts';
import type { ApiClient } from '#web/lib/api.ts';

export function pageContentQuery(api: ApiClient, pageName: string) {
  return queryOptions({
    queryKey: ['content', 'page', api.locale, pageName],
    queryFn: ({ signal }) => api.call('pageContent', { query: { pageName }, signal }),
  });
}

/** A feed that the shop had not read when it rendered the page. */
export function feedQuery(api: ApiClient, url: string) {
  return queryOptions({
    queryKey: ['content', 'feed', api.locale, url],
    queryFn: ({ signal }) => api.call('readFeed', { query: { url }, signal }),
  });
}

/** The same for an optional page: null if it does not exist. */
export function optionalPageQuery(api: ApiClient, pageName: string) {
  return queryOptions({
    queryKey: ['content', 'page', api.locale, pageName, 'optional'],
    queryFn: ({ signal }) =>
      api.call('pageContent', { query: { pageName }, signal }).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      }),
  });
}
