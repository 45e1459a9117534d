/** Reads stores from their rows; owns the choice of the main store and the shop's time zone. */
import type { Problem } from '#contract/problems.ts';
import type { Reader } from '#db/database.ts';
import { mainStoreProblems, type Store, type StoreToday, storeProblems } from './store-input.ts';
import { allStores, type NewStoreRow, type StoreRow } from './stores.repository.ts';

/** What is wrong with the stores of a shop as they are stored, for the health check. */
export async function storedStoreProblems(reader: Reader): Promise<Problem[]> {
  const stores = (await allStores(reader)).map(toStore);
  return [...storeProblems(stores), ...mainStoreProblems(stores)];
}

/** All stores as of `reader`, in the merchant's order. */
export async function storesIn(reader: Reader): Promise<Store[]> {
  return withMainStore((await allStores(reader)).map(toStore));
}

/** With how busy they are at `now`, epoch ms. */
export function storesNow(rows: readonly StoreRow[], now: number): Store[] {
  return withMainStore(rows.map((row) => ({ ...toStore(row), today: todayOf(row, now) })));
}

function todayOf({ busy_minutes: minutes, busy_until: until, paused_until: paused }: StoreRow, now: number): StoreToday {
  return { busy: minutes > 0 && until > now ? { minutes, until } : null, pausedUntil: paused > now ? paused : null };
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

export function toStore(row: StoreRow): Store {
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
    specialHours: byDate(JSON.parse(row.special_hours)),
    mainStore: row.main_store === 1,
    display: row.display === 1,
    allowPickup: row.allow_pickup === 1,
    tables: row.tables,
    image: row.image,
    pickupLeadMinutes: row.pickup_lead_minutes,
    pickupSlotCapacity: row.pickup_slot_capacity,
    deliveryZones: JSON.parse(row.delivery_zones),
  };
}

/** Merchants add days in any order. */
function byDate(days: Store['specialHours']): Store['specialHours'] {
  return days.toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

/** The row of a store that has not been removed. */
export function toRow(store: Store, position: number): NewStoreRow {
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
    delivery_zones: JSON.stringify(store.deliveryZones),
    removed_at: null,
  };
}

/** Whether stores themselves deliver orders. */
export function deliversLocally(stores: readonly Store[], checkout: { domesticShippingEnabled: boolean }): boolean {
  return checkout.domesticShippingEnabled && stores.some(({ display, deliveryZones }) => display && deliveryZones.length > 0);
}
