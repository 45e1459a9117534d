import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { EmptyState } from '#ui/empty-state.tsx';
import { useT } from '#ui/i18n.tsx';
import { Frame } from '#ui/layout.tsx';
import { useApi } from '#web/lib/api.ts';
import { recentSearches } from '#web/lib/device-list.ts';
import type { ListSearch } from '#web/lib/urls.ts';
import { CommonSearches } from './common-searches.tsx';
import { ListScreen } from './list-screen.tsx';
import { NewProducts } from './new-products.tsx';
import { productListQuery } from './queries.ts';
import { type ListSource, sortedFiltersOf } from './source.ts';

/** The results for `text`. If a word is unknown, the results for the nearest known word, with a note. */
export function SearchScreen({ text, search }: { text: string; search: ListSearch }) {
  const t = useT();
  const source: ListSource = { kind: 'search', key: text };
  const list = useInfiniteQuery(productListQuery(useApi(), sortedFiltersOf(source, search), search.page ?? 1));
  const corrected = list.data?.pages[0]?.correctedTo;
  useEffect(() => recentSearches.remember(text), [text]);
  return (
    <ListScreen
      source={source}
      search={search}
      title={t('search.results', { key: corrected ?? text })}
      lead={corrected ? t('search.corrected', { key: text, corrected }) : undefined}
    />
  );
}

/** Without a search text. Below 960 px the header's box is closed, and without scripts its button leads here: then `box` is in the page. */
export function SearchPrompt({ box }: { box: ReactNode }) {
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
