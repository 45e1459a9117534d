/** Pickup times: which are available, and reserving one together with an order's stock. */
import type { FieldErrors } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { isClean } from '#contract/rules/fields.ts';
import { isServedAt, type Menu } from '#contract/rules/menus.ts';
import { pickupHorizonDays, pickupStores, slotErrors } from '#contract/rules/method.ts';
import { addDays, hoursOn, spanAt, spansBeginningOn } from '#contract/rules/opening-hours.ts';
import type { PickupSlots, SlotReason } from '#contract/schemas/checkout.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import { dayMs, instantAt, isCalendarDay, minuteMs, wallClock } from '#server/platform/time-zone.ts';
import type { OpenStore } from './open-hours.ts';
import type { Store } from './store.ts';
import {
  deleteMenuUnits,
  insertMenuUnits,
  type MenuUnitsRow,
  menuUnitsBetween,
  releaseSlot,
  reservedBetween,
  reserveSlot,
} from './stores.repository.ts';
import type { StoresService } from './stores.service.ts';

const stepMs = limits.pickupMinuteStep * minuteMs;
const minutesOfDay = 24 * 60;

/** Times start this much later than a store needs, so that the chosen one is still available at the end of checkout. */
export const checkoutMinutes = 10;
/** More orders than are ever picked up at one time. */
const noLimit = 1_000_000;

export type PickupService = ReturnType<typeof createPickupService>;

interface PickupDeps {
  db: Database;
  now: () => number;
  stores: StoresService;
}

/** The pickup time of an order, epoch ms. */
interface PickupOf {
  orderId: string;
  at: number;
}

export function createPickupService({ db, now, stores }: PickupDeps) {
  const { slotsOfDay, errorsAt } = createSlotReasons(now);
  return {
    /** The times of a store on a day of its own calendar (YYYY-MM-DD), for an order. @throws 404 for a store without pickup. */
    async slots(storeId: string, date: string, use: SlotUse): Promise<PickupSlots> {
      const offered = pickupStores(
        (await stores.all()).map((store) => ({ ...store, localStoreName: store.id })),
      );
      const store = offered.find(({ id }) => id === storeId);
      if (!store) throw notFound();
      if (!isCalendarDay(date)) throw validationError({ date: 'field.invalid' });
      const slots = await slotsOfDay(db.read, withCheckoutTime(store), date, use);
      return {
        localStoreName: storeId,
        timeZone: store.timeZone,
        date,
        hours: hoursOn(store, date),
        slots: slots.map((slot) => ({ ...slot, available: slot.reason === null })),
      };
    },
    /** The next times that an order without limits of its own could choose if the store were like this, epoch ms. */
    async nextTimes(store: Store, most: number): Promise<number[]> {
      const times: number[] = [];
      const today = wallClock(now(), store.timeZone).date;
      for (let day = 0; day <= pickupHorizonDays && times.length < most; day += 1) {
        const date = addDays(today, day);
        if (spansBeginningOn(store, addDays(date, -1)).length + spansBeginningOn(store, date).length === 0)
          continue;
        const slots = await slotsOfDay(db.read, withCheckoutTime(store), date, usesNothing);
        times.push(...slots.flatMap(({ at, reason }) => (reason === null ? [at] : [])));
      }
      return times.slice(0, most);
    },
    errorsAt,
    /** Reserves a place in a slot, and in the limits of menus. Returns why not; the caller rolls back then. */
    async reserve(trx: Trx, store: Store, { orderId, at }: PickupOf, use: SlotUse): Promise<FieldErrors> {
      const errors = await errorsAt(trx, store, at, use);
      if (!isClean(errors)) return errors;
      const isReserved = await reserveSlot(trx, store.id, at, store.pickupSlotCapacity);
      if (isReserved && (await takeMenuUnits(db, trx, { orderId, storeId: store.id, at }, use))) return {};
      // Another order was faster.
      const since = await errorsAt(trx, store, at, use);
      return isClean(since) ? slotErrors('full') : since;
    },
    /** Reserves a place even if the slot is full: for an order that is already paid. */
    async forceReserve(trx: Trx, storeId: string, { orderId, at }: PickupOf, use: SlotUse): Promise<void> {
      await reserveSlot(trx, storeId, at, noLimit);
      await takeMenuUnits(db, trx, { orderId, storeId, at, force: true }, use);
    },
    async release(trx: Trx, storeId: string, { orderId, at }: PickupOf): Promise<void> {
      await releaseSlot(trx, storeId, at);
      await deleteMenuUnits(trx, orderId);
    },
  };
}

