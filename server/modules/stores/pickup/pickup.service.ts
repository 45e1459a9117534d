/** Pickup times: which can be had, and taking one together with an order's stock. */
import { pickupStores } from '#contract/rules/method.ts';
import type { PickupSlots, SlotReason } from '#contract/schemas/order.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import { dayMs, isCalendarDay } from '#server/platform/time-zone.ts';
import type { Store, StoresService } from '../stores.service.ts';
import { releaseSlot, reservedBetween, reserveSlot } from './pickup.repository.ts';
import { hoursOn, slotsOn, unavailableReason } from './pickup-slots.ts';

/** Times are offered so much later than a store needs, that one which was chosen can still be had at the end of checkout. */
const checkoutMinutes = 10;
/** More orders than will ever be fetched at one time. */
const noLimit = 1_000_000;

export interface PickupService {
  /** The times of a store on a day of its own calendar (YYYY-MM-DD). 404 for a store without pickup. */
  slots(storeId: string, date: string): Promise<PickupSlots>;
  /** Why a time cannot be had, null where it can. */
  unavailableReason(db: Reader, store: Store, at: number): Promise<SlotReason | null>;
  /** Takes a place at a time; false where it is full. */
  reserve(trx: Trx, store: Store, at: number): Promise<boolean>;
  /** Takes a place whether or not there is one: for an order that is paid already. */
  forceReserve(trx: Trx, storeId: string, at: number): Promise<void>;
  release(trx: Trx, storeId: string, at: number): Promise<void>;
}

export function createPickupService({
  db,
  now,
  stores,
}: {
  db: Database;
  now: () => number;
  stores: StoresService;
}): PickupService {
  return {
    async slots(storeId, date) {
      const offered = pickupStores((await stores.all()).map((store) => ({ ...store, localStoreName: store.id })));
      const store = offered.find(({ id }) => id === storeId);
      if (!store) throw notFound();
      if (!isCalendarDay(date)) throw validationError({ date: 'field.invalid' });
      const midday = Date.parse(`${date}T12:00:00Z`);
      const taken = await reservedBetween(db.read, storeId, midday - 2 * dayMs, midday + 2 * dayMs);
      return {
        localStoreName: storeId,
        timeZone: store.timeZone,
        date,
        hours: hoursOn(store, date),
        slots: slotsOn(offeredBy(store), date, taken, now()).map((slot) => ({ ...slot, available: slot.reason === null })),
      };
    },
    async unavailableReason(reader, store, at) {
      const taken = await reservedBetween(reader, store.id, at, at + 1);
      return unavailableReason(store, at, taken.get(at) ?? 0, now());
    },
    reserve: (trx, store, at) => reserveSlot(trx, store.id, at, store.pickupSlotCapacity),
    async forceReserve(trx, storeId, at) {
      await reserveSlot(trx, storeId, at, noLimit);
    },
    release: releaseSlot,
  };
}

function offeredBy(store: Store): Store {
  return { ...store, pickupLeadMinutes: store.pickupLeadMinutes + checkoutMinutes };
}
