import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { prefersReducedMotion } from '#web/lib/media-query.ts';
import { clearTab, readTab, writeTab } from '#web/lib/tab-storage.ts';
import type { MapOptions, openMap, StoreMap } from './leaflet-map.ts';

export type MapState = 'asked for' | 'closed' | 'failed' | 'open';
type GivenOptions = Omit<MapOptions, 'onFailure' | 'onSelect' | 'selected' | 'still'>;

export interface StoreMapControl {
  state: MapState;
  /** The id of the selected store. */
  selected: string;
  /** The element for the map. */
  container: RefObject<HTMLDivElement | null>;
  /** The button that loads the map, at first and again. */
  button: RefObject<HTMLButtonElement | null>;
  /** Selects a store; an open map moves to it. */
  select: (id: string) => void;
  /** Opens the map on a store, or moves it there. */
  show: (id: string) => void;
}

const askedKey = 'contact-map';

/** The map of the stores: nothing of it loads before a customer calls `show`. */
export function useStoreMap(first: string, options: GivenOptions): StoreMapControl {
  const [state, setState] = useState<MapState>('closed');
  const [selected, setSelected] = useState(first);
  const container = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const map = useRef<StoreMap>(undefined);
  const given = useRef(options);
  given.current = options;

  const select = useCallback((id: string) => {
    setSelected(id);
    map.current?.show(id);
  }, []);

  const show = useCallback(
    (id: string) => {
      select(id);
      if (map.current) {
        return focusMap(container.current, prefersReducedMotion() ? 'instant' : 'smooth');
      }
      if (loadedAsThisPage()) {
        return setState((now) => (now === 'open' ? now : 'asked for'));
      }
      // The page was reached by a link within the shop, so the policy of another page applies, which allows no tiles.
      writeTab(askedKey, id);
      location.reload();
    },
    [select],
  );

  useEffect(() => {
    const asked = readTab(askedKey);
    clearTab(askedKey);
    if (typeof asked === 'string') show(asked);
  }, [show]);

  useEffect(() => {
    if (state !== 'asked for') return;
    const onFailure = () => setState('failed');
    return loadMap((openMap) => {
      if (!container.current) return;
      const still = prefersReducedMotion();
      map.current = openMap(container.current, { ...given.current, selected, still, onSelect: select, onFailure });
      setState('open');
      focusMap(container.current);
    }, onFailure);
  }, [state, selected, select]);

  // A map without tiles is removed with its controls; focus that was on it moves to the button that tries again.
  useLayoutEffect(() => {
    if (state !== 'failed' || !map.current) return;
    if (container.current?.contains(document.activeElement)) button.current?.focus();
    map.current.remove();
    map.current = undefined;
  }, [state]);

  useEffect(() => () => map.current?.remove(), []);
  return { state, selected, container, button, select, show };
}

/** Loads the code of the map. Returns a function that abandons it. */
function loadMap(onLoad: (open: typeof openMap) => void, onFailure: () => void): () => void {
  let abandoned = false;
  import('./leaflet-map.ts').then(({ openMap }) => !abandoned && onLoad(openMap)).catch(onFailure);
  return () => {
    abandoned = true;
  };
}

function focusMap(container: HTMLElement | null, behavior: ScrollBehavior = 'auto'): void {
  container?.scrollIntoView({ block: 'nearest', behavior });
  container?.focus({ preventScroll: true });
}

/** Whether this document was loaded at this address, rather than reached from another page of the shop. */
function loadedAsThisPage(): boolean {
  const [document] = performance.getEntriesByType('navigation');
  return document === undefined || new URL(document.name).pathname === location.pathname;
}
