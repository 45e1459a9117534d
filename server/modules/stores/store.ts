/** The rules of a store that its schema cannot state. */
import { weekdays } from '#contract/limits.ts';
import { type Problem, problem, shown } from '#contract/problems.ts';
import { type DayHours as Hours, latestNextDay, spansOf } from '#contract/rules/opening-hours.ts';
import {
  type DeliveryZone,
  type Point,
  type Store as StoredStore,
  StoreInput,
} from '#contract/schemas/store.ts';
import type { Reader } from '#db/database.ts';
import { offeredProvinces } from '#server/platform/provinces.ts';
import { schemaProblems } from '#server/platform/schema-problems.ts';
import { isCalendarDay } from '#server/platform/time-zone.ts';
import { readableRows } from '#server/platform/unreadable-rows.ts';
import { allStores, type StoreRow } from './stores.repository.ts';

/** How busy a store is, as staff say; what is over is null. */
interface StoreToday {
  /** Minutes more than the store usually needs, until an epoch ms. */
  busy: { minutes: number; until: number } | null;
  /** No pickup before it can be chosen; epoch ms. */
  pausedUntil: number | null;
}

/** `today` is only there as of now: no file has it. */
export type Store = StoredStore & { today?: StoreToday };

/** Lists what is wrong with each store in itself. */
export function storeProblems(stores: readonly Store[]): Problem[] {
  return stores.flatMap((store) => {
    const invalid = schemaProblems(StoreInput, store, { closed: false });
    const problems =
      invalid.length > 0
        ? invalid
        : [...oddHours(store), ...oddPlace(store), ...zoneProblems(store.id, store.deliveryZones)];
    return problems.map((each) => ({ ...each, path: ['stores', store.id, ...each.path] }));
  });
}

/** Two main stores among all stores of a shop. */
export function mainStoreProblems(stores: readonly Pick<Store, 'id' | 'mainStore'>[]): Problem[] {
  const main = stores.filter(({ mainStore }) => mainStore).map(({ id }) => id);
  if (main.length < 2) return [];
  return [
    problem(['stores', main.at(-1) ?? '', 'mainStore'], 'problem.mainStore', { stores: main.join(', ') }),
  ];
}

function oddHours({ openingHours, specialHours }: Store): Problem[] {
  const dates = specialHours.map(({ date }) => date);
  const repeated = new Set(dates.filter((date, index) => dates.indexOf(date) !== index));
  return [
    ...weekdays.flatMap((day) => oddDay(['openingHours', day], openingHours[day])),
    ...specialHours.flatMap(({ date, hours }, index) => {
      const path = ['specialHours', String(index)];
      const exists = isCalendarDay(date);
      return [
        ...(exists ? [] : [problem([...path, 'date'], 'problem.date.none', { found: shown(date) })]),
        ...oddDay([...path, 'hours'], hours),
      ];
    }),
    ...[...repeated].map((date) => problem(['specialHours'], 'problem.repeatedEntry', { name: date })),
  ];
}

function oddDay(path: readonly string[], hours: Hours): Problem[] {
  if (!hours) return [];
  // All are 'HH:mm', so they sort as text.
  if (hours.close > hours.open || hours.close <= latestNextDay) return oddBreaks(path, hours);
  const { open, close } = hours;
  return [problem(path, 'problem.hours.reversed', { open, close, latest: latestNextDay })];
}

function oddBreaks(path: readonly string[], hours: NonNullable<Hours>): Problem[] {
  const { open, close, breaks = [] } = hours;
  const times = spansOf(hours).flatMap(({ start, end }) => [start, end]);
  const inOrder =
    times.length === 2 + 2 * breaks.length &&
    times.every((at, index) => index === 0 || at > (times[index - 1] ?? 0));
  const found = shown(breaks.map(({ from, until }) => `${from}–${until}`).join(', '));
  return inOrder ? [] : [problem([...path, 'breaks'], 'problem.hours.breaks', { open, close, found })];
}

function oddPlace({ address, timeZone }: Store): Problem[] {
  const codes = offeredProvinces(address.countryISOCode).map(({ code }) => code);
  const known = codes.length === 0 || codes.includes(address.provinceCode);
  const province = {
    country: address.countryISOCode,
    found: shown(address.provinceCode),
    allowed: codes.join(', '),
  };
  return [
    ...(isTimeZone(timeZone) ? [] : [problem(['timeZone'], 'problem.timeZone', { found: shown(timeZone) })]),
    ...(known ? [] : [problem(['address', 'provinceCode'], 'problem.province', province)]),
  ];
}

function isTimeZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}

/** What is wrong with the stores of a shop as they are stored, for the health check. */
export async function storedStoreProblems(reader: Reader): Promise<Problem[]> {
  const stores = readStores(await allStores(reader));
  return [...storeProblems(stores), ...mainStoreProblems(stores)];
}

/** All stores as of `reader`, in the merchant's order. */
export async function storesIn(reader: Reader): Promise<Store[]> {
  return withMainStore(readStores(await allStores(reader)));
}

/** With how busy they are at `now`, epoch ms. */
export function storesNow(rows: readonly StoreRow[], now: number): Store[] {
  return withMainStore(readStores(rows, (row) => ({ ...toStore(row), today: todayOf(row, now) })));
}

function todayOf(
  { busy_minutes: minutes, busy_until: until, paused_until: paused }: StoreRow,
  now: number,
): StoreToday {
  return {
    busy: minutes > 0 && until > now ? { minutes, until } : null,
    pausedUntil: paused > now ? paused : null,
  };
}

/** The IANA time zone that the shop's days and order numbers go by: the main store's, or UTC for a shop without stores. */
export function shopTimeZone(stores: readonly Store[]): string {
  return stores.find(({ mainStore }) => mainStore)?.timeZone ?? 'UTC';
}

