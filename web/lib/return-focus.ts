/** Back returns to the item that was opened: it is stored with the list's history entry, and focused when that is shown again. Browser only. */
import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { readTab, writeTab } from './tab-storage.ts';

const storeName = 'opened-items';
/** The number of history entries stored; the oldest are dropped. */
const most = 30;

type Opened = [entry: string, item: string][];

function read(): Opened {
  const opened = readTab(storeName);
  return Array.isArray(opened) ? (opened as Opened) : [];
}

function write(opened: Opened): void {
  // Without storage (private mode, full) the list still opens at the router's scroll position.
  writeTab(storeName, opened.slice(-most));
}

/** Identifies a history entry, even after its address was replaced by that of the page in view, which changes its key. */
function entryOf(router: AnyRouter): string {
  const { state, pathname } = router.state.location;
  return `${state.__TSR_index} ${pathname}`;
}

/** For a list of `data-item`s; a link before the one that opens has `data-opens`. `picture` selects what a view transition carries over. */
export function useReturnFocus<T extends HTMLElement>(picture: string): RefObject<T | null> {
  const router = useRouter();
  const list = useRef<T>(null);
  // Before the view transition captures the next page.
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const entry = entryOf(router);
    const item = read().find(([key]) => key === entry)?.[1];
    const target =
      item === undefined ? null : element.querySelector<HTMLElement>(`[data-item="${CSS.escape(item)}"]`);
    // A list without the item leaves it to another one: pages have several lists, and those below the first screen of the page
    // that is being left may mount after the address has changed.
    if (target) {
      write(read().filter(([key]) => key !== entry));
      returnTo(target, picture);
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

/** After the router has restored the scroll position and the shell has moved focus to the start of the page. */
function returnTo(item: HTMLElement, picture: string): void {
  carryOver(item, picture);
  requestAnimationFrame(() => {
    const link = item.querySelector<HTMLElement>('[data-opens]') ?? item.querySelector<HTMLElement>('a');
    link?.focus({ preventScroll: true });
    const { top, bottom } = item.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) item.scrollIntoView({ block: 'center' });
  });
}

/** The view transition name that the images of both pages share; only one element may have it. */
const carriedPicture = 'carried-picture';

function carryOver(item: HTMLElement, picture: string): void {
  const element = item.querySelector<HTMLElement>(picture);
  if (!element) return;
  // On a product's page its own image has the name; the card of another product takes it over.
  for (const other of document.querySelectorAll<HTMLElement>('.carried'))
    other.style.viewTransitionName = 'none';
  element.style.viewTransitionName = carriedPicture;
  setTimeout(() => {
    element.style.viewTransitionName = '';
  }, 1500);
}
