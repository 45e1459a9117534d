import { useRouter } from '@tanstack/react-router';
import {
  type ComponentType,
  Fragment,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button, buttonClass } from '#ui/button.tsx';
import { useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { announce, isPlainClick, savesData } from '#ui/page.tsx';
import type { Paged } from '#web/lib/paged.ts';

/** The number of pages that load automatically before a button appears, so that the footer stays within reach. */
const automaticPages = 2;
/** The next page loads when the last item is this near below the window, or anywhere above it, as after a jump to the end. */
const loadMargin = '1000000px 0px 600px';

interface PagedListProps<T> {
  list: Paged<T>;
  pageSize: number;
  /** The page in the address, and the address of any page. Give a function that never changes. */
  page: number;
  addressOf: (page: number) => string;
  idOf: (item: T) => string;
  grid: ComponentType<{ children: ReactNode }>;
  place: ComponentType;
  /** The content of an item's `<li>`. `page` counts the loaded pages, `index` the items of the page, both from 0. */
  item: (item: T, at: { page: number; index: number }) => ReactNode;
  itemClass?: (at: { number: number; index: number }) => string | undefined;
  words: { previous: string; showing: string; loadFailed: string };
}

/** Both ends link to the page before and after, so the list works without scripts; with scripts, the pages join those already shown. */
export function PagedList<T>(props: PagedListProps<T>) {
  const { list, addressOf, idOf, grid: Grid, place: Place, words } = props;
  const t = useT();
  const { area, lastItem, loadNext, loadPrevious, places } = useListLoading(props);
  const { next, previous } = list;
  useAnnounced(words.showing);
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
            {words.previous}
          </Link>
        </p>
      )}
      <Grid>
        {list.pages.map(({ number, items }, page) => (
          <Fragment key={number}>
            {items.map((item, index) => (
              <li
                key={idOf(item)}
                ref={page === list.pages.length - 1 && index === items.length - 1 ? lastItem : undefined}
                data-page={index === 0 ? number : undefined}
                className={props.itemClass?.({ number, index })}
              >
                {props.item(item, { page, index })}
              </li>
            ))}
          </Fragment>
        ))}
        {places.map((number) => (
          <Place key={number} />
        ))}
      </Grid>
      {list.failed && (
        <Notice tone="bad" className="mt-12">
          {words.loadFailed}{' '}
          <Button label={t('list.retry')} variant="quiet" size="small" onClick={() => void list.loadNext()} />
        </Notice>
      )}
      <div className="mt-12 flex flex-col items-center gap-4">
        <p className="text-ink-soft text-sm tabular-nums">{words.showing}</p>
        {next !== undefined && (
          <Link
            href={addressOf(next)}
            rel="next"
            onClick={loadNext}
            className={buttonClass({ variant: 'secondary' })}
          >
            {t('list.more')}
          </Link>
        )}
      </div>
    </div>
  );
}

/** Loads the pages before and after those shown, by the links or when the end of the list comes near. */
function useListLoading<T>({ list, pageSize, page, addressOf }: PagedListProps<T>) {
  const area = useRef<HTMLDivElement>(null);
  const lastItem = useRef<HTMLLIElement>(null);
  const [automatic, setAutomatic] = useAutomaticPages(lastItem);
  const { next, shown, count } = list;
  usePageInView(area, page, addressOf);
  const keepPlace = useKeptPlace(area, list.pages[0]?.number);

  const loadNext = async (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    setAutomatic(automaticPages);
    const byKeyboard = event.detail === 0;
    await list.loadNext();
    if (byKeyboard) area.current?.querySelector<HTMLElement>(`[data-page="${next}"] a`)?.focus();
  };
  const loadPrevious = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    keepPlace();
    void list.loadPrevious();
  };
  useNear(lastItem, automatic > 0 ? next : undefined, () => {
    if (list.failed || list.loadingNext) return;
    setAutomatic(automatic - 1);
    void list.loadNext();
  });
  const coming = list.failed ? 0 : pageSize * (automatic + (list.loadingNext ? 1 : 0));
  const reserved = next === undefined ? 0 : count < 0 ? coming : Math.min(coming, count - shown.to);
  // One place for each item that loads automatically, so that nothing after the list moves when the items arrive.
  const places = Array.from({ length: reserved }, (_, index) => shown.to + index + 1);
  return { area, lastItem, loadNext, loadPrevious, places };
}

function useAnnounced(text: string) {
  const announced = useRef(text);
  useEffect(() => {
    if (announced.current !== text) announce(text);
    announced.current = text;
  }, [text]);
}

/**
 * How many pages may still load automatically. None on the server's page, none if the browser saves data, and none if somebody sees
 * the end of the list by the time that scripts run: what is after it would move away.
 */
function useAutomaticPages(lastItem: RefObject<Element | null>) {
  const [automatic, setAutomatic] = useState(0);
  useEffect(() => {
    const isEndSeen = (lastItem.current?.getBoundingClientRect().bottom ?? innerHeight) < innerHeight;
    if (!savesData() && !isEndSeen) setAutomatic(automaticPages);
  }, [lastItem]);
  return [automatic, setAutomatic] as const;
}

function useNear(element: RefObject<Element | null>, turn: unknown, near: () => void) {
  const latest = useRef(near);
  useEffect(() => {
    latest.current = near;
  });
  useEffect(() => {
    if (turn === undefined || !element.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      rootMargin: loadMargin,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, turn]);
}

/** Keeps the items where they are on the screen when a page is inserted before them. Call the result before loading one. */
function useKeptPlace(area: { current: HTMLElement | null }, firstPage: number | undefined): () => void {
  const kept = useRef<{ element: Element; top: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new first page changes where the others are
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

/** Milliseconds without scrolling before the address is updated. Browsers limit the rate of changes. */
const restMs = 200;

/** So that it can be shared and reloaded there. The first card of each page has `data-page`. */
function usePageInView(
  area: RefObject<HTMLElement | null>,
  current: number,
  addressOf: (page: number) => string,
): void {
  const router = useRouter();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      const page = pageInView(area.current);
      // A page that is being left must not change the address of the next one.
      if (page === undefined || page === current || router.state.status === 'pending') return;
      void router.navigate({
        href: addressOf(page),
        replace: true,
        resetScroll: false,
        viewTransition: false,
      });
    };
    const scrolled = () => {
      clearTimeout(timer);
      timer = setTimeout(follow, restMs);
    };
    addEventListener('scroll', scrolled, { passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', scrolled);
    };
  }, [router, area, current, addressOf]);
}

/** The last page whose first card is above the middle of the window. */
function pageInView(area: HTMLElement | null): number | undefined {
  const marks = [...(area?.querySelectorAll<HTMLElement>('[data-page]') ?? [])];
  const passed = marks.filter((mark) => mark.getBoundingClientRect().top < innerHeight / 2);
  const mark = passed.at(-1) ?? marks[0];
  return mark ? Number(mark.dataset.page) : undefined;
}

/** Chips in a row: several rows on a desktop, one scrollable row on a phone. */
export const scrollRowClass =
  '-mx-gutter flex gap-2 px-gutter py-1.5 max-menu:overflow-x-auto [scrollbar-width:none] *:flex-none menu:mx-0 menu:flex-wrap menu:px-0';
