/** Hours 0–23 and minutes in steps of five (SPEC §9); each unavailable one has a reason. */
import { limits } from '#contract/limits.ts';
import type { PickupSlots, SlotReason } from '#contract/schemas/order.ts';

export interface TimeOption {
  /** The hour or minute. */
  value: number;
  /** Why it cannot be chosen; null if it can. */
  reason: SlotReason | null;
}

type Slot = PickupSlots['slots'][number];

/** If an hour has several reasons, the most informative one. */
const telling: SlotReason[] = ['full', 'tooSoon', 'past', 'tooFar', 'closed'];

export function hourOptions(slots: readonly Slot[]): TimeOption[] {
  return Array.from({ length: 24 }, (_, hour) => ({
    value: hour,
    reason: reasonOf(slots.filter((slot) => slot.hour === hour)),
  }));
}

export function minuteOptions(slots: readonly Slot[], hour: number): TimeOption[] {
  return Array.from({ length: 60 / limits.pickupMinuteStep }, (_, step) => {
    const minute = step * limits.pickupMinuteStep;
    return { value: minute, reason: reasonOf(slots.filter((slot) => slot.hour === hour && slot.minute === minute)) };
  });
}

/** No slots at all means that the store is closed. */
function reasonOf(slots: readonly Slot[]): SlotReason | null {
  if (slots.some(({ available }) => available)) return null;
  return telling.find((reason) => slots.some((slot) => slot.reason === reason)) ?? 'closed';
}

export function earliestSlot(slots: readonly Slot[]): Slot | undefined {
  return slots.find(({ available }) => available);
}
