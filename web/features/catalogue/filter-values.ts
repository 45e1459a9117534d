import { inLocale, type Locale } from '#contract/locales.ts';
import type { ProductFacets } from '#contract/schemas/catalogue.ts';
import type { Translate } from '#contract/translate.ts';
import { formatNumber, formatPriceLimit } from '#ui/format.ts';
import type { FilterName } from './source.ts';

export interface FilterValue {
  value: string;
  label: string;
  count: number;
  color?: string;
}

type Range = ProductFacets['prices'][number];

export function filterValues(name: FilterName, facets: ProductFacets, t: Translate, locale: Locale): FilterValue[] {
  const named = (entries: ProductFacets['brands']): FilterValue[] =>
    entries.map(({ name: value, nameContent, count }) => ({ value, label: inLocale(nameContent, locale), count }));
  switch (name) {
    case 'cat':
      return named(facets.categories);
    case 'brand':
      return named(facets.brands);
    case 'store':
      return named(facets.stores);
    case 'tag':
      return named(facets.tags);
    case 'price':
      return facets.prices.map((each) => ({
        value: each.range,
        label: priceLabel(each, facets.currency, t, locale),
        count: each.count,
      }));
    case 'capacity':
      return facets.capacities.map((each) => ({ value: each.range, label: capacityLabel(each, t, locale), count: each.count }));
    case 'colour':
      return facets.colours.map((each) => ({ ...each, value: each.name, label: t(`list.colour.${each.name}`) }));
  }
}

/** Names the limits between ranges, as a shop would: $30–$60 for 3000 to 5999 cents. */
function priceLabel({ from, to }: Range, currency: string, t: Translate, locale: Locale): string {
  const limit = (cents: number) => formatPriceLimit(cents, locale, currency);
  if (from === null) return t('list.price.under', { amount: limit((to ?? 0) + 1) });
  if (to === null) return t('list.price.over', { amount: limit(from) });
  return t('list.price.between', { from: limit(from), to: limit(to + 1) });
}

function capacityLabel({ from, to }: Range, t: Translate, locale: Locale): string {
  const limit = (millilitres: number) => formatNumber(millilitres, locale);
  if (from === null) return t('list.capacity.upTo', { to: limit(to ?? 0) });
  if (to === null) return t('list.capacity.over', { from: limit(from - 1) });
  return t('list.capacity.between', { from: limit(from - 1), to: limit(to) });
}
