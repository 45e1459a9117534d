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
import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { savesData } from '#web/lib/media-query.ts';
import type { Paged } from '#web/lib/paged.ts';
import { usePageInView } from '#web/lib/use-page-in-view.ts';
import { announce } from './announce.ts';
import { Button, buttonClass } from './button.tsx';
import { Notice } from './notice.tsx';

/** Pages that come by themselves before the shopper is asked: the footer stays within reach. */
const byThemselves = 2;
/** The next page is asked for when the last item is this far below the window, and wherever it is above it: one may jump. */
const ahead = '1000000px 0px 600px';

export interface PagedListProps<T> {
  list: Paged<T>;
  pageSize: number;
  /** The page that stands in the address, and the address of any page. Give a function that stays the same. */
  page: number;
  addressOf: (page: number) => string;
  idOf: (item: T) => string;
  /** The list's element; its children are `<li>`. */
  grid: ComponentType<{ children: ReactNode }>;
  /** An item's place while it loads, a `<li>`. */
  place: ComponentType;
  /** What stands in the item's `<li>`. `page` counts the loaded pages, `index` the items of the page, both from 0. */
  item: (item: T, at: { page: number; index: number }) => ReactNode;
  itemClass?: (at: { number: number; index: number }) => string | undefined;
  /** What is said on the way to the page before, of what is shown so far, and where a page could not be loaded. */
  words: { previous: string; showing: string; loadFailed: string };
}

/**
 * The items of a list, page by page. Both ends are real links to the page before and after, so that it
 * works without scripts; with them, pages join the ones that are there.
 */
export function PagedList<T>(props: PagedListProps<T>) {
  const { list, pageSize, addressOf, idOf, grid: Grid, place: Place, words } = props;
  const t = useT();
  const area = useRef<HTMLDivElement>(null);
  const [unpressed, setUnpressed] = useUnpressed();
  const { next, previous, shown, count } = list;
  usePageInView(area, props.page, addressOf);
  const keepPlace = useKeptPlace(area, list.pages[0]?.number);
  const { showing } = words;

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
  const lastItem = useRef<HTMLLIElement>(null);
  useNear(lastItem, unpressed > 0 ? next : undefined, () => {
    if (list.failed || list.loadingNext) return;
    setUnpressed(unpressed - 1);
    void list.loadNext();
  });
  const coming = list.failed ? 0 : pageSize * (unpressed + (list.loadingNext ? 1 : 0));
  const kept = next === undefined ? 0 : count < 0 ? coming : Math.min(coming, count - shown.to);
  // Places for all that comes by itself, so that nothing below moves when it does; each stays where it is until its item comes.
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
