/** SPEC §2: the stores, their contact details and a map, followed by the blocks of the content page of this name. */

import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { addressLines } from '#contract/addresses.ts';
import { inLocale } from '#contract/locales.ts';
import { Button } from '#ui/button.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Select } from '#ui/inputs.tsx';
import { Frame, PageHeading } from '#ui/layout.tsx';
import { Notice } from '#ui/notice.tsx';
import { prefersReducedMotion } from '#ui/page.tsx';
import { BlockList, loadBlocks, optionalPageQuery } from '#web/blocks/blocks.tsx';
import { storesJsonLd } from '#web/features/contact/json-ld.ts';
import type { MapOptions, openMap, StoreMap } from '#web/features/contact/leaflet-map.ts';
import { shellQuery } from '#web/features/shell/queries.ts';
import { storesQuery, useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { clearTab, readTab, writeTab } from '#web/lib/tab-storage.ts';
import { useNow } from '../features/contact/hours-table.tsx';
import { StoreCard } from '../features/contact/store-card.tsx';

const name = 'contact';

export const Route = createFileRoute('/contact')({
  loader: async ({ context }) => {
    const { api, queryClient, t } = context;
    const [page] = await Promise.all([
      queryClient.query({ ...optionalPageQuery(api, name), staleTime: 'static' }),
      queryClient.query({ ...storesQuery(api), staleTime: 'static' }),
    ]);
    await loadBlocks(page?.blocks ?? []);
    return {
      title: page?.title ?? t('contact.title'),
      description: page?.metaDescription || t('contact.description'),
    };
  },
  head: ({ match, matches, loaderData }) => {
    const { api, locale, origin, queryClient } = match.context;
    const stores = queryClient.getQueryData(storesQuery(api).queryKey);
    const shell = queryClient.getQueryData(shellQuery(api).queryKey);
    if (!loaderData || !stores || !shell) return pageHead(matches, undefined);
    return pageHead(matches, {
      ...loaderData,
      image: stores.find(({ image }) => image)?.image,
      jsonLd: import.meta.env.SSR ? storesJsonLd(stores, shell, { origin, locale }) : undefined,
    });
  },
  component: ContactPage,
});

function ContactPage() {
  const { data: page } = useSuspenseQuery(optionalPageQuery(useApi(), name));
  return (
    <>
      <Stores />
      {page && <BlockList blocks={page.blocks} below />}
    </>
  );
}

/** Apart from the blocks: a minute that passes before the browser has taken them over would draw them anew. */
function Stores() {
  const t = useT();
  const locale = useLocale();
  const api = useApi();
  const { data: stores } = useSuspenseQuery(storesQuery(api));
  const { data: shell } = useSuspenseQuery(shellQuery(api));
  const { title, description } = Route.useLoaderData();
  const { tilesUrl, attribution } = shell.map;
  const now = useNow();
  const places = stores.map(({ localStoreName, nameContent, lat, lng, address }) => ({
    id: localStoreName,
    name: inLocale(nameContent, locale),
    lat,
    lng,
    lines: addressLines(address).slice(0, 1),
  }));
  const centre = stores.find(({ mainStore }) => mainStore) ?? stores[0];
  const map = useStoreMap(centre?.localStoreName ?? '', {
    stores: places,
    tilesUrl,
    attribution,
    words: { zoomIn: t('contact.map.zoomIn'), zoomOut: t('contact.map.zoomOut') },
  });
  return (
    <Frame>
      <PageHeading lead={description}>{title}</PageHeading>
      <div className="grid gap-12 wide:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <ul className="flex flex-col gap-14">
          {stores.map((store, index) => (
            <li key={store.localStoreName}>
              <StoreCard
                store={store}
                now={now}
                onShow={() => map.show(store.localStoreName)}
                first={index === 0}
              />
            </li>
          ))}
        </ul>
        {places.length > 0 && (
          <div>
            <div className="wide:sticky wide:top-24">
              <StoreMapPanel map={map} stores={places} host={hostOf(tilesUrl)} />
            </div>
          </div>
        )}
      </div>
    </Frame>
  );
}

/** The name of the tile provider; '' if the shop serves the tiles itself. */
function hostOf(tilesUrl: string): string {
  return /^https?:\/\/(?:\{s\}\.)?([^/:]+)/.exec(tilesUrl)?.[1] ?? '';
}

interface StoreMapProps {
  map: StoreMapControl;
  stores: { id: string; name: string }[];
  host: string;
}

/** The placeholder of the map in its final size, with a button that loads the map. */
function StoreMapPanel({
  map: { state, selected, container, button, select, show },
  stores,
  host,
}: StoreMapProps) {
  const t = useT();
  const failed = state === 'failed';
  return (
    <section aria-label={t('contact.map')} className="flex flex-col gap-4">
      <div className="relative h-96 overflow-hidden rounded-lg bg-surface-inset">
        <div ref={container} hidden={failed} className="absolute inset-0 z-0" />
        {state !== 'open' && (
          <div className="absolute inset-0 flex flex-col items-center justify-center gap-3 p-6 text-center">
            {failed && (
              <Notice tone="bad" className="text-left">
                {t('contact.map.failed')}
              </Notice>
            )}
            <Button
              label={t(failed ? 'list.retry' : 'contact.map.show')}
              ref={button}
              variant={failed ? 'secondary' : 'primary'}
              busy={state === 'asked for'}
              onClick={() => show(selected)}
            />
            {host && !failed && (
              <p className="max-w-sm text-balance text-ink-soft text-sm">{t('contact.map.note', { host })}</p>
            )}
          </div>
        )}
      </div>
      {/* It keeps its room until there is a map. */}
      {stores.length > 1 && !failed && (
        <div className={state === 'open' ? '' : 'invisible'}>
          <Select
            label={t('contact.map.stores')}
            options={stores.map(({ id, name }) => ({ value: id, label: name }))}
            value={selected}
            onChange={(event) => select(event.target.value)}
          />
        </div>
      )}
    </section>
  );
}

type MapState = 'asked for' | 'closed' | 'failed' | 'open';
type GivenOptions = Omit<MapOptions, 'onFailure' | 'onSelect' | 'selected' | 'still'>;

interface StoreMapControl {
  state: MapState;
  selected: string;
  container: RefObject<HTMLDivElement | null>;
  button: RefObject<HTMLButtonElement | null>;
  select: (id: string) => void;
  show: (id: string) => void;
}

const askedKey = 'contact-map';

/** The map of the stores: nothing of it loads before a customer calls `show`. */
function useStoreMap(first: string, options: GivenOptions): StoreMapControl {
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
      map.current = openMap(container.current, {
        ...given.current,
        selected,
        still,
        onSelect: select,
        onFailure,
      });
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
  import('#web/features/contact/leaflet-map.ts')
    .then(({ openMap }) => !abandoned && onLoad(openMap))
    .catch(onFailure);
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
