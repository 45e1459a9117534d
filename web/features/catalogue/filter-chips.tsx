import { buttonClass } from '#ui/button.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { FilterChip } from '#web/ui/filter-chip.tsx';
import type { FilterProps } from './filter-groups.tsx';
import { filterValues } from './filter-values.ts';
import { activeFilters, type FilterName, filterUrl, listUrl } from './source.ts';

/** The active filters; each can be removed. */
export function FilterChips({ source, search, list }: FilterProps) {
  const t = useT();
  const locale = useLocale();
  const active = activeFilters(source, search);
  if (active.length === 0) return null;
  const label = (name: FilterName) => {
    const chosen = search[name] ?? '';
    const text = filterValues(name, list.facets, t, locale).find(({ value }) => value === chosen)?.label ?? chosen;
    return name === 'store' ? t('list.store.chosen', { store: text }) : text;
  };
  return (
    <section aria-label={t('list.filter.active')} className="mb-6 flex flex-wrap items-center gap-2">
      {active.map((name) => (
        <FilterChip key={name} href={filterUrl(source, search, name, undefined)}>
          {label(name)}
        </FilterChip>
      ))}
      {active.length > 1 && (
        <Link
          href={listUrl(source, { sort: search.sort })}
          keepScroll
          className={buttonClass({ variant: 'quiet', size: 'small' })}
        >
          {t('list.filter.clear')}
        </Link>
      )}
    </section>
  );
}
