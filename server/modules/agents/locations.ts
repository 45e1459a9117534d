/** The stores as agents find them (draft: docs/specification/common/location of the protocol). */
import type { Static } from 'typebox';
import { inLocale, type Locale, mainLocale } from '#contract/locales.ts';
import { pickupStores, sellsAt } from '#contract/rules/method.ts';
import { type DayHours, spanAt, spansOf } from '#contract/rules/opening-hours.ts';
import { unitsThere } from '#server/modules/inventory/index.ts';
import type { OrderSettings } from '#server/modules/orders/index.ts';
import { isSoldOutAt, zoneOf } from '#server/modules/stores/index.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { pageBody, startOf } from './bodies.ts';
import { locationSummary } from './fulfilment.ts';
import { type Body, invalidRequest, type Message } from './protocol.ts';
import {
  type LocationFilters,
  type LocationLookup,
  type LocationSearch,
  mostIds,
  pageSize,
} from './requests.ts';
import type { Call } from './sales.ts';

type Stores = OrderSettings['stores'];
type Store = Stores[number];
type Relations = Pick<Static<typeof LocationSearch>, 'distance' | 'serves' | 'filters'>;
interface Geo {
  latitude: number;
  longitude: number;
}

const inStorePickup = 'dev.ucp.amenity.shopping.in_store_pickup';

export async function searchLocations(call: Call, input: Static<typeof LocationSearch>): Promise<Body> {
  const settings = await call.orders.settings();
  const shown = settings.stores.filter(({ display }) => display);
  const found = ranked(await matching(call, settings, shown, input), input, call.locale);
  const start = startOf(input.pagination?.cursor);
  const end = start + Math.min(input.pagination?.limit ?? pageSize, mostIds);
  return {
    locations: found.slice(start, end).map((store) => locationBody(store, call)),
    pagination: pageBody(end, found.length),
  };
}

export async function lookUpLocations(call: Call, input: Static<typeof LocationLookup>): Promise<Body> {
  const settings = await call.orders.settings();
  const asked = [...new Set(input.ids)];
  const ids = asked.slice(0, mostIds);
  const named = settings.stores.filter(({ id, display }) => display && ids.includes(id));
  const left = asked.length - ids.length;
  const limited = `Processed the first ${mostIds} of ${asked.length} distinct identifiers; ${left} were not processed.`;
  const info = (code: string, content: string): Message => ({ type: 'info', code, content });
  const unknown = ids
    .filter((id) => !named.some((store) => store.id === id))
    .map((id) => info('not_found', id));
  const messages = [...(left > 0 ? [info('batch_limit_applied', limited)] : []), ...unknown];
  const found = await matching(call, settings, named, input);
  return {
    locations: found.map((store) => ({ ...locationBody(store, call), inputs: [{ id: store.id }] })),
    messages: messages.length > 0 ? messages : undefined,
  };
}

/** Every relation and filter has to hold. */
async function matching(
  call: Call,
  settings: OrderSettings,
  stores: Stores,
  input: Relations,
): Promise<Store[]> {
  const { distance, filters = {} } = input;
  const serves = servesTest(input.serves, settings);
  const at = filters.hours && Date.parse(filters.hours.open_at);
  if (at !== undefined && Number.isNaN(at)) throw invalidRequest('filters.hours.open_at is no time.');
  const having = await storesHaving(call, settings, filters.inventory ?? []);
  return stores.filter(
    (store) =>
      (!distance || metresBetween(distance.center, geoOf(store)) <= distance.max) &&
      serves(store) &&
      (at === undefined || isOpenAt(store, at)) &&
      (filters.amenities ?? []).every((amenity) => amenitiesOf(store).includes(amenity)) &&
      having(store.id),
  );
}

function isOpenAt(store: Store, at: number): boolean {
  const { date, minutes } = wallClock(at, store.timeZone);
  return spanAt(store, date, minutes) !== null;
}

/** Whether a store brings orders to a target. @throws {ProtocolError} for a target that the shop cannot judge */
function servesTest(serves: Relations['serves'], { checkout }: OrderSettings): (store: Store) => boolean {
  if (!serves) return () => true;
  const [kind = '', ...others] = Object.keys(serves);
  if (others.length > 0) throw invalidRequest('serves takes one target.');
  const { point, address } = serves;
  const isLocal = checkout.localDelivery === true;
  const code = address?.postal_code?.trim();
  if (point) {
    const { latitude: lat, longitude: lng } = point;
    return ({ deliveryZones }) => isLocal && zoneOf(deliveryZones, '', { lat, lng }) !== null;
  }
  if (!code)
    throw invalidRequest(`serves.${kind}: this shop judges a point, or an address with its postal_code.`);
  const country = address?.address_country?.toLowerCase();
  return ({ deliveryZones, address: own }) =>
    isLocal &&
    (country === undefined ||
      [own.countryISOCode, own.country].some((each) => each.toLowerCase() === country)) &&
    zoneOf(deliveryZones, code, null) !== null;
}

