import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { inLocale, type MessageKey } from '#contract/locales.ts';
import type { Suggestions } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { useLocale } from '#ui/i18n.tsx';
import { useApi } from '#web/lib/api.ts';
import { urls } from '#web/lib/urls.ts';
import { suggestionsQuery } from './queries.ts';

/** Milliseconds without typing before suggestions are requested. */
const pauseMs = 110;
const longestText = 100;

export type ProductSuggestion = Suggestions['products'][number];

export interface Suggestion {
  href: string;
  label: string;
  /** Set if it is a product, which is shown with its image and price. */
  product?: ProductSuggestion;
  image?: ImageInfo | null;
}

export interface SuggestionGroup {
  heading: MessageKey;
  suggestions: Suggestion[];
}

export interface Offered {
  /** The requested text, which may lag behind the typed one. */
  text: string;
  groups: SuggestionGroup[];
  correctedTo: string | null;
  /** Nothing has all of the words; these have some of them. */
  partial: boolean;
}

/** Suggestions for `typed`; the last answer stays until the next one arrives. Null while there is none. */
export function useSuggestions(typed: string): Offered | null {
  const api = useApi();
  const locale = useLocale();
  const text = usePaused(typed.trim().slice(0, longestText));
  const { data } = useQuery({ ...suggestionsQuery(api, text), placeholderData: keepPreviousData });
  if (!data || text === '' || typed.trim() === '') return null;
  const { products, categories, brands, correctedTo, partial } = data;
  const named = (href: (name: string) => string) => (entry: Suggestions['brands'][number]) => {
    return { href: href(entry.name), label: inLocale(entry.nameContent, locale) };
  };
  const groups: SuggestionGroup[] = [
    {
      heading: 'shell.search.products',
      suggestions: products.map((product) => ({
        href: urls.product(product.id),
        label: product.productName,
        product,
      })),
    },
    { heading: 'shell.search.categories', suggestions: categories.map(named(urls.category)) },
    { heading: 'shell.search.brands', suggestions: brands.map(named(urls.brand)) },
  ];
  return { text, correctedTo, partial, groups: groups.filter(({ suggestions }) => suggestions.length > 0) };
}

/** `value` once it has not changed for a moment; an emptied box empties at once. */
function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), value === '' ? 0 : pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}

/** The addresses of the rows, in the order of the arrow keys; the last one leads to all results. */
export function rowsOf(offered: Offered, typed: string): string[] {
  const rows = offered.groups.flatMap(({ suggestions }) => suggestions.map(({ href }) => href));
  return typed ? [...rows, urls.search(typed)] : rows;
}

export function optionId(list: string, index: number): string {
  return `${list}-${index}`;
}