function withCheckoutTime(store: Store): Store {
  return { ...store, pickupLeadMinutes: store.pickupLeadMinutes + checkoutMinutes };
}

function createSlotReasons(now: () => number) {
  /** Why times from `from` to before `until` are unavailable to an order. */
  async function reasons(
    reader: Reader,
    store: Store,
    { from, until }: Record<'from' | 'until', number>,
    use: SlotUse,
  ) {
    const taken = await reservedBetween(reader, store.id, from, until);
    const units = use.limited.length === 0 ? [] : await menuUnitsAround(reader, store.id, from, until);
    return (at: number): SlotReason | null =>
      unavailableReason(store, at, taken.get(at) ?? 0, now()) ?? menuReason(use, at, store.timeZone, units);
  }

  async function slotsOfDay(reader: Reader, store: Store, date: string, use: SlotUse) {
    const midday = Date.parse(`${date}T12:00:00Z`);
    return slotsOn(
      store,
      date,
      await reasons(reader, store, { from: midday - 2 * dayMs, until: midday + 2 * dayMs }, use),
    );
  }

  /** Why a time is unavailable to an order, with the next free one of that day; empty if it is not. */
  async function errorsAt(reader: Reader, store: Store, at: number, use: SlotUse): Promise<FieldErrors> {
    const reason = (await reasons(reader, store, { from: at, until: at + 1 }, use))(at);
    const { date, minutes } = wallClock(at, store.timeZone);
    const chosen = clockText(Math.floor(minutes / 60), minutes % 60);
    if (reason !== 'full') return slotErrors(reason, { chosen });
    const slots = await slotsOfDay(reader, withCheckoutTime(store), date, use);
    const next = slots.find((slot) => slot.at > at && slot.reason === null);
    return slotErrors('full', { next: next && clockText(next.hour, next.minute) });
  }

  return { slotsOfDay, errorsAt };
}

