/** What the search box offers before anything is typed: the latest searches of this device, and categories to browse. */
import type { QueryClient } from '@tanstack/react-query';
import { inLocale } from '#contract/locales.ts';
import type { ApiClient } from '#web/lib/api.ts';
import { recentSearches } from '#web/lib/device-list.ts';
import { urls } from '#web/lib/urls.ts';
import { topCategoriesQuery } from './queries.ts';
import type { Offered } from './use-suggestions.ts';

const mostCategories = 4;

/** Without categories, which are optional, the searches alone; null if there is nothing to offer. */
export async function offerStart(queryClient: QueryClient, api: ApiClient): Promise<Offered | null> {
  const categories = await queryClient.query(topCategoriesQuery(api)).catch(() => []);
  const groups: Offered['groups'] = [
    { heading: 'recent.searches', suggestions: recentSearches.read().map((text) => ({ href: urls.search(text), label: text })) },
    {
      heading: 'shell.search.categories',
      suggestions: categories.slice(0, mostCategories).map(({ categoryName, categoryNameContent, image }) => ({
        href: urls.category(categoryName),
        label: inLocale(categoryNameContent, api.locale),
        image,
      })),
    },
  ];
  const offered = groups.filter(({ suggestions }) => suggestions.length > 0);
  return offered.length > 0 ? { text: '', correctedTo: null, groups: offered } : null;
}
