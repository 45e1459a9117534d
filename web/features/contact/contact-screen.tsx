import { useEffect, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { AppContent, PickupLocation } from '#contract/schemas/shop.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Frame, PageHeading } from '#ui/layout.tsx';
import { addressLines } from '#web/lib/address.ts';
import { StoreCard } from './store-card.tsx';
import { StoreMapPanel, useStoreMap } from './store-map.tsx';

interface ContactScreenProps {
  title: string;
  lead: string;
  stores: PickupLocation[];
  map: AppContent['map'];
}

export function ContactScreen({ title, lead, stores, map: { tilesUrl, attribution } }: ContactScreenProps) {
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

const minuteMs = 60_000;

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
