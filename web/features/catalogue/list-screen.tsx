import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import { limits } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { LinkButton } from '#ui/button.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Breadcrumbs, type Crumb, Frame, PageHeading, Skeleton, SkeletonText } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { EmptyState } from '#ui/notice.tsx';
import { announce } from '#ui/page.tsx';
import { useApi } from '#web/lib/api.ts';
import { type ListSearch, urls } from '#web/lib/urls.ts';
import { PagedList, scrollRowClass } from '#web/ui/paged-list.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { gridSizes, ProductCardSkeleton, ProductGridSkeleton } from '#web/ui/product-grid.tsx';
import { type List, ListControls, NewProducts, useList } from './load-list.tsx';
import { ProductCard, ReturningGrid } from './product-card.tsx';
import { commonSearchesQuery, facetsQuery } from './queries.ts';
import { activeFilters, childrenOf, filterUrl, type ListSource, listUrl, subCategories } from './source.ts';

interface ListScreenProps {
  source: ListSource;
  search: ListSearch;
  title: string;
  lead?: ReactNode;
  crumbs?: Crumb[];
  picture?: ImageInfo | null;
}

/** The one list screen: brand, clearance, tag, search, category and all products differ only in the content above the list. */
export function ListScreen(props: ListScreenProps) {
  const { title, lead, crumbs, picture } = props;
  // The address changes while scrolling, but the source of the list does not.
  const source = useSame(props.source);
  const search = useSame(props.search);
  const list = useList(source, search);
  const t = useT();
  const body = useListChange(source, search, list.count);
  return (
    <Frame className="pt-4 pb-section">
      {crumbs && crumbs.length > 1 && <Breadcrumbs items={crumbs} />}
      <div className="flex items-center justify-between gap-10">
        <PageHeading
          lead={lead}
          aside={
            source.kind === 'search' &&
            list.count > 0 && (
              <span className="max-menu:hidden">{t('list.count', { count: list.count })}</span>
            )
          }
          className="grow py-6!"
        >
          {title}
        </PageHeading>
        {picture && (
          <div className="my-6 w-64 flex-none max-form:hidden">
            <Picture image={picture} shape="square" sizes="16rem" alt="" />
          </div>
        )}
      </div>
      <SubCategories source={source} search={search} list={list} />
      <div ref={body} className="mt-6 scroll-mt-(--sticky-top,0px)">
        <h2 className="sr-only">{t('list.products')}</h2>
        <ListControls
          source={source}
          search={search}
          list={list}
          bar={!(list.isEmpty && isWhole(source, search))}
        />
        {list.isEmpty ? (
          <EmptyList source={source} search={search} />
        ) : (
          <ListPages source={source} search={search} list={list} />
        )}
      </div>
    </Frame>
  );
}

/** The direct subcategories of a category, always visible. Where there are none, the bar has the whole tree. */
function SubCategories({
  source,
  search,
  list,
}: Pick<ListScreenProps, 'source' | 'search'> & { list: List }) {
  const t = useT();
  const locale = useLocale();
  const children = subCategories(source, list.facets.categories);
  if (children.length === 0) return null;
  return (
    <nav aria-label={t('list.category')}>
      <ul className={scrollRowClass}>
        {children.map(({ name, nameContent, count }) => (
          <li key={name}>
            <Link href={filterUrl(source, search, 'cat', name)} className="chip">
              {inLocale(nameContent, locale)}
              <span className="text-ink-soft text-sm tabular-nums">{count}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function isWhole(source: ListSource, search: ListSearch): boolean {
  return activeFilters(source, search).length === 0 && search.page === undefined;
}

function useSame<T extends object>(value: T): T {
  const text = JSON.stringify(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the value
  return useMemo(() => value, [text]);
}

/** After the filter or the order changed, scrolls to the start of the list and announces the count. */
function useListChange(source: ListSource, { page: _, ...search }: ListSearch, count: number) {
  const t = useT();
  const body = useRef<HTMLDivElement>(null);
  const key = JSON.stringify([source, search]);
  const shown = useRef(key);
  const toTell = useRef(false);
  useEffect(() => {
    if (shown.current !== key) {
      shown.current = key;
      toTell.current = true;
      if (body.current && body.current.getBoundingClientRect().top < 0) body.current.scrollIntoView();
    }
    if (toTell.current && count >= 0) {
      toTell.current = false;
      announce(t('list.count', { count }));
    }
  }, [key, count, t]);
  return body;
}

function ListPages({ source, search, list }: { source: ListSource; search: ListSearch; list: List }) {
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

/** The message of SPEC §8 for an empty list, with links to continue. */
function EmptyList({ source, search }: Pick<ListScreenProps, 'source'> & { search: ListSearch }) {
  const t = useT();
  const narrowed = activeFilters(source, search).length > 0;
  const searching = source.kind === 'search' && !narrowed;
  const hint = searching ? t('list.empty.searchHint') : narrowed ? t('list.empty.selectionHint') : null;
  return (
    <>
      <EmptyState
        icon="search"
        title={t(searching ? 'list.empty.search' : 'list.empty.selection')}
        actions={
          narrowed ? (
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

export function ListSkeleton() {
  return (
    <Frame className="pt-4 pb-section">
      <SkeletonText lines={1} className="max-w-48 text-sm" />
      <SkeletonText lines={1} className="mt-4 max-w-72 text-2xl" />
      <SkeletonText lines={1} className="mt-3 max-w-prose" />
      <Skeleton className="mt-8 mb-8 h-14" />
      <ProductGridSkeleton />
    </Frame>
  );
}

/**
 * For pages without results. In columns, and in a row of their own: what wraps by the width of its text changes rows when the web
 * font replaces the system's.
 */
export function CommonSearches() {
  const t = useT();
  const { data } = useQuery(commonSearchesQuery(useApi()));
  if (!data?.searches.length) return <CategoryLinks />;
  return (
    <nav aria-label={t('search.common')} className="mb-2 w-full">
      <ul className="mx-auto grid max-w-md grid-cols-3 gap-3">
        {data.searches.map((text) => (
          <li key={text}>
            <Link href={urls.search(text)} className="chip">
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function CategoryLinks() {
  const locale = useLocale();
  const { data } = useQuery(facetsQuery(useApi(), {}));
  const categories = childrenOf(data?.categories ?? [], undefined);
  if (categories.length === 0) return null;
  return (
    <div className="w-full">
      <div className="mx-auto flex max-w-md flex-wrap justify-center gap-3 *:w-27">
        {categories.map(({ name, nameContent }) => (
          <LinkButton key={name} variant="secondary" size="small" className="px-2" href={urls.category(name)}>
            {inLocale(nameContent, locale)}
          </LinkButton>
        ))}
      </div>
    </div>
  );
}
