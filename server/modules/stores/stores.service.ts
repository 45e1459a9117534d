/** Manages stores, where orders are picked up and tables are served. */
import { inLocale, type Locale } from '#contract/locales.ts';
import type { Problem } from '#contract/problems.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { OpenStore, PickupLocation } from '#contract/schemas/shop.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Trx } from '#db/database.ts';
import { type Change, changedFields, noteDocument } from '#server/modules/changes/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { InputError, validationError } from '#server/platform/errors.ts';
import { cachedByTopics, recordUntil, topics, untilTheyEnd } from '#server/platform/recorded-reads.ts';
import { nextDaysOpening, statusNow, timeAhead } from './open-hours.ts';
import { soldOutNow, soldOutRows } from './sold-out.repository.ts';
import {
  mainStoreProblems,
  type Store,
  shopTimeZone,
  storeProblems,
  storesIn,
  storesNow,
  toRow,
  toStore,
} from './store.ts';
import {
  allStores,
  lockStores,
  putStore,
  removedStores,
  removeStore,
  type StoreRow,
  updateToday,
} from './stores.repository.ts';

export type StoresService = ReturnType<typeof createStoresService>;

interface StoresServiceDeps {
  db: Database;
  media: MediaService;
  now: () => number;
}

export function createStoresService({ db, media, now }: StoresServiceDeps) {
  const rows = cachedByTopics(db, [topics.stores], () => allStores(db.read));
  const all = untilTheyEnd(
    rows,
    now,
    (each) => each.flatMap((row) => [row.busy_until, row.paused_until]),
    storesNow,
  );
  const removed = cachedByTopics(db, [topics.stores], async () =>
    (await removedStores(db.read)).map(toStore),
  );
  const soldOut = cachedByTopics(db, [topics.soldOut], () => soldOutRows(db.read));
  return {
    /** All stores in the merchant's order, including hidden ones; as of the call. */
    all: all as () => Promise<readonly Store[]>,
    /** Stores that were removed, for the orders that were placed there; as of the call. */
    removed: removed as () => Promise<readonly Store[]>,
    /** As of `reader`, for use inside a transaction. */
    read: storesIn,
    /** What is sold out as of the call: the same object until that changes. An answer that shows it is true until an item is back. */
    soldOut: untilTheyEnd(soldOut, now, (all) => all.map(({ until }) => until), soldOutNow),
    ...createStoresEditor({ db, now }),
    /** The shop's time zone; see `shopTimeZone`. */
    timeZone: async (): Promise<string> => shopTimeZone(await all()),
    /** The displayed stores in their wire shape. */
    async locations(locale: Locale): Promise<PickupLocation[]> {
      const shown = (await all()).filter((store) => store.display);
      const images = await media.images(shown.flatMap((store) => store.image ?? []));
      return shown.map((store) =>
        toLocation(store, locale, (store.image && images.get(store.image)) || null),
      );
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
        return {
          id: store.id,
          name: inLocale(store.name, locale),
          street,
          city,
          image,
          isOpen,
          status: text,
        };
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

/** Adds, changes and removes stores. Each change is one transaction, visible on the next request. */
export interface TodayChange {
  busyMinutes?: number;
  paused?: boolean;
  until?: string;
}

export function createStoresEditor({ db, now }: { db: Database; now: () => number }) {
  return {
    /** Until the transaction ends. */
    lock: (trx: Trx) => lockStores(db, trx),
    /**
     * Removes a store at `at` (epoch ms), and increments the catalogue version. Its row stays for the orders that were placed
     * there; `upsert` restores it.
     */
    async remove(trx: Trx, id: string, at: number): Promise<void> {
      await removeStore(trx, id, at);
      await recordCatalogueChange(trx, [topics.stores]);
    },
    /** What is wrong with these stores once they are in the shop beside the others; empty if they can be written. */
    async problemsOf(stores: readonly Store[]): Promise<Problem[]> {
      return upsertProblems(stores, await allStores(db.read));
    },
    /**
     * Adds or updates stores in the given order; others stay.
     * @param before runs first, in the same transaction
     * @throws {InputError} naming every problem, with none changed
     */
    async upsert(change: Change, stores: readonly Store[], before?: () => Promise<void>): Promise<void> {
      const { trx } = change;
      await lockStores(db, trx);
      const known = await allStores(trx);
      const problems = upsertProblems(stores, known);
      if (problems.length > 0) throw new InputError(problems);
      await before?.();
      const next = Math.max(-1, ...known.map(({ position }) => position)) + 1;
      for (const [index, store] of stores.entries()) {
        const row = known.find(({ id }) => id === store.id);
        const after = toRow(store, row?.position ?? next + index);
        // What does not differ keeps its bytes, of which the journal would know nothing.
        if (!row || changedFields(toStore(row), toStore(after)).length > 0) await putStore(trx, after);
        // As they will be read, so that the way back leads to the same.
        noteDocument(change, 'store', row ? toStore(row) : null, toStore(after));
      }
      await recordCatalogueChange(trx, [topics.stores]);
    },
    /**
     * Says how busy a store is, or that it takes no pickups for a while. What is not given stays. Either ends at `until`, HH:mm of
     * the store's clock, and without it when the store opens on its next day. No minutes, or `false`, end it at once.
     * @throws {AppError} for a time that is not ahead
     */
    async changeToday(
      { trx, note }: Change,
      store: Store,
      { busyMinutes, paused, until }: TodayChange,
    ): Promise<void> {
      const end = until === undefined ? nextDaysOpening(store, now()) : timeAhead(store, until, now());
      if (end === null) throw validationError({ until: 'office.opening.timeOver' });
      const busy =
        busyMinutes === undefined ? {} : { busy_minutes: busyMinutes, busy_until: busyMinutes > 0 ? end : 0 };
      const changed = { ...busy, ...(paused === undefined ? {} : { paused_until: paused ? end : 0 }) };
      const row = (await allStores(trx)).find(({ id }) => id === store.id);
      if (Object.keys(changed).length > 0) await updateToday(trx, store.id, changed);
      note('store', store.id, row ? changedFields(row, { ...row, ...changed }) : []);
      await recordCatalogueChange(trx, [topics.stores]);
    },
  };
}

function upsertProblems(stores: readonly Store[], known: readonly StoreRow[]): Problem[] {
  const ids = new Set(stores.map(({ id }) => id));
  const others = known.filter(({ id }) => !ids.has(id)).map(toStore);
  return [...storeProblems(stores), ...mainStoreProblems([...others, ...stores])];
}
