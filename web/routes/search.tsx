import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useT } from '#ui/i18n.tsx';
import { Frame } from '#ui/layout.tsx';
import { EmptyState } from '#ui/notice.tsx';
import { CommonSearches, ListSkeleton } from '#web/features/catalogue/list-screen.tsx';
import { checkSearchSearch } from '#web/features/catalogue/list-search.ts';
import { loadList, loadSuggestions } from '#web/features/catalogue/load-list.tsx';
import { SearchBox } from '#web/features/shell/search-box.tsx';
import { useApi } from '#web/lib/api.ts';
import { recentSearches } from '#web/lib/device-list.ts';
import { pageHead } from '#web/lib/head.ts';
import type { ListSearch } from '#web/lib/urls.ts';
import { ListScreen } from '../features/catalogue/list-screen.tsx';
import { NewProducts } from '../features/catalogue/new-products.tsx';
import { productListQuery } from '../features/catalogue/queries.ts';
import { type ListSource, sortedFiltersOf } from '../features/catalogue/source.ts';

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
  return key ? (
    <SearchScreen text={key} search={search} />
  ) : (
    <SearchPrompt box={<SearchBox input={input} />} />
  );
}

/**
 * The results for `text`. If a word is unknown, the results for the nearest known word, and if nothing has all of the words, what has
 * most of them, each with a note.
 */
function SearchScreen({ text, search }: { text: string; search: ListSearch }) {
  const t = useT();
  const source: ListSource = { kind: 'search', key: text };
  const list = useInfiniteQuery(
    productListQuery(useApi(), sortedFiltersOf(source, search), search.page ?? 1),
  );
  const { correctedTo: corrected, partial } = list.data?.pages[0] ?? {};
  useEffect(() => recentSearches.remember(text), [text]);
  return (
    <ListScreen
      source={source}
      search={search}
      title={t('search.results', { key: corrected ?? text })}
      lead={
        partial
          ? t('search.partial', { key: corrected ?? text })
          : corrected
            ? t('search.corrected', { key: text, corrected })
            : undefined
      }
    />
  );
}

/** Without a search text. Below 960 px the header's box is closed, and without scripts its button leads here: then `box` is in the page. */
function SearchPrompt({ box }: { box: ReactNode }) {
  const t = useT();
  return (
    <Frame>
      <EmptyState as="h1" icon="search" title={t('search.prompt.title')} actions={<CommonSearches />}>
        <p>{t('search.prompt.text')}</p>
        <div className="mt-6 text-ink menu:hidden">{box}</div>
      </EmptyState>
      <NewProducts />
    </Frame>
  );
}
