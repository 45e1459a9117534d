/** The shop's places: where orders are fetched and tables are served. */
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import type { Database, Reader } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { cachedByCatalogueVersion } from '#server/platform/cached-by-version.ts';
import { allStores, putStore, type StoreRow } from './stores.repository.ts';

export interface StoreAddress {
  street: string;
  city: string;
  province: string;
  provinceCode: string;
  postCode: string;
  country: string;
  countryISOCode: string;
}

export interface Store {
  id: string;
  name: LocalText;
  description: LocalText;
  address: StoreAddress;
  lat: number;
  lng: number;
  phone: string;
  email: string;
  timeZone: string;
  openingHours: PickupLocation['openingHours'];
  mainStore: boolean;
  /** Whether shoppers see it. */
  display: boolean;
  allowPickup: boolean;
  /** Tables served; 0 where there is no table service. */
  tables: number;
  /** A picture's file name. */
  image: string | null;
  /** Minutes from ordering until an order can be fetched. */
  pickupLeadMinutes: number;
  /** Orders that may be fetched within one slot. */
  pickupSlotCapacity: number;
}

export interface StoresService {
  /** All stores in the merchant's order, undisplayed ones included; as of the catalogue version. */
  all(): Promise<readonly Store[]>;
  /** As of `reader`, for use inside a transaction. */
  read(reader: Reader): Promise<Store[]>;
  /** The displayed stores as the wire has them. */
  locations(locale: Locale): Promise<PickupLocation[]>;
  /** Adds stores or changes them, in the order given; others stay. */
  upsert(stores: readonly Store[]): Promise<void>;
}

export function createStoresService({ db, media }: { db: Database; media: MediaService }): StoresService {
  const all = cachedByCatalogueVersion(db, () => storesIn(db.catalogue));
  return {
    all,
    read: storesIn,
    async locations(locale) {
      const shown = (await all()).filter((store) => store.display);
      const images = await media.images(shown.flatMap((store) => store.image ?? []));
      return shown.map((store) => ({
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
          streetNumberAndNameDetails: store.address.street,
          city: store.address.city,
          province: store.address.province,
          postCode: store.address.postCode,
          country: store.address.country,
          countryISOCode: store.address.countryISOCode,
          addressDescription: '',
          contactPhone: store.phone,
        },
        lat: store.lat,
        lng: store.lng,
        timeZone: store.timeZone,
        openingHours: store.openingHours,
        image: (store.image && images.get(store.image)) || null,
      }));
    },
    async upsert(stores) {
      await db.transaction(async (trx) => {
        const known = await allStores(trx);
        for (const [index, store] of stores.entries()) {
          const position = known.find((row) => row.id === store.id)?.position ?? known.length + index;
          await putStore(trx, toRow(store, position));
        }
        await bumpCatalogueVersion(trx);
      });
    },
  };
}

/** All stores as of `reader`, in the merchant's order. */
export async function storesIn(reader: Reader): Promise<Store[]> {
  return (await allStores(reader)).map(toStore);
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
    main_store: store.mainStore ? 1 : 0,
    display: store.display ? 1 : 0,
    allow_pickup: store.allowPickup ? 1 : 0,
    tables: store.tables,
    image: store.image,
    position,
    pickup_lead_minutes: store.pickupLeadMinutes,
    pickup_slot_capacity: store.pickupSlotCapacity,
  };
}
