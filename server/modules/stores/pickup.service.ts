/** Pickup times: which are available, and reserving one together with an order's stock. */

import type { FieldErrors } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { isClean } from '#contract/rules/fields.ts';
import { pickupStores } from '#contract/rules/method.ts';
import { addDays, hoursOn, spanAt, spansBeginningOn } from '#contract/rules/opening-hours.ts';
import { pickupHorizonDays, slotErrors } from '#contract/rules/slot.ts';
import type { PickupSlots, SlotReason } from '#contract/schemas/checkout.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { dayMs, minuteMs } from '#server/platform/durations.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import { instantAt, isCalendarDay, wallClock } from '#server/platform/time-zone.ts';
import type { OpenStore } from './open-hours.ts';
import { deleteMenuUnits, releaseSlot, reservedBetween, reserveSlot } from './pickup.repository.ts';
import { menuReason, menuUnitsAround, type SlotUse, takeMenuUnits, usesNothing } from './slot-use.ts';
import type { Store } from './store-input.ts';
import type { StoresService } from './stores.service.ts';

const stepMs = limits.pickupMinuteStep * minuteMs;
const minutesOfDay = 24 * 60;

/** Times start this much later than a store needs, so that the chosen one is still available at the end of checkout. */
const checkoutMinutes = 10;
/** More orders than are ever picked up at one time. */
const noLimit = 1_000_000;

export type PickupService = ReturnType<typeof createPickupService>;

export interface PickupDeps {
  db: Database;
  now: () => number;
  stores: StoresService;
}

/** The pickup time of an order, epoch ms. */
export interface PickupOf {
  orderId: string;
  at: number;
}

export function createPickupService({ db, now, stores }: PickupDeps) {
  const { slotsOfDay, errorsAt } = createSlotReasons(now);
  return {
    /** The times of a store on a day of its own calendar (YYYY-MM-DD), for an order. @throws 404 for a store without pickup. */
    async slots(storeId: string, date: string, use: SlotUse): Promise<PickupSlots> {
      const offered = pickupStores((await stores.all()).map((store) => ({ ...store, localStoreName: store.id })));
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
        if (spansBeginningOn(store, addDays(date, -1)).length + spansBeginningOn(store, date).length === 0) continue;
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
      await takeMenuUnits(db, trx, { orderId, storeId, at }, use, true);
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
  async function reasons(reader: Reader, store: Store, from: number, until: number, use: SlotUse) {
    const taken = await reservedBetween(reader, store.id, from, until);
    const units = use.limited.length === 0 ? [] : await menuUnitsAround(reader, store.id, from, until);
    return (at: number): SlotReason | null =>
      unavailableReason(store, at, taken.get(at) ?? 0, now()) ?? menuReason(use, at, store.timeZone, units);
  }

  async function slotsOfDay(reader: Reader, store: Store, date: string, use: SlotUse) {
    const midday = Date.parse(`${date}T12:00:00Z`);
    return slotsOn(store, date, await reasons(reader, store, midday - 2 * dayMs, midday + 2 * dayMs, use));
  }

  /** Why a time is unavailable to an order, with the next free one of that day; empty if it is not. */
  async function errorsAt(reader: Reader, store: Store, at: number, use: SlotUse): Promise<FieldErrors> {
    const reason = (await reasons(reader, store, at, at + 1, use))(at);
    if (reason !== 'full') return slotErrors(reason);
    const slots = await slotsOfDay(reader, withCheckoutTime(store), wallClock(at, store.timeZone).date, use);
    const next = slots.find((slot) => slot.at > at && slot.reason === null);
    return slotErrors('full', next && [next.hour, next.minute].map((part) => String(part).padStart(2, '0')).join(':'));
  }

  return { slotsOfDay, errorsAt };
}

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
export function unavailableReason(store: SlotStore, at: number, taken: number, now: number): SlotReason | null {
  const clock = wallClock(at, store.timeZone);
  if (at < now) return 'past';
  if (at > now + pickupHorizonDays * dayMs) return 'tooFar';
  if (at % stepMs !== 0 || !spanAt(store, clock.date, clock.minutes)) return 'closed';
  const leadMinutes = store.pickupLeadMinutes + (store.today?.busy?.minutes ?? 0);
  if (at < now + leadMinutes * minuteMs || at < (store.today?.pausedUntil ?? 0)) return 'tooSoon';
  return taken >= store.pickupSlotCapacity ? 'full' : null;
}

/** All times of a day in the store's time zone, in order. Times that clocks skip are left out. */
export function slotsOn(store: Pick<SlotStore, 'timeZone'>, date: string, reasonAt: (at: number) => SlotReason | null): Slot[] {
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
