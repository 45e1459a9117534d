import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '#web/lib/api.ts';

/** The longest menu: the most products that one call returns. */
const longestMenu = 48;

export function menuQuery(api: ApiClient, category: string) {
  return queryOptions({
    queryKey: ['catalogue', 'menu', api.locale, category],
    queryFn: async ({ signal }) => {
      const query = { categoryName: category, startingPosition: 0, numberToLoad: longestMenu };
      return (await api.call('products', { query, signal })).products;
    },
    staleTime: 60_000,
  });
}
