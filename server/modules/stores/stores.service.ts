/** Manages stores, where orders are picked up and tables are served. */
import { inLocale, type Locale } from '#contract/locales.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { OpenStore, PickupLocation } from '#contract/schemas/shop.ts';
import type { Database } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { cachedByTopics, recordUntil, untilTheyEnd } from '#server/platform/recorded-reads.ts';
import { topics } from '#server/platform/topics.ts';
import { createSoldOutReader } from './sold-out.ts';
import type { Store } from './store-input.ts';
import { statusNow } from './store-status.ts';
import { shopTimeZone, storesIn, storesNow, toStore } from './stored-stores.ts';
import { createStoresEditor } from './stores.editor.ts';
import { allStores, removedStores } from './stores.repository.ts';

export type StoresService = ReturnType<typeof createStoresService>;

export interface StoresServiceDeps {
  db: Database;
  media: MediaService;
  now: () => number;
}

export function createStoresService({ db, media, now }: StoresServiceDeps) {
  const rows = cachedByTopics(db, [topics.stores], () => allStores(db.read));
  const all = untilTheyEnd(rows, now, (each) => each.flatMap((row) => [row.busy_until, row.paused_until]), storesNow);
  const removed = cachedByTopics(db, [topics.stores], async () => (await removedStores(db.read)).map(toStore));
  return {
    /** All stores in the merchant's order, including hidden ones; as of the call. */
    all: all as () => Promise<readonly Store[]>,
    /** Stores that were removed, for the orders that were placed there; as of the call. */
    removed: removed as () => Promise<readonly Store[]>,
    /** As of `reader`, for use inside a transaction. */
    read: storesIn,
    soldOut: createSoldOutReader({ db, now }),
    ...createStoresEditor({ db, now }),
    /** The shop's time zone; see `shopTimeZone`. */
    timeZone: async (): Promise<string> => shopTimeZone(await all()),
    /** The displayed stores in their wire shape. */
    async locations(locale: Locale): Promise<PickupLocation[]> {
      const shown = (await all()).filter((store) => store.display);
      const images = await media.images(shown.flatMap((store) => store.image ?? []));
      return shown.map((store) => toLocation(store, locale, (store.image && images.get(store.image)) || null));
    },
    /** The displayed stores with whether they are open now. An answer that shows them is true until one of them opens or closes. */
    async open(locale: Locale): Promise<OpenStore[]> {
      const shown = (await all()).filter((store) => store.display);
      const images = await media.images(shown.flatMap((store) => store.image ?? []));
      const at = now();
      return shown.map((store) => {
        const { isOpen, text, until } = statusNow(store, at, locale);
        recordUntil(until);
        const { street, city } = store.address;
        const image = (store.image && images.get(store.image)) || null;
        return { id: store.id, name: inLocale(store.name, locale), street, city, image, isOpen, status: text };
      });
    },
    /**
     * A store that customers no longer see, because it was removed or is hidden, for an order that was placed there. Null for a
     * store that is displayed, or never existed.
     */
    async unlisted(id: string, locale: Locale): Promise<PickupLocation | null> {
      const store = [...(await removed()), ...(await all())].find((each) => each.id === id);
      const isListed = store && (await all()).includes(store) && store.display;
      if (!store || isListed) return null;
      const image = store.image === null ? undefined : (await media.images([store.image])).get(store.image);
      return { ...toLocation(store, locale, image ?? null), display: false, mainStore: false };
    },
  };
}

function toLocation(store: Store, locale: Locale, image: ImageInfo | null): PickupLocation {
  const { address } = store;
  return {
    localStoreName: store.id,
    nameContent: store.name,
    description: inLocale(store.description, locale),
    display: store.display,
    allowPickup: store.allowPickup,
    mainStore: store.mainStore,
    tables: store.tables,
    email: store.email,
    phone: store.phone,
    address: {
      streetNumberAndNameDetails: address.street,
      city: address.city,
      province: address.province,
      postCode: address.postCode,
      country: address.country,
      countryISOCode: address.countryISOCode,
      addressDescription: '',
      contactPhone: store.phone,
    },
    lat: store.lat,
    lng: store.lng,
    timeZone: store.timeZone,
    openingHours: store.openingHours,
    specialHours: store.specialHours,
    image,
    ...(store.deliveryZones.length > 0 ? { delivers: true } : {}),
  };
}
