import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { announce } from '#ui/announce.tsx';
import { Breadcrumbs, type Crumb } from '#ui/breadcrumbs.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Frame, PageHeading } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import type { ListSearch } from '#web/lib/urls.ts';
import { Picture } from '#web/ui/picture.tsx';
import { scrollRowClass } from '#web/ui/scroll-row.classes.ts';
import { subCategories } from './category-tree.ts';
import { EmptyList } from './empty-list.tsx';
import { ListControls } from './list-controls.tsx';
import { ListPages } from './list-pages.tsx';
import { activeFilters, filterUrl, type ListSource } from './source.ts';
import { type List, useList } from './use-list.ts';

export interface ListScreenProps {
  source: ListSource;
  search: ListSearch;
  title: string;
  /** A description of the list, under the heading. */
  lead?: ReactNode;
  crumbs?: Crumb[];
  /** Beside the heading and the description, in wide windows. */
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
            list.count > 0 && <span className="max-menu:hidden">{t('list.count', { count: list.count })}</span>
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
        <ListControls source={source} search={search} list={list} bar={!(list.isEmpty && isWhole(source, search))} />
        {list.isEmpty ? (
          <EmptyList source={source} search={search} list={list} />
        ) : (
          <ListPages source={source} search={search} list={list} />
        )}
      </div>
    </Frame>
  );
}

/** The direct subcategories of a category, always visible. Where there are none, the bar has the whole tree. */
function SubCategories({ source, search, list }: Pick<ListScreenProps, 'source' | 'search'> & { list: List }) {
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

/** Whether the list is unfiltered. If it is also empty, there is nothing to filter. */
function isWhole(source: ListSource, search: ListSearch): boolean {
  return activeFilters(source, search).length === 0 && search.page === undefined;
}

/** Returns the same object as long as its content is the same. */
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
