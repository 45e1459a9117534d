/** Pickup times: which can be had, and taking one together with an order's stock. */
import { pickupStores } from '#contract/rules/method.ts';
import type { PickupSlots, SlotReason } from '#contract/schemas/order.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { invalidFields, notFound } from '#server/platform/errors.ts';
import { dayMs, isCalendarDay } from '#server/platform/time-zone.ts';
import type { Store, StoresService } from '../stores.service.ts';
import { givePlace, takenBetween, takePlace } from './pickup.repository.ts';
import { hoursOn, reasonAgainst, slotsOn } from './pickup-slots.ts';

/** Times are offered so much later than a store needs, that one which was chosen can still be had at the end of checkout. */
const checkoutMinutes = 10;
/** More orders than will ever be fetched at one time. */
const noLimit = 1_000_000;

export interface PickupService {
  /** The times of a store on a day of its own calendar (YYYY-MM-DD). 404 for a store without pickup. */
  slots(storeId: string, date: string): Promise<PickupSlots>;
  /** Why a time cannot be had, null where it can. */
  reasonAgainst(db: Reader, store: Store, at: number): Promise<SlotReason | null>;
  /** Takes a place at a time; false where it is full. */
  take(trx: Trx, store: Store, at: number): Promise<boolean>;
  /** Takes a place whether or not there is one: for an order that is paid already. */
  squeezeIn(trx: Trx, storeId: string, at: number): Promise<void>;
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
      if (!isCalendarDay(date)) throw invalidFields({ date: 'field.invalid' });
      const midday = Date.parse(`${date}T12:00:00Z`);
      const taken = await takenBetween(db.read, storeId, midday - 2 * dayMs, midday + 2 * dayMs);
      return {
        localStoreName: storeId,
        timeZone: store.timeZone,
        date,
        hours: hoursOn(store, date),
        slots: slotsOn(offeredBy(store), date, taken, now()).map((slot) => ({ ...slot, available: slot.reason === null })),
      };
    },
    async reasonAgainst(reader, store, at) {
      const taken = await takenBetween(reader, store.id, at, at + 1);
      return reasonAgainst(store, at, taken.get(at) ?? 0, now());
    },
    take: (trx, store, at) => takePlace(trx, store.id, at, store.pickupSlotCapacity),
    async squeezeIn(trx, storeId, at) {
      await takePlace(trx, storeId, at, noLimit);
    },
    release: givePlace,
  };
}

function offeredBy(store: Store): Store {
  return { ...store, pickupLeadMinutes: store.pickupLeadMinutes + checkoutMinutes };
}
