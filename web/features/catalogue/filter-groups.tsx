/** The filters and sort orders of a list as links, which work without scripts and can be shared. */
import { sortValues } from '#contract/limits.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import type { ProductFacets } from '#contract/schemas/catalogue.ts';
import type { Translate } from '#contract/translate.ts';
import { cx } from '#ui/cx.ts';
import { formatNumber, formatPriceLimit } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import type { ListSearch } from '#web/lib/urls.ts';
import { Swatch } from '#web/ui/swatches.tsx';
import type { List } from './load-list.tsx';
import {
  type CategoryBranch,
  categoryOf,
  categoryTree,
  type FilterName,
  filterUrl,
  type ListSource,
  listUrl,
} from './source.ts';

export interface FilterProps {
  source: ListSource;
  search: ListSearch;
  list: List;
}

interface FilterLinkProps {
  href: string;
  chosen: boolean;
  label: string;
  count?: number;
  strong?: boolean;
  /** Shown beside the label, such as `#d9c7a6`. */
  color?: string | undefined;
}

function FilterLink({ href, chosen, label, count, strong, color }: FilterLinkProps) {
  return (
    <Link
      href={href}
      keepScroll
      rel="nofollow"
      aria-current={chosen ? 'true' : undefined}
      className={cx(
        'flex min-h-10 items-center gap-2 no-underline hover:underline pointer-coarse:min-h-11',
        (strong || chosen) && 'font-semibold',
      )}
    >
      {color && <Swatch color={color} size={32} className="my-1 mr-1" />}
      <span>{label}</span>
      {count !== undefined && <span className="font-normal text-ink-soft text-sm tabular-nums">{count}</span>}
      {chosen && <Icon name="check" size={18} className="ml-auto text-action" />}
    </Link>
  );
}

/** The tree of categories that have products in this list. `columns` places the branches side by side. */
export function CategoryFilter({ source, search, list, columns }: FilterProps & { columns?: boolean }) {
  const t = useT();
  const locale = useLocale();
  const chosen = categoryOf(source, search);
  const link = ({ name, nameContent, count }: CategoryBranch, strong: boolean) => (
    <FilterLink
      href={filterUrl(source, search, 'cat', name)}
      chosen={name === chosen}
      label={inLocale(nameContent, locale)}
      count={count}
      strong={strong}
    />
  );
  const branch = (category: CategoryBranch, depth: number) => (
    <li key={category.name} className={cx(columns && depth === 0 && 'mb-4 break-inside-avoid')}>
      {link(category, depth === 0)}
      {category.children.length > 0 && (
        <ul className={cx(!columns && 'ml-4')}>
          {category.children.map((child) => branch(child, depth + 1))}
        </ul>
      )}
    </li>
  );
  return (
    <>
      <FilterLink
        href={filterUrl(source, search, 'cat', undefined)}
        chosen={chosen === undefined}
        label={t('list.category.all')}
      />
      <ul className={cx(columns && 'mt-2 columns-3 gap-10')}>
        {categoryTree(list.facets.categories).map((category) => branch(category, 0))}
      </ul>
    </>
  );
}

export function ValueFilter({
  source,
  search,
  list,
  name,
}: FilterProps & { name: Exclude<FilterName, 'cat'> }) {
  const t = useT();
  const locale = useLocale();
  return (
    <ul className={cx(name === 'colour' && 'grid grid-cols-2 gap-x-6')}>
      <li className="col-span-full">
        <FilterLink
          href={filterUrl(source, search, name, undefined)}
          chosen={!search[name]}
          label={t(`list.${name}.all`)}
        />
      </li>
      {filterValues(name, list.facets, t, locale).map(({ value, label, count, color }) => (
        <li key={value}>
          <FilterLink
            href={filterUrl(source, search, name, value)}
            chosen={value === search[name]}
            label={label}
            count={count}
            color={color}
          />
        </li>
      ))}
    </ul>
  );
}

export function SortChoice({ source, search }: Omit<FilterProps, 'list'>) {
  const t = useT();
  const { page: _, ...kept } = search;
  return (
    <ul>
      {sortValues.map((sort) => (
        <li key={sort}>
          <FilterLink
            href={listUrl(source, { ...kept, sort })}
            chosen={sort === (search.sort ?? 'default')}
            label={t(`list.sort.${sort}`)}
          />
        </li>
      ))}
    </ul>
  );
}

interface FilterValue {
  value: string;
  label: string;
  count: number;
  color?: string;
}

type Range = ProductFacets['prices'][number];

export function filterValues(
  name: FilterName,
  facets: ProductFacets,
  t: Translate,
  locale: Locale,
): FilterValue[] {
  const named = (entries: ProductFacets['brands']): FilterValue[] =>
    entries.map(({ name: value, nameContent, count }) => ({
      value,
      label: inLocale(nameContent, locale),
      count,
    }));
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
      return facets.capacities.map((each) => ({
        value: each.range,
        label: capacityLabel(each, t, locale),
        count: each.count,
      }));
    case 'colour':
      return facets.colours.map((each) => ({
        ...each,
        value: each.name,
        label: t(`list.colour.${each.name}`),
      }));
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
