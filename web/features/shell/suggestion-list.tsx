import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { inLocale } from '#contract/locales.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import { type ApiClient, useApi } from '#web/lib/api.ts';
import { recentSearches } from '#web/lib/device-list.ts';
import { urls } from '#web/lib/urls.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Price } from '#web/ui/price.tsx';
import { topCategoriesQuery } from './queries.ts';
import { type Offered, optionId, type Suggestion } from './use-suggestions.ts';

const noteClass = 'px-3 pt-2 pb-1 text-ink-soft text-sm';
const rowClass =
  'flex min-h-11 items-center gap-3 rounded-sm px-3 py-1 leading-[1.3] hover:bg-surface-inset aria-selected:bg-surface-inset aria-selected:outline-2 aria-selected:outline-focus aria-selected:-outline-offset-2';

interface SuggestionListProps {
  id: string;
  offered: Offered | null;
  /** The text in the box, for the last row: all results. */
  typed: string;
  active: number;
  onPick: (href: string) => void;
  onStart: (offered: Offered | null) => void;
}

/** The list under the search box. Focus stays in the box (ARIA's combobox pattern); the rows are links as well. */
export function SuggestionList({ offered, onStart, ...props }: SuggestionListProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  useEffect(() => {
    void offerStart(queryClient, api).then(onStart);
  }, [queryClient, api, onStart]);
  return offered && <OfferedRows {...props} offered={offered} />;
}

function OfferedRows({
  id,
  offered,
  typed,
  active,
  onPick,
}: Omit<SuggestionListProps, 'onStart'> & { offered: Offered }) {
  const t = useT();
  const { groups, correctedTo, partial } = offered;
  let index = 0;
  const row = (suggestion: Suggestion) => {
    const at = index++;
    return (
      <SuggestionRow
        key={suggestion.href}
        id={optionId(id, at)}
        suggestion={suggestion}
        typed={typed && suggestion.href !== urls.search(typed) ? typed : ''}
        active={at === active}
        onPick={onPick}
      />
    );
  };
  return (
    <div className="absolute inset-x-0 top-[calc(100%+0.5rem)] wide:left-auto wide:w-105 wrap-normal z-10 max-h-[min(42rem,calc(100dvh-9rem))] overflow-auto overscroll-contain rounded-md bg-raised p-2 text-left shadow-over">
      {(partial || correctedTo) && (
        <p className={noteClass}>
          {partial ? t('shell.search.partial') : t('shell.search.correctedTo', { key: correctedTo ?? '' })}
        </p>
      )}
      {groups.length === 0 && <p className={noteClass}>{t('shell.search.none', { key: offered.text })}</p>}
      <div id={id} role="listbox" aria-label={t('shell.search.label')}>
        {groups.map(({ heading, suggestions }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls; these are the options of a listbox
          <div key={heading} role="group" aria-labelledby={`${id}-${heading}`}>
            <div id={`${id}-${heading}`} className={noteClass} role="presentation">
              {t(heading)}
            </div>
            {suggestions.map(row)}
          </div>
        ))}
        {typed && row({ href: urls.search(typed), label: t('shell.search.all', { key: typed }) })}
      </div>
    </div>
  );
}

function SuggestionRow({
  id,
  suggestion: { href, label, product, image = product?.image },
  typed,
  active,
  onPick,
}: {
  id: string;
  suggestion: Suggestion;
  typed: string;
  active: boolean;
  onPick: (href: string) => void;
}) {
  return (
    <Link
      id={id}
      href={href}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      className={rowClass}
      // Focus stays in the box, so that the list does not close before the click.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onPick(href)}
    >
      {image && <Picture image={image} sizes="48px" shape="square" alt="" className="w-12 flex-none" />}
      {!product && !image && <Icon name="search" size={16} className="text-ink-soft" />}
      <span className="min-w-0 flex-1">
        <Completion label={label} typed={typed} />
      </span>
      {product && <Price priceInfo={product.priceInfo} />}
    </Link>
  );
}

/** What the shop adds to the typed text stands out: it is what tells suggestions apart. */
function Completion({ label, typed }: { label: string; typed: string }) {
  const at = typed ? label.toLowerCase().indexOf(typed.toLowerCase()) : -1;
  if (at < 0) return label;
  const end = at + typed.length;
  return (
    <>
      <b className="font-semibold">{label.slice(0, at)}</b>
      {label.slice(at, end)}
      <b className="font-semibold">{label.slice(end)}</b>
    </>
  );
}

const mostCategories = 4;

/** Offered before anything is typed: the latest searches of this device, and categories to browse. Without categories, which are optional, the searches alone; null if there is nothing to offer. */
export async function offerStart(queryClient: QueryClient, api: ApiClient): Promise<Offered | null> {
  const categories = await queryClient.query(topCategoriesQuery(api)).catch(() => []);
  const groups: Offered['groups'] = [
    {
      heading: 'recent.searches',
      suggestions: recentSearches.read().map((text) => ({ href: urls.search(text), label: text })),
    },
    {
      heading: 'shell.search.categories',
      suggestions: categories
        .slice(0, mostCategories)
        .map(({ categoryName, categoryNameContent, image }) => ({
          href: urls.category(categoryName),
          label: inLocale(categoryNameContent, api.locale),
          image,
        })),
    },
  ];
  const offered = groups.filter(({ suggestions }) => suggestions.length > 0);
  return offered.length > 0 ? { text: '', correctedTo: null, partial: false, groups: offered } : null;
}
