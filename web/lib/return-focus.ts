/**
 * Back returns to the item one came from, not only to the height: the item opened in a list is
 * remembered with the list's history entry, and takes the focus when that entry is shown again.
 * Browser only.
 */
import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { readTab, writeTab } from './tab-storage.ts';

const storeName = 'opened-items';
/** History entries remembered; the oldest are dropped. */
const most = 30;

type Opened = [entry: string, item: string][];

function read(): Opened {
  const opened = readTab(storeName);
  return Array.isArray(opened) ? (opened as Opened) : [];
}

function write(opened: Opened): void {
  // Without storage (private mode, full) the list still opens where the router scrolls to.
  writeTab(storeName, opened.slice(-most));
}

/** A history entry, also after its address was replaced by that of the page in view, which changes its key. */
function entryOf(router: AnyRouter): string {
  const { state, pathname } = router.state.location;
  return `${state.__TSR_index} ${pathname}`;
}

/**
 * For a list whose items carry `data-item`. Where another link stands before the one that opens the item,
 * that carries `data-opens`. Give the ref to the list's element. `picture` is the
 * selector of what carries over to the page of the item in a view transition.
 */
export function useReturnFocus<T extends HTMLElement>(picture: string): RefObject<T | null> {
  const router = useRouter();
  const list = useRef<T>(null);
  // Before the next picture of a view transition is taken.
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const entry = entryOf(router);
    const item = read().find(([key]) => key === entry)?.[1];
    if (item !== undefined) {
      write(read().filter(([key]) => key !== entry));
      const target = element.querySelector<HTMLElement>(`[data-item="${CSS.escape(item)}"]`);
      if (target) returnTo(target, picture);
    }
    const opened = ({ target }: MouseEvent) => {
      const link = (target as Element).closest('a');
      const found = link?.closest<HTMLElement>('[data-item]');
      if (!found?.dataset.item) return;
      const key = entryOf(router);
      write([...read().filter(([other]) => other !== key), [key, found.dataset.item]]);
      carryOver(found, picture);
    };
    element.addEventListener('click', opened, true);
    return () => element.removeEventListener('click', opened, true);
  }, [router, picture]);
  return list;
}

/** After the router has restored the height and the shell has put the focus where a page begins. */
function returnTo(item: HTMLElement, picture: string): void {
  carryOver(item, picture);
  requestAnimationFrame(() => {
    const link = item.querySelector<HTMLElement>('[data-opens]') ?? item.querySelector<HTMLElement>('a');
    link?.focus({ preventScroll: true });
    const { top, bottom } = item.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) item.scrollIntoView({ block: 'center' });
  });
}

/** The name that the pictures of both pages share while one becomes the other; only one may have it. */
const carriedPicture = 'carried-picture';

function carryOver(item: HTMLElement, picture: string): void {
  const element = item.querySelector<HTMLElement>(picture);
  if (!element) return;
  // A product's page has it for its own picture; another product's card takes it over.
  for (const other of document.querySelectorAll<HTMLElement>('.carried')) other.style.viewTransitionName = 'none';
  element.style.viewTransitionName = carriedPicture;
  setTimeout(() => {
    element.style.viewTransitionName = '';
  }, 1500);
}
