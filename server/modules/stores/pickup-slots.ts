/** Computes a store's pickup times: every five minutes of its day, and why some are unavailable. */

import { limits } from '#contract/limits.ts';
import { spanAt } from '#contract/rules/opening-hours.ts';
import { pickupHorizonDays } from '#contract/rules/slot.ts';
import type { SlotReason } from '#contract/schemas/checkout.ts';
import { dayMs, minuteMs } from '#server/platform/durations.ts';
import { instantAt, wallClock } from '#server/platform/time-zone.ts';
import type { OpenStore } from './open-hours.ts';

import type { Store } from './store-input.ts';

const stepMs = limits.pickupMinuteStep * minuteMs;
const minutesOfDay = 24 * 60;

/** The fields of a store that determine its pickup times. */
export type SlotStore = OpenStore & Pick<Store, 'pickupLeadMinutes' | 'pickupSlotCapacity' | 'today'>;

export interface Slot {
  at: number;
  hour: number;
  minute: number;
  reason: SlotReason | null;
}

/**
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
