/** SPEC §2: the stores, their contact details and a map, followed by the blocks of the content page of this name. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { AppContent, PickupLocation } from '#contract/schemas/shop.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Frame, PageHeading } from '#ui/layout.tsx';
import { BlockList, loadBlocks } from '#web/blocks/blocks.tsx';
import { optionalPageQuery } from '#web/blocks/queries.ts';
import { storesJsonLd } from '#web/features/contact/json-ld.ts';
import { shellQuery } from '#web/features/shell/queries.ts';
import { addressLines } from '#web/lib/address.ts';
import { storesQuery, useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { StoreCard } from '../features/contact/store-card.tsx';
import { StoreMapPanel, useStoreMap } from '../features/contact/store-map.tsx';

const minuteMs = 60_000;

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
  const api = useApi();
  const { data: page } = useSuspenseQuery(optionalPageQuery(api, name));
  const { data: stores } = useSuspenseQuery(storesQuery(api));
  const { data: shell } = useSuspenseQuery(shellQuery(api));
  const { title, description } = Route.useLoaderData();
  return (
    <>
      <ContactScreen title={title} lead={description} stores={stores} map={shell.map} />
      {page && <BlockList blocks={page.blocks} below />}
    </>
  );
}

interface ContactScreenProps {
  title: string;
  lead: string;
  stores: PickupLocation[];
  map: AppContent['map'];
}

function ContactScreen({ title, lead, stores, map: { tilesUrl, attribution } }: ContactScreenProps) {
  const t = useT();
  const locale = useLocale();
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
      <PageHeading lead={lead}>{title}</PageHeading>
      <div className="grid gap-12 wide:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <ul className="flex flex-col gap-14">
          {stores.map((store, index) => (
            <li key={store.localStoreName}>
              <StoreCard store={store} now={now} onShow={() => map.show(store.localStoreName)} first={index === 0} />
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

/** Epoch ms, every minute. Null until hydration: the server's HTML is cached and must be true at any time. */
function useNow(): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const look = () => setNow(Date.now());
    look();
    const timer = setInterval(look, minuteMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return now;
}
