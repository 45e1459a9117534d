/** What happened when in the demo's past: the orders of 120 days, with the rhythm of seasons, weekdays and hours. */
import { dayMs, hourMs, minuteMs, momentAt, wallClock } from '#server/platform/time-zone.ts';
import stores from '../data/stores.json' with { type: 'json' };
import { type Chance, chanceOf } from './chance.ts';
import { type Buyer, regularCount } from './people.ts';

export const pastDays = 120;
/** About so many orders. */
const orderCount = 890;
export const zone = 'America/Toronto';

export type OrderKind = 'parcel' | 'bike' | 'pickup' | 'table';
export type Fate = 'usual' | 'refunded' | 'cancelled' | 'notCollected';

export interface PlannedOrder {
  what: 'order';
  /** Epoch ms. */
  at: number;
  /** Counts from 0, in the order of time. */
  index: number;
  kind: OrderKind;
  /** Null for a parcel. */
  store: string | null;
  buyer: Buyer;
  fate: Fate;
}

type Store = (typeof stores)[number];
type Hours = { open: string; close: string } | null;

/** By month, from January: tea is bought before holidays, and less in summer. */
const seasons = [0.8, 0.9, 0.9, 0.95, 1, 0.95, 0.85, 0.85, 1.05, 1.05, 1.25, 1.6];
/** From Monday. */
const weekdays = {
  monday: 0.7,
  tuesday: 0.8,
  wednesday: 0.9,
  thursday: 1,
  friday: 1.2,
  saturday: 1.55,
  sunday: 1.2,
};
/** By the hour of the day, from midnight. */
const onlineHours = [2, 1, 0, 0, 0, 0, 1, 3, 5, 6, 6, 6, 7, 6, 5, 5, 5, 5, 6, 8, 10, 10, 7, 4];
const storeHours = [0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 6, 8, 10, 9, 9, 11, 11, 9, 8, 7, 5, 0, 0, 0];

/** Which tables and pickups are at which store. */
const shares: Readonly<Record<string, number>> = {
  'toronto-queen-west': 5,
  'markham-unionville': 3,
  'ottawa-byward': 2,
};

/** @throws {Error} if the demo has no such store */
export function storeOf(id: string | null): Store {
  const store = stores.find((each) => each.id === id);
  if (!store) throw new Error(`There is no store ${id}`);
  return store;
}

/** Where the bike of a store goes. @throws {Error} if it has none */
export function bikeZone(storeId: string | null) {
  const [found] = storeOf(storeId).deliveryZones;
  if (!found) throw new Error(`No bike leaves from ${storeId}`);
  return { ...found, shippingMethod: `${storeId}.${found.id}` };
}

const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const hoursOn = (store: Store, weekday: keyof typeof weekdays): Hours => store.openingHours[weekday];

/** A minute of the day within `from` and `to`, by the weights of its hour; null if there is none. */
function minuteIn(
  hours: readonly number[],
  { from, to }: { from: number; to: number },
  chance: Chance,
): number | null {
  const left = hours.map(
    (weight, hour) => [hour, (hour + 1) * 60 > from && hour * 60 < to ? weight : 0] as const,
  );
  if (to <= from || left.every(([, weight]) => weight === 0)) return null;
  const hour = chance.weighted(left);
  return chance.whole(Math.max(from, hour * 60), Math.min(to, hour * 60 + 59));
}

/** The orders before `until` (epoch ms), the oldest first. The same moment has the same ones. */
export function planOrders(until: number, buyers: readonly Buyer[]): PlannedOrder[] {
  const today = Temporal.PlainDate.from(wallClock(until, zone).date);
  const days = Array.from({ length: pastDays }, (_, back) => {
    const date = today.subtract({ days: pastDays - 1 - back });
    const { weekday } = wallClock(momentAt(date.toString(), 12 * 60, zone), zone);
    return { date: date.toString(), weekday, weight: weekdays[weekday] * (seasons[date.month - 1] ?? 1) };
  });
  const whole = days.reduce((sum, { weight }) => sum + weight, 0);
  const planned = days.flatMap(({ date, weekday, weight }) => {
    const chance = chanceOf(`day ${date}`);
    const count = Math.floor((weight / whole) * orderCount + chance.next());
    return Array.from({ length: count }, () => planOrder(date, weekday, buyers, chance));
  });
  const before = planned.filter((each) => each !== null).filter(({ at }) => at < until - 45 * minuteMs);
  return before.sort((one, other) => one.at - other.at).map((order, index) => ({ ...order, index }));
}