/** One read of stock for each product: it may have thousands of variants. */
async function storesHaving(
  { db, stock, products }: Call,
  { checkout, soldOut, stores }: OrderSettings,
  wanted: Inventory,
): Promise<(store: string) => boolean> {
  const selling = stores.filter((store) => sellsAt(store, checkout)).map(({ id }) => id);
  const having: Set<string>[] = [];
  for (const { id, availability_status: status = 'in_stock' } of wanted) {
    const product = (await products.named([id], mainLocale())).get(id);
    const skus = product?.skus.map(({ sku }) => sku).filter((sku) => id === product.id || sku === id) ?? [];
    const levels = await stock.levels(db.read, status === 'in_stock' ? skus : []);
    const there = unitsThere(levels) ?? levels;
    const has = (store: string, sku: string) =>
      (there.get(sku)?.get(store) ?? 0) > 0 &&
      !isSoldOutAt(soldOut, store, { sku, productId: product?.id ?? '' });
    having.push(new Set(selling.filter((store) => skus.some((sku) => has(store, sku)))));
  }
  return (store) => having.every((each) => each.has(store));
}
type Inventory = NonNullable<NonNullable<Static<typeof LocationFilters>>['inventory']>;

/** The nearest first, or those that have most of the words. */
function ranked(
  stores: readonly Store[],
  { distance, query = '' }: Static<typeof LocationSearch>,
  locale: Locale,
): Store[] {
  if (distance)
    return stores.toSorted(
      (a, b) => metresBetween(distance.center, geoOf(a)) - metresBetween(distance.center, geoOf(b)),
    );
  const words = query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  const hits = ({ name, address, description }: Store) => {
    const text = [inLocale(name, locale), ...Object.values(address), inLocale(description, locale)]
      .join(' ')
      .toLowerCase();
    return words.filter((word) => text.includes(word)).length;
  };
  const some = stores.filter((store) => hits(store) > 0);
  return (some.length > 0 ? some : stores).toSorted((a, b) => hits(b) - hits(a));
}

const geoOf = ({ lat, lng }: Store): Geo => ({ latitude: lat, longitude: lng });
const amenitiesOf = (store: Store): string[] => (pickupStores([store]).length > 0 ? [inStorePickup] : []);

function locationBody(store: Store, { now, locale }: Call): Body {
  const today = wallClock(now(), store.timeZone).date;
  const exceptions = store.specialHours
    .filter(({ date }) => date >= today)
    .flatMap(({ date, hours }) => {
      const bounds = { valid_from: date, valid_through: date };
      const intervals = intervalsOf(hours);
      return intervals.length > 0 ? intervals.map((interval) => ({ ...bounds, ...interval })) : [bounds];
    });
  return {
    ...locationSummary(store, locale),
    geo: geoOf(store),
    amenities: amenitiesOf(store),
    timezone: store.timeZone,
    hours: Object.entries(store.openingHours).flatMap(([day, hours]) =>
      intervalsOf(hours).map((interval) => ({ day, ...interval })),
    ),
    exception_hours: exceptions.length > 0 ? exceptions : undefined,
  };
}

/** Midnight is 00:00 of the next day. Equal times are not allowed: a whole day ends a minute before, as the protocol writes it. */
function intervalsOf(hours: DayHours) {
  return spansOf(hours).map(({ open, close }) => {
    const closes = close === '24:00' ? '00:00' : close;
    if (closes !== open) return { opens: open, closes };
    const before = new Date(Date.parse(`2000-01-02T${closes}:00Z`) - 60_000).toISOString().slice(11, 16);
    return { opens: open, closes: before };
  });
}

/** WGS 84, metres. */
const [equator, flattening] = [6_378_137, 1 / 298.257_223_563];

/** The shortest way over the ellipsoid (Vincenty's inverse formula); that to the other side of the earth where it has no answer. */
export function metresBetween(from: Geo, to: Geo): number {
  const rad = (degrees: number) => (degrees * Math.PI) / 180;
  const polar = equator * (1 - flattening);
  const reduced = ({ latitude }: Geo) => Math.atan((1 - flattening) * Math.tan(rad(latitude)));
  const [u1, u2, difference] = [reduced(from), reduced(to), rad(to.longitude - from.longitude)];
  const [sin1, cos1, sin2, cos2] = [Math.sin(u1), Math.cos(u1), Math.sin(u2), Math.cos(u2)];
  let lambda = difference;
  for (let step = 0; step < 200; step++) {
    const [sinL, cosL] = [Math.sin(lambda), Math.cos(lambda)];
    const sinS = Math.hypot(cos2 * sinL, cos1 * sin2 - sin1 * cos2 * cosL);
    if (sinS === 0) return 0;
    const cosS = sin1 * sin2 + cos1 * cos2 * cosL;
    const sigma = Math.atan2(sinS, cosS);
    const sinA = (cos1 * cos2 * sinL) / sinS;
    const cosA2 = 1 - sinA ** 2;
    const cos2M = cosA2 === 0 ? 0 : cosS - (2 * sin1 * sin2) / cosA2;
    const c = (flattening / 16) * cosA2 * (4 + flattening * (4 - 3 * cosA2));
    const before = lambda;
    lambda =
      difference +
      (1 - c) * flattening * sinA * (sigma + c * sinS * (cos2M + c * cosS * (2 * cos2M ** 2 - 1)));
    if (Math.abs(lambda - before) > 1e-12) continue;
    const square = (cosA2 * (equator ** 2 - polar ** 2)) / polar ** 2;
    const a = 1 + (square / 16384) * (4096 + square * (square * (320 - 175 * square) - 768));
    const b = (square / 1024) * (256 + square * (square * (74 - 47 * square) - 128));
    const inner = cosS * (2 * cos2M ** 2 - 1) - (b / 6) * cos2M * (4 * sinS ** 2 - 3) * (4 * cos2M ** 2 - 3);
    return polar * a * (sigma - b * sinS * (cos2M + (b / 4) * inner));
  }
  return Math.PI * polar;
}
