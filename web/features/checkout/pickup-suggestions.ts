/** Picks the pickup times that checkout offers at once, from the times of the next open days. */
import type { PickupSlots } from '#contract/schemas/order.ts';

type Slot = PickupSlots['slots'][number];

export interface PickupSuggestion {
  /** YYYY-MM-DD in the store's time zone. */
  date: string;
  slot: Slot;
}

const hourMs = 3_600_000;

/**
 * At most three: the earliest time, the first at least an hour later on that day, and the first of the next day with a free
 * time. `days` are in the order of the calendar.
 */
export function pickupSuggestions(days: readonly Pick<PickupSlots, 'date' | 'slots'>[]): PickupSuggestion[] {
  const free = days.flatMap(({ date, slots }) => {
    const open = slots.filter(({ available }) => available);
    return open.length > 0 ? [{ date, open }] : [];
  });
  const [first, next] = free;
  const earliest = first?.open[0];
  if (!first || !earliest) return [];
  const later = first.open.find(({ at }) => at >= earliest.at + hourMs);
  const nextDay = next?.open[0];
  return [
    { date: first.date, slot: earliest },
    ...(later ? [{ date: first.date, slot: later }] : []),
    ...(next && nextDay ? [{ date: next.date, slot: nextDay }] : []),
  ];
}
