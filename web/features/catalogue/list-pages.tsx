import { useCallback } from 'react';
import { limits } from '#contract/limits.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import { useT } from '#ui/i18n.tsx';
import type { ListSearch } from '#web/lib/urls.ts';
import { PagedList } from '#web/ui/paged-list.tsx';
import { gridSizes, ProductCardSkeleton } from '#web/ui/product-grid.tsx';
import { ReturningGrid } from './card-grid.tsx';
import { ProductCard } from './product-card.tsx';
import { type ListSource, listUrl } from './source.ts';
import type { List } from './use-list.ts';

interface ListPagesProps {
  source: ListSource;
  search: ListSearch;
  list: List;
}

/** The cards of a list, page by page. */
export function ListPages({ source, search, list }: ListPagesProps) {
  const t = useT();
  const { count, shown } = list;
  const addressOf = useCallback((page: number) => listUrl(source, { ...search, page }), [source, search]);
  return (
    <PagedList
      list={list}
      pageSize={limits.pageSize}
      page={search.page ?? 1}
      addressOf={addressOf}
      idOf={idOfProduct}
      grid={ReturningGrid}
      place={ProductCardSkeleton}
      item={(product, { page, index }) => (
        <ProductCard product={product} sizes={gridSizes()} priority={page === 0 && index === 0} />
      )}
      words={{
        previous: t('list.previous'),
        showing: count < 0 ? t('list.showing', { ...shown }) : t('list.showingOf', { ...shown, count }),
        loadFailed: t('list.loadFailed'),
      }}
    />
  );
}

function idOfProduct({ id }: ProductSummary): string {
  return id;
}
