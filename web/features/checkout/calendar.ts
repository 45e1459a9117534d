/** The days for pickup, in the store's time zone. */
import { limits, type Weekday, weekdays } from '#contract/limits.ts';
import type { PickupSlots, SlotReason } from '#contract/schemas/checkout.ts';

export interface Day {
  /** YYYY-MM-DD. */
  date: string;
  year: number;
  /** 1–12. */
  month: number;
  day: number;
  weekday: Weekday;
}

/** The number of days ahead that pickup can be chosen. */
const daysAhead = 30;

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The date at `now` (epoch ms) in the store's time zone. */
export function today(now: number, timeZone: string): Day {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' }).formatToParts(now);
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value);
  return dayOf(part('year'), part('month'), part('day'));
}

export function comingDays(now: number, timeZone: string, count = daysAhead): Day[] {
  const days: Day[] = [];
  for (let next = today(now, timeZone); days.length < count; next = after(next)) days.push(next);
  return days;
}

/** The number of days before `first` in its week, for the first row of a calendar whose weeks begin on `weekStart`. */
export function leadingBlanks(first: Day, weekStart: Weekday): number {
  return (weekdays.indexOf(first.weekday) - weekdays.indexOf(weekStart) + 7) % 7;
}

/** The first day of the week for a language (its BCP 47 tag): Sunday in Canada, Monday in China. */
export function weekStartIn(tag: string): Weekday {
  // TypeScript has no type for it yet, and not every browser supports it.
  const locale: Intl.Locale & { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(tag);
  const { firstDay } = locale.getWeekInfo?.() ?? { firstDay: 7 };
  return weekdays[(firstDay - 1) % 7] ?? 'sunday';
}

export function weekFrom(weekStart: Weekday): Weekday[] {
  const from = weekdays.indexOf(weekStart);
  return [...weekdays.slice(from), ...weekdays.slice(0, from)];
}

function after({ year, month, day }: Day): Day {
  if (day < daysInMonth(year, month)) return dayOf(year, month, day + 1);
  return month < 12 ? dayOf(year, month + 1, 1) : dayOf(year + 1, 1, 1);
}

function dayOf(year: number, month: number, day: number): Day {
  // getUTCDay counts from Sunday, the shop's weekdays from Monday.
  const index = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
  const pad = (value: number) => String(value).padStart(2, '0');
  return { date: `${year}-${pad(month)}-${pad(day)}`, year, month, day, weekday: weekdays[index] ?? 'monday' };
}

/** Hours 0–23 and minutes in steps of five (SPEC §9); each unavailable one has a reason. */
export interface TimeOption {
  value: number;
  /** Why it cannot be chosen; null if it can. */
  reason: SlotReason | null;
}

type Slot = PickupSlots['slots'][number];

/** If an hour has several reasons, the most informative one. */
const telling: SlotReason[] = ['tooMany', 'full', 'notServed', 'tooSoon', 'past', 'tooFar', 'closed'];

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
