import { createFileRoute } from '@tanstack/react-router';
import { useRef } from 'react';
import { ListSkeleton } from '#web/features/catalogue/list-screen.tsx';
import { checkSearchSearch } from '#web/features/catalogue/list-search.ts';
import { loadList, loadSuggestions } from '#web/features/catalogue/load-list.ts';
import { SearchPrompt, SearchScreen } from '#web/features/catalogue/search-screen.tsx';
import { SearchBox } from '#web/features/shell/search-box.tsx';
import { pageHead } from '#web/lib/head.ts';

export const Route = createFileRoute('/search')({
  validateSearch: checkSearchSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    const { key, ...search } = deps;
    await (key ? loadList(context, { kind: 'search', key }, search) : loadSuggestions(context));
    return { title: key ? context.t('search.results', { key }) : context.t('search.title'), unlisted: true };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: SearchPage,
  pendingComponent: ListSkeleton,
});

function SearchPage() {
  const { key, ...search } = Route.useSearch();
  const input = useRef<HTMLInputElement>(null);
  return key ? <SearchScreen text={key} search={search} /> : <SearchPrompt box={<SearchBox input={input} />} />;
}