const clockText = (hour: number, minute: number) =>
  [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');

/** The fields of a store that determine its pickup times. */
export type SlotStore = OpenStore & Pick<Store, 'pickupLeadMinutes' | 'pickupSlotCapacity' | 'today'>;

interface Slot {
  at: number;
  hour: number;
  minute: number;
  reason: SlotReason | null;
}

/**
 * Computes a store's pickup times: every five minutes of its day, and why some are unavailable.
 * Why a time is not available for pickup, or null if it is. The last slot of a day begins one step before the store closes.
 * `taken` is the number of orders to be picked up then.
 */
export function unavailableReason(
  store: SlotStore,
  at: number,
  taken: number,
  now: number,
): SlotReason | null {
  const clock = wallClock(at, store.timeZone);
  if (at < now) return 'past';
  if (at > now + pickupHorizonDays * dayMs) return 'tooFar';
  if (at % stepMs !== 0 || !spanAt(store, clock.date, clock.minutes)) return 'closed';
  const leadMinutes = store.pickupLeadMinutes + (store.today?.busy?.minutes ?? 0);
  if (at < now + leadMinutes * minuteMs || at < (store.today?.pausedUntil ?? 0)) return 'tooSoon';
  return taken >= store.pickupSlotCapacity ? 'full' : null;
}

/** All times of a day in the store's time zone, in order. Times that clocks skip are left out. */
export function slotsOn(
  store: Pick<SlotStore, 'timeZone'>,
  date: string,
  reasonAt: (at: number) => SlotReason | null,
): Slot[] {
  const slots: Slot[] = [];
  for (let minutes = 0; minutes < minutesOfDay; minutes += limits.pickupMinuteStep) {
    const at = instantAt(date, minutes, store.timeZone);
    if (at === null) continue;
    slots.push({
      at,
      hour: Math.floor(minutes / 60),
      minute: minutes % 60,
      reason: reasonAt(at),
    });
  }
  return slots;
}

/** What an order brings to its pickup time: when its lines are served, and what it takes of the limits of menus. */
export interface SlotUse {
  /** For each part of a line that is on menus, those that serve it. */
  served: readonly (readonly Menu[])[];
  /** Menus with a limit, and the units of the order that count. */
  limited: readonly { menu: Menu; units: number }[];
}

export const usesNothing: SlotUse = { served: [], limited: [] };

/** Further than the longest window of a limit, ms. */
const windowMs = 60 * minuteMs;

/** The rows that the limits of pickup times from `from` to before `until` depend on. */
function menuUnitsAround(db: Reader, storeId: string, from: number, until: number): Promise<MenuUnitsRow[]> {
  return menuUnitsBetween(db, storeId, from - windowMs, until + windowMs);
}

/** Why an order cannot be picked up then as far as menus decide, or null if it can. */
function menuReason(
  { served, limited }: SlotUse,
  at: number,
  timeZone: string,
  taken: readonly MenuUnitsRow[],
): 'notServed' | 'tooMany' | 'full' | null {
  const clock = wallClock(at, timeZone);
  if (served.some((menus) => !menus.some((menu) => isServedAt(menu, clock)))) return 'notServed';
  const rooms = limited.map(({ menu, units }) => room(menu, units, at, taken));
  return rooms.includes('tooMany') ? 'tooMany' : rooms.includes('full') ? 'full' : null;
}

function room(
  menu: Menu,
  units: number,
  at: number,
  taken: readonly MenuUnitsRow[],
): 'tooMany' | 'full' | null {
  const { limit } = menu;
  if (!limit) return null;
  const start = windowStart(menu, at);
  const end = start + limit.minutes * minuteMs;
  const rows = taken.filter((row) => row.menu === menu.id && row.slot_at >= start && row.slot_at < end);
  const counted = limit.of === 'orders' ? rows.length : rows.reduce((sum, row) => sum + row.units, 0);
  const own = limit.of === 'orders' ? 1 : units;
  if (own > limit.most) return 'tooMany';
  return counted + own > limit.most ? 'full' : null;
}

function windowStart({ limit }: Menu, at: number): number {
  return at - (at % ((limit?.minutes ?? 1) * minuteMs));
}

/** Counts an order for its pickup time. Returns false if a menu has no room for it, unless with `force`. */
async function takeMenuUnits(
  db: Database,
  trx: Trx,
  { orderId, storeId, at, force = false }: { orderId: string; storeId: string; at: number; force?: boolean },
  use: SlotUse,
): Promise<boolean> {
  if (use.limited.length === 0) return true;
  // In one order, so that two orders for the same menus cannot deadlock. A row could not be locked: there may be none yet.
  for (const key of use.limited
    .map(({ menu }) => `menu ${storeId} ${menu.id} ${windowStart(menu, at)}`)
    .sort())
    await db.queries.lock(trx, key);
  await deleteMenuUnits(trx, orderId);
  const taken = await menuUnitsAround(trx, storeId, at, at + 1);
  if (!force && use.limited.some(({ menu, units }) => room(menu, units, at, taken) !== null)) return false;
  const rows = use.limited.map(({ menu, units }) => ({
    order_id: orderId,
    menu: menu.id,
    store_id: storeId,
    slot_at: at,
    units,
  }));
  await insertMenuUnits(trx, rows);
  return true;
}
