import { EmptyState } from '#ui/empty-state.tsx';
import { useT } from '#ui/i18n.tsx';
import { LinkButton } from '#ui/link-button.tsx';
import { urls } from '#web/lib/urls.ts';
import { CommonSearches } from './common-searches.tsx';
import type { FilterProps } from './filter-groups.tsx';
import { NewProducts } from './new-products-on-demand.ts';
import { activeFilters, listUrl } from './source.ts';

/** The message of SPEC §8 for an empty list, with links to continue. */
export function EmptyList({ source, search, list }: FilterProps) {
  const t = useT();
  const { page } = search;
  const narrowed = activeFilters(source, search).length > 0;
  const pastTheEnd = page !== undefined && list.count > 0;
  const searching = source.kind === 'search' && !narrowed;
  const hint = pastTheEnd ? null : searching ? t('list.empty.searchHint') : narrowed ? t('list.empty.selectionHint') : null;
  return (
    <>
      <EmptyState
        icon="search"
        title={t(searching ? 'list.empty.search' : 'list.empty.selection')}
        actions={
          pastTheEnd ? (
            <LinkButton href={listUrl(source, { ...search, page: undefined })}>{t('list.empty.firstPage')}</LinkButton>
          ) : narrowed ? (
            <LinkButton href={listUrl(source, {})}>{t('list.filter.clear')}</LinkButton>
          ) : (
            <>
              {searching && <CommonSearches />}
              <LinkButton href={urls.productList()}>{t('list.empty.all')}</LinkButton>
            </>
          )
        }
      >
        {hint}
      </EmptyState>
      {searching && <NewProducts />}
    </>
  );
}