function planOrder(
  date: string,
  weekday: keyof typeof weekdays,
  buyers: readonly Buyer[],
  chance: Chance,
): Omit<PlannedOrder, 'index'> | null {
  const kind = chance.weighted<OrderKind>([
    ['parcel', 36],
    ['table', 37],
    ['pickup', 20],
    ['bike', 7],
  ]);
  const buyer = chance.happens(0.62)
    ? chance.one(buyers.slice(0, regularCount))
    : chance.one(buyers.slice(regularCount));
  const found =
    kind === 'parcel' ? { store: null, ...momentOf(onlineHours, { from: 0, to: 24 * 60 - 1 }) } : inStore();
  if (!found || found.minute === null) return null;
  const at = momentAt(date, found.minute, zone) + chance.whole(0, 59) * 1000;
  return { what: 'order', at, kind, store: found.store, buyer, fate: fateOf(kind, chance) };

  function momentOf(hours: readonly number[], span: { from: number; to: number }) {
    return { minute: minuteIn(hours, span, chance) };
  }

  function inStore() {
    const open = stores.filter((store) => shares[store.id] && hoursOn(store, weekday));
    const able = kind === 'bike' ? open.filter(({ deliveryZones }) => deliveryZones.length > 0) : open;
    if (able.length === 0) return null;
    const store = chance.weighted(able.map((each) => [each, shares[each.id] ?? 0] as const));
    const { open: from, close: to } = hoursOn(store, weekday) ?? { open: '00:00', close: '00:00' };
    // A pickup is ordered from home, at any hour.
    const span = { from: minutesOf(from) + 5, to: minutesOf(to) - 45 };
    return {
      store: store.id,
      ...(kind === 'pickup'
        ? momentOf(onlineHours, { from: 7 * 60, to: 23 * 60 })
        : momentOf(storeHours, span)),
    };
  }
}

function fateOf(kind: OrderKind, chance: Chance): Fate {
  if (kind === 'parcel' && chance.happens(0.05)) return 'refunded';
  if (kind !== 'table' && chance.happens(0.03)) return 'cancelled';
  if (kind === 'pickup' && chance.happens(0.05)) return 'notCollected';
  return 'usual';
}

/** When a pickup that is ordered at `at` is wanted: the same day if there is time, else the next day on which the store is open. */
export function pickupTime(storeId: string, at: number, chance: Chance): number {
  const store = storeOf(storeId);
  const first = Temporal.PlainDate.from(wallClock(at, zone).date);
  for (let day = 0; day < 8; day++) {
    const date = first.add({ days: day }).toString();
    const hours = hoursOn(store, wallClock(momentAt(date, 12 * 60, zone), zone).weekday);
    if (!hours) continue;
    const opens = Math.max(momentAt(date, minutesOf(hours.open), zone), at + 90 * minuteMs);
    const last = momentAt(date, minutesOf(hours.close) - 30, zone);
    const steps = Math.floor((last - opens) / (15 * minuteMs));
    if (steps < 1) continue;
    const step = Math.floor(opens / (15 * minuteMs)) + 1 + chance.whole(0, Math.min(steps - 1, 20));
    return step * 15 * minuteMs;
  }
  return at + dayMs;
}

/** When a parcel that is ordered at `at` leaves: on a weekday, between eleven and four. */
export function shippingTime(at: number, chance: Chance): number {
  const ordered = wallClock(at, zone);
  const isLate = ordered.minutes > 12 * 60 || ['saturday', 'sunday'].includes(ordered.weekday);
  const first = Temporal.PlainDate.from(ordered.date).add({ days: isLate ? 1 : 0 });
  for (let day = 0; ; day++) {
    const date = first.add({ days: day });
    if (date.dayOfWeek <= 5)
      return momentAt(date.toString(), 11 * 60 + chance.whole(0, 300), zone) + hourMs / 4;
  }
}
