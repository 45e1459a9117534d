/** What the search box offers before anything is typed: the latest searches of this device, and categories to browse. */
import type { QueryClient } from '@tanstack/react-query';
import { inLocale } from '#contract/locales.ts';
import type { ApiClient } from '#web/lib/api.ts';
import { urls } from '#web/lib/urls.ts';
import type { Offered } from './use-suggestions.ts';

/** In `localStorage`: an array of texts, the latest first. It never leaves the device. */
const storageKey = 'searches';
const mostSearches = 4;
const mostCategories = 4;

function recentSearches(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter((text) => typeof text === 'string').slice(0, mostSearches) : [];
  } catch {
    return [];
  }
}

/** Remembers a search on this device. If the browser denies storage, only the convenience is lost. */
export function rememberSearch(text: string): void {
  const others = recentSearches().filter((each) => each.toLowerCase() !== text.toLowerCase());
  try {
    localStorage.setItem(storageKey, JSON.stringify([text, ...others].slice(0, mostSearches)));
  } catch {
    // Storage denied: see above.
  }
}

/** Without categories, which are optional, the searches alone; null if there is nothing to offer. */
export async function offerStart(queryClient: QueryClient, api: ApiClient): Promise<Offered | null> {
  const categories = await queryClient
    .query({
      queryKey: ['catalogue', 'categories', api.locale],
      queryFn: ({ signal }) => api.call('categories', { params: { id: 'primary' }, signal }),
      staleTime: 5 * 60_000,
    })
    .catch(() => []);
  const groups: Offered['groups'] = [
    { heading: 'recent.searches', suggestions: recentSearches().map((text) => ({ href: urls.search(text), label: text })) },
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
