import { inLocale, type LocalText } from '#contract/locales.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { FilterChip } from '#web/ui/filter-chip.tsx';
import type { FilterProps } from './filter-groups.tsx';
import { brandUrl, listUrl } from './source.ts';

/** The active filters; each can be removed. */
export function FilterChips({ source, search, list }: FilterProps) {
  const t = useT();
  const locale = useLocale();
  const { cat, brand, sort } = search;
  const narrowedTo = source.kind === 'category' ? undefined : cat;
  if (!narrowedTo && !brand) return null;
  const named = (found: { nameContent: LocalText } | undefined, name: string) =>
    found ? inLocale(found.nameContent, locale) : name;
  return (
    <section aria-label={t('list.filter.active')} className="-mt-3 mb-6 flex flex-wrap items-center gap-2">
      {narrowedTo && (
        <FilterChip href={listUrl(source, { brand, sort })}>
          {named(
            list.categories.find(({ name }) => name === narrowedTo),
            narrowedTo,
          )}
        </FilterChip>
      )}
      {brand && (
        <FilterChip href={brandUrl(source, search, undefined)}>
          {named(
            list.brands.find(({ name }) => name === brand),
            brand,
          )}
        </FilterChip>
      )}
      {narrowedTo && brand && (
        <Link href={listUrl(source, { sort })} keepScroll className={buttonClass({ variant: 'quiet', size: 'small' })}>
          {t('list.filter.clear')}
        </Link>
      )}
    </section>
  );
}
