/** Pickup times: which are available, and reserving one together with an order's stock. */
import { pickupStores } from '#contract/rules/method.ts';
import { hoursOn } from '#contract/rules/opening-hours.ts';
import type { PickupSlots, SlotReason } from '#contract/schemas/checkout.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { dayMs } from '#server/platform/durations.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import { isCalendarDay } from '#server/platform/time-zone.ts';
import { releaseSlot, reservedBetween, reserveSlot } from './pickup.repository.ts';
import { slotsOn, unavailableReason } from './pickup-slots.ts';
import type { Store } from './store-input.ts';
import type { StoresService } from './stores.service.ts';

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

export function createPickupService({ db, now, stores }: PickupDeps) {
  return {
    /** The times of a store on a day of its own calendar (YYYY-MM-DD). @throws 404 for a store without pickup. */
    async slots(storeId: string, date: string): Promise<PickupSlots> {
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
        slots: slotsOn(withCheckoutTime(store), date, taken, now()).map((slot) => ({ ...slot, available: slot.reason === null })),
      };
    },
    /** Why a time is unavailable, null if it is not. */
    async unavailableReason(reader: Reader, store: Store, at: number): Promise<SlotReason | null> {
      const taken = await reservedBetween(reader, store.id, at, at + 1);
      return unavailableReason(store, at, taken.get(at) ?? 0, now());
    },
    /** Reserves a place in a slot; returns false if it is full. */
    reserve: (trx: Trx, store: Store, at: number): Promise<boolean> => reserveSlot(trx, store.id, at, store.pickupSlotCapacity),
    /** Reserves a place even if the slot is full: for an order that is already paid. */
    async forceReserve(trx: Trx, storeId: string, at: number): Promise<void> {
      await reserveSlot(trx, storeId, at, noLimit);
    },
    release: releaseSlot,
  };
}

function withCheckoutTime(store: Store): Store {
  return { ...store, pickupLeadMinutes: store.pickupLeadMinutes + checkoutMinutes };
}
