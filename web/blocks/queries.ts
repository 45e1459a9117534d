import { queryOptions } from '@tanstack/react-query';
import { isMissing } from '#ui/errors.ts';
import { type ApiClient, callQuery } from '#web/lib/api.ts';

export const pageContentQuery = (api: ApiClient, pageName: string) => callQuery(api, 'pageContent', { query: { pageName } });

/** A feed that the shop had not read when it rendered the page. */
export const feedQuery = (api: ApiClient, url: string) => callQuery(api, 'readFeed', { query: { url } });

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
