/** What the office does for every page: its name for tabs and screen readers, and the focus on its heading. */
import { type RefObject, useEffect, useRef } from 'react';
import { focusPage, focusQuietly } from '#ui/page.tsx';

/** What the part of an address after # names: by its id, or a field by its path. */
const partOf = (hash: string): HTMLElement | null =>
  document.getElementById(hash) ??
  document.querySelector<HTMLElement>(`[name="${CSS.escape(hash)}"], [name^="${CSS.escape(hash)}."]`);

/**
 * Names the document after the heading of the page and `names`: `000207 · Orders · Office`. When the address has changed, the heading
 * gets the focus as soon as it is there, unless the page has placed the focus itself; then what `hash` names, if anything.
 */
export function usePage(
  main: RefObject<HTMLElement | null>,
  { address, hash }: { address: string; hash: string },
  names: readonly string[],
): void {
  const shown = useRef<{ address: string; heading: Element | null; text: string }>({
    address,
    heading: null,
    text: '',
  });
  const joined = names.join(' · ');
  useEffect(() => {
    const { current: page } = main;
    if (!page) return;
    const look = () => {
      const heading = page.querySelector('h1');
      const text = heading?.textContent.trim() ?? '';
      const title = joined.startsWith(text) ? joined : `${text} · ${joined}`;
      if (document.title !== title) document.title = title;
      const last = shown.current;
      if (!heading || (heading === last.heading && text === last.text)) return;
      shown.current = { address, heading, text };
      if (address !== last.address) focusPage();
    };
    look();
    const observer = new MutationObserver(look);
    observer.observe(page, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [main, address, joined]);
  useEffect(() => {
    const { current: page } = main;
    if (!page || hash === '') return;
    const look = () => {
      const part = partOf(hash);
      if (!part) return;
      observer.disconnect();
      part.scrollIntoView({ block: 'center' });
      focusQuietly(part);
    };
    const observer = new MutationObserver(look);
    observer.observe(page, { childList: true, subtree: true });
    look();
    return () => observer.disconnect();
  }, [main, hash]);
}
