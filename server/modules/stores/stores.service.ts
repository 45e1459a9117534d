/**
 * Manages stores, where orders are picked up and tables are served; owns the choice of the main store and the shop's time zone.
 */
import { inLocale, type Locale } from '#contract/locales.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { OpenStore, PickupLocation } from '#contract/schemas/shop.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { cachedByTopics } from '#server/platform/cached-by-topics.ts';
import { InputError } from '#server/platform/input-error.ts';
import { recordUntil } from '#server/platform/recorded-reads.ts';
import { topics } from '#server/platform/topics.ts';
import { mainStoreProblems, type Store, storeProblems } from './store-input.ts';
import { statusNow } from './store-status.ts';
import { allStores, putStore, removedStores, removeStore, type StoreRow } from './stores.repository.ts';

export type StoresService = ReturnType<typeof createStoresService>;

export interface StoresServiceDeps {
  db: Database;
  media: MediaService;
  now: () => number;
}

export function createStoresService({ db, media, now }: StoresServiceDeps) {
  const all = cachedByTopics(db, [topics.stores], () => storesIn(db.catalogue));
  const removed = cachedByTopics(db, [topics.stores], async () => (await removedStores(db.catalogue)).map(toStore));
  return {
    /** All stores in the merchant's order, including hidden ones; as of the call. */
    all: all as () => Promise<readonly Store[]>,
    /** Stores that were removed, for the orders that were placed there; as of the call. */
    removed: removed as () => Promise<readonly Store[]>,
    /** As of `reader`, for use inside a transaction. */
    read: storesIn,
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
    /**
     * Removes a store at `at` (epoch ms), and increments the catalogue version. Its row stays for the orders that were placed
     * there; `upsert` restores it.
     */
    async remove(trx: Trx, id: string, at: number): Promise<void> {
      await removeStore(trx, id, at);
      await recordCatalogueChange(trx, [topics.stores]);
    },
    /** What is wrong with these stores once they are in the shop beside the others; empty if they can be written. */
    async problemsOf(stores: readonly Store[]): Promise<string[]> {
      return upsertProblems(stores, await allStores(db.read));
    },
    /** Adds or updates stores in the given order; others stay. @throws {InputError} naming every problem, with none changed */
    async upsert(stores: readonly Store[]): Promise<void> {
      await db.transaction(async (trx) => {
        const known = await allStores(trx);
        const problems = upsertProblems(stores, known);
        if (problems.length > 0) throw new InputError(problems);
        const next = Math.max(-1, ...known.map(({ position }) => position)) + 1;
        for (const [index, store] of stores.entries()) {
          const position = known.find((row) => row.id === store.id)?.position ?? next + index;
          await putStore(trx, toRow(store, position));
        }
        await recordCatalogueChange(trx, [topics.stores]);
      });
    },
  };
}

function upsertProblems(stores: readonly Store[], known: readonly StoreRow[]): string[] {
  const ids = new Set(stores.map(({ id }) => id));
  const others = known.filter(({ id }) => !ids.has(id)).map(toStore);
  return [...storeProblems(stores), ...mainStoreProblems([...others, ...stores])];
}

/** What is wrong with the stores of a shop as they are stored, for the health check. */
export async function storedStoreProblems(reader: Reader): Promise<string[]> {
  const stores = (await allStores(reader)).map(toStore);
  return [...storeProblems(stores), ...mainStoreProblems(stores)];
}

/** All stores as of `reader`, in the merchant's order. */
export async function storesIn(reader: Reader): Promise<Store[]> {
  return withMainStore((await allStores(reader)).map(toStore));
}

/** The IANA time zone that the shop's days and order numbers go by: the main store's, or UTC for a shop without stores. */
export function shopTimeZone(stores: readonly Store[]): string {
  return stores.find(({ mainStore }) => mainStore)?.timeZone ?? 'UTC';
}

/** The main store, and whether the merchant marked it as such; null for a shop without stores. */
export async function mainStoreIn(reader: Reader): Promise<{ store: Store; marked: boolean } | null> {
  const rows = await allStores(reader);
  const store = withMainStore(rows.map(toStore)).find(({ mainStore }) => mainStore);
  return store ? { store, marked: rows.some((row) => row.main_store === 1) } : null;
}

/** Marks exactly one store as the main one: the first that the merchant marked, or the first of all. */
function withMainStore(stores: readonly Store[]): Store[] {
  const main = stores.find(({ mainStore }) => mainStore) ?? stores[0];
  return stores.map((store) => ({ ...store, mainStore: store === main }));
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
  };
}

function toStore(row: StoreRow): Store {
  return {
    id: row.id,
    name: JSON.parse(row.name),
    description: JSON.parse(row.description),
    address: JSON.parse(row.address),
    lat: row.lat,
    lng: row.lng,
    phone: row.phone,
    email: row.email,
    timeZone: row.time_zone,
    openingHours: JSON.parse(row.opening_hours),
    specialHours: JSON.parse(row.special_hours),
    mainStore: row.main_store === 1,
    display: row.display === 1,
    allowPickup: row.allow_pickup === 1,
    tables: row.tables,
    image: row.image,
    pickupLeadMinutes: row.pickup_lead_minutes,
    pickupSlotCapacity: row.pickup_slot_capacity,
  };
}

function toRow(store: Store, position: number): StoreRow {
  return {
    id: store.id,
    name: JSON.stringify(store.name),
    description: JSON.stringify(store.description),
    address: JSON.stringify(store.address),
    lat: store.lat,
    lng: store.lng,
    phone: store.phone,
    email: store.email,
    time_zone: store.timeZone,
    opening_hours: JSON.stringify(store.openingHours),
    special_hours: JSON.stringify(store.specialHours),
    main_store: store.mainStore ? 1 : 0,
    display: store.display ? 1 : 0,
    allow_pickup: store.allowPickup ? 1 : 0,
    tables: store.tables,
    image: store.image,
    position,
    pickup_lead_minutes: store.pickupLeadMinutes,
    pickup_slot_capacity: store.pickupSlotCapacity,
    removed_at: null,
  };
}