/** The main store, and whether the merchant marked it as such; null for a shop without stores. */
export async function mainStoreIn(reader: Reader): Promise<{ store: Store; marked: boolean } | null> {
  const rows = await allStores(reader);
  const store = withMainStore(readStores(rows)).find(({ mainStore }) => mainStore);
  return store ? { store, marked: rows.some((row) => row.main_store === 1) } : null;
}

/** Marks exactly one store as the main one: the first that the merchant marked, or the first of all. */
function withMainStore(stores: readonly Store[]): Store[] {
  const main = stores.find(({ mainStore }) => mainStore) ?? stores[0];
  return stores.map((store) => ({ ...store, mainStore: store === main }));
}

/** Without those whose data cannot be read. */
const readStores = (rows: readonly StoreRow[], read: (row: StoreRow) => Store = toStore): Store[] =>
  readableRows('stores', rows, ({ id }) => id, read);

/** Without what only holds for now. */
type DocumentRow = Omit<StoreRow, 'busy_minutes' | 'busy_until' | 'paused_until'>;

export function toStore(row: DocumentRow): Store {
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
export function toRow(store: Store, position: number): DocumentRow {
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
export function deliversLocally(
  stores: readonly Store[],
  checkout: { domesticShippingEnabled: boolean },
): boolean {
  return (
    checkout.domesticShippingEnabled &&
    stores.some(({ display, deliveryZones }) => display && deliveryZones.length > 0)
  );
}

/** What the schema cannot state: ids that repeat or are too long, and polygons that cross themselves. */
export function zoneProblems(storeId: string, zones: readonly DeliveryZone[]): Problem[] {
  const ids = zones.map(({ id }) => id);
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [
    ...[...repeated].map((id) => problem(['deliveryZones'], 'problem.repeatedEntry', { name: id })),
    ...zones.flatMap(({ id, polygon }, index) => {
      const path = ['deliveryZones', String(index)];
      // Both make up the id of the shipping method.
      const isLong = storeId.length + id.length > 99;
      return [
        ...(isLong ? [problem([...path, 'id'], 'problem.zone.id', { found: shown(id) })] : []),
        ...(isSimple(polygon) ? [] : [problem([...path, 'polygon'], 'problem.zone.polygon')]),
      ];
    }),
  ];
}

/** The first zone that holds an address: by its point, or by its postal code if the point is unknown. */
export function zoneOf(
  zones: readonly DeliveryZone[],
  postCode: string,
  point: Point | null,
): DeliveryZone | null {
  const code = plain(postCode);
  const holds = ({ polygon, postalCodes }: DeliveryZone) =>
    point ? isInside(point, polygon) : postalCodes.some((start) => code.startsWith(plain(start)));
  return zones.find(holds) ?? null;
}

function plain(postCode: string): string {
  return postCode.replace(/[^a-z0-9]/gi, '').toUpperCase();
}

/** Whether a point lies in a polygon, by the number of edges that a ray from it crosses. Degrees count as a plane. */
export function isInside({ lat, lng }: Point, polygon: readonly Point[]): boolean {
  return (
    edgesOf(polygon).filter(
      ([from, to]) =>
        from.lat > lat !== to.lat > lat &&
        lng < from.lng + ((lat - from.lat) / (to.lat - from.lat)) * (to.lng - from.lng),
    ).length %
      2 ===
    1
  );
}

type Edge = readonly [from: Point, to: Point];

function edgesOf(polygon: readonly Point[]): Edge[] {
  return polygon.map((from, index) => [from, polygon[(index + 1) % polygon.length] ?? from]);
}

/** Whether edges meet at the corners that they share and nowhere else. */
export function isSimple(polygon: readonly Point[]): boolean {
  const edges = edgesOf(polygon);
  if (edges.some(([a, b]) => a.lat === b.lat && a.lng === b.lng)) return false;
  return edges.every(([a, b], first) =>
    edges.every(([c, d], second) => {
      if (second <= first) return true;
      if (second === first + 1) return !doublesBack(a, b, d);
      if (first === 0 && second === edges.length - 1) return !doublesBack(c, d, b);
      return !touches([a, b], [c, d]);
    }),
  );
}

/** Whether the edge from `b` to `c` runs back along the one from `a` to `b`. */
function doublesBack(a: Point, b: Point, c: Point): boolean {
  return side(a, b, c) === 0 && (b.lng - a.lng) * (c.lng - b.lng) + (b.lat - a.lat) * (c.lat - b.lat) < 0;
}

function touches([a, b]: Edge, [c, d]: Edge): boolean {
  const sides = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)] as const;
  if (sides[0] !== sides[1] && sides[2] !== sides[3]) return true;
  return (
    (sides[0] === 0 && isBetween(a, c, b)) ||
    (sides[1] === 0 && isBetween(a, d, b)) ||
    (sides[2] === 0 && isBetween(c, a, d)) ||
    (sides[3] === 0 && isBetween(c, b, d))
  );
}

/** On which side of the line from `a` to `b` a point lies: −1, 1, or 0 on it. */
function side(a: Point, b: Point, { lat, lng }: Point): number {
  return Math.sign((b.lng - a.lng) * (lat - a.lat) - (b.lat - a.lat) * (lng - a.lng));
}

/** Whether a point of the line from `a` to `b` lies between them. */
function isBetween(a: Point, { lat, lng }: Point, b: Point): boolean {
  const between = (from: number, value: number, to: number) =>
    Math.min(from, to) <= value && value <= Math.max(from, to);
  return between(a.lat, lat, b.lat) && between(a.lng, lng, b.lng);
}
