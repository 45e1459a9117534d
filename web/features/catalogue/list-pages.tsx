import { Fragment, type MouseEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { savesData } from '#web/lib/media-query.ts';
import type { ListSearch } from '#web/lib/urls.ts';
import { announce } from '#web/ui/announce.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { gridSizes, ProductCardSkeleton } from '#web/ui/product-grid.tsx';
import { ReturningGrid } from './card-grid.tsx';
import { ProductCard } from './product-card.tsx';
import { type ListSource, listUrl } from './source.ts';
import type { List } from './use-list.ts';
import { usePageInView } from './use-page-in-view.ts';

/** Pages that come by themselves before the shopper is asked: the footer stays within reach. */
const byThemselves = 2;
/** Pictures of the first screen of a desktop. */
const firstScreen = 4;
/** The next page is asked for when the last card is this far below the window, and wherever it is above it: one may jump. */
const ahead = '1000000px 0px 600px';

interface ListPagesProps {
  source: ListSource;
  search: ListSearch;
  list: List;
}

/**
 * The cards of a list, page by page. Both ends are real links to the page before and after, so that it
 * works without scripts; with them, pages join the ones that are there.
 */
export function ListPages({ source, search, list }: ListPagesProps) {
  const t = useT();
  const area = useRef<HTMLDivElement>(null);
  const [unpressed, setUnpressed] = useUnpressed();
  const { next, previous, shown, count } = list;
  const addressOf = useCallback((page: number) => listUrl(source, { ...search, page }), [source, search]);
  usePageInView(area, search.page ?? 1, addressOf);
  const keepPlace = useKeptPlace(area, list.pages[0]?.number);
  const showing = count < 0 ? t('list.showing', { ...shown }) : t('list.showingOf', { ...shown, count });

  const tell = useRef(showing);
  useEffect(() => {
    if (tell.current !== showing) announce(showing);
    tell.current = showing;
  }, [showing]);

  const loadNext = async (event: MouseEvent) => {
    if (!plain(event)) return;
    event.preventDefault();
    setUnpressed(byThemselves);
    const byKeyboard = event.detail === 0;
    await list.loadNext();
    if (byKeyboard) area.current?.querySelector<HTMLElement>(`[data-page="${next}"] a`)?.focus();
  };
  const loadPrevious = (event: MouseEvent) => {
    if (!plain(event)) return;
    event.preventDefault();
    keepPlace();
    void list.loadPrevious();
  };
  const lastCard = useRef<HTMLLIElement>(null);
  useNear(lastCard, unpressed > 0 ? next : undefined, () => {
    if (list.failed || list.loadingNext) return;
    setUnpressed(unpressed - 1);
    void list.loadNext();
  });
  const coming = list.failed ? 0 : limits.pageSize * (unpressed + (list.loadingNext ? 1 : 0));
  const kept = next === undefined ? 0 : count < 0 ? coming : Math.min(coming, count - shown.to);
  // Places for all that comes by itself, so that nothing below moves when it does; each stays where it is until its product comes.
  const places = Array.from({ length: kept }, (_, index) => shown.to + index + 1);

  return (
    <div ref={area} className="[overflow-anchor:none]">
      {previous !== undefined && (
        <p className="mb-8 text-center">
          <Link
            href={addressOf(previous)}
            rel="prev"
            onClick={loadPrevious}
            className={buttonClass({ variant: 'secondary', size: 'small' })}
          >
            {t('list.previous')}
          </Link>
        </p>
      )}
      <ReturningGrid>
        {list.pages.map(({ number, products }, page) => (
          <Fragment key={number}>
            {products.map((product, index) => (
              <li
                key={product.id}
                ref={page === list.pages.length - 1 && index === products.length - 1 ? lastCard : undefined}
                data-page={index === 0 ? number : undefined}
              >
                <ProductCard product={product} sizes={gridSizes()} priority={page === 0 && index < firstScreen} />
              </li>
            ))}
          </Fragment>
        ))}
        {places.map((number) => (
          <ProductCardSkeleton key={number} />
        ))}
      </ReturningGrid>
      {list.failed && (
        <Notice tone="bad" className="mt-12">
          {t('list.loadFailed')}{' '}
          <Button variant="quiet" size="small" onClick={() => void list.loadNext()}>
            {t('list.retry')}
          </Button>
        </Notice>
      )}
      <div className="mt-12 flex flex-col items-center gap-4">
        <p className="text-ink-soft text-sm tabular-nums">{showing}</p>
        {next !== undefined && (
          <Link href={addressOf(next)} rel="next" onClick={loadNext} className={buttonClass({ variant: 'secondary' })}>
            {t('list.more')}
          </Link>
        )}
      </div>
    </div>
  );
}

/** A press that the browser would follow in this window. */
function plain({ metaKey, ctrlKey, shiftKey, altKey, button }: MouseEvent): boolean {
  return !(metaKey || ctrlKey || shiftKey || altKey) && button === 0;
}

/** How many pages may still come by themselves. None on the server's page and where data is to be saved. */
function useUnpressed() {
  const [unpressed, setUnpressed] = useState(0);
  useEffect(() => {
    if (!savesData()) setUnpressed(byThemselves);
  }, []);
  return [unpressed, setUnpressed] as const;
}

/** Calls `near` whenever the element is near the window, and again for each new `turn`. */
function useNear(element: RefObject<Element | null>, turn: unknown, near: () => void) {
  const latest = useRef(near);
  useEffect(() => {
    latest.current = near;
  });
  useEffect(() => {
    if (turn === undefined || !element.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), { rootMargin: ahead });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, turn]);
}

/** Keeps the cards where they are on the screen when a page comes above them. Call it before asking for one. */
function useKeptPlace(area: { current: HTMLElement | null }, firstPage: number | undefined): () => void {
  const kept = useRef<{ element: Element; top: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the page that came that moves the others
  useLayoutEffect(() => {
    const { current } = kept;
    kept.current = null;
    if (current) scrollBy(0, current.element.getBoundingClientRect().top - current.top);
  }, [firstPage]);
  return () => {
    const element = area.current?.querySelector('[data-page]');
    if (element) kept.current = { element, top: element.getBoundingClientRect().top };
  };
}
