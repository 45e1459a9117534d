/** Reads a store's opening hours: those of the week, and those of single dates, which take precedence. */
import { type Weekday, weekdays } from '../limits.ts';
import type { PickupLocation } from '../schemas/shop.ts';

/** The hours of a day, 'HH:mm' in the store's time zone. Hours that close at or before they open end on the next day. */
export type DayHours = PickupLocation['openingHours'][Weekday];
export type StoreHours = Pick<PickupLocation, 'openingHours' | 'specialHours'>;

const dayMs = 86_400_000;

/** The hours that begin on `date` (YYYY-MM-DD); null if the store is closed that day. */
export function hoursOn({ openingHours, specialHours }: StoreHours, date: string): DayHours {
  const special = specialHours.find((each) => each.date === date);
  return special ? special.hours : openingHours[weekdayOn(date)];
}

/** The date (YYYY-MM-DD) `days` after `date`. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
}

export function weekdayOn(date: string): Weekday {
  // getUTCDay counts from Sunday, the shop's weekdays from Monday.
  return weekdays[(new Date(date).getUTCDay() + 6) % weekdays.length] ?? 'monday';
}

/** The hours that contain a moment of the store's clock, of this date or of the night before; null if the store is closed. */
export function hoursAt(store: StoreHours, date: string, minutes: number): DayHours {
  const yesterday = hoursOn(store, addDays(date, -1));
  if (yesterday && closesNextDay(yesterday) && minutes < minutesOf(yesterday.close)) return yesterday;
  const today = hoursOn(store, date);
  const open = today && minutes >= minutesOf(today.open) && (closesNextDay(today) || minutes < minutesOf(today.close));
  return open ? today : null;
}

export function closesNextDay({ open, close }: NonNullable<DayHours>): boolean {
  return minutesOf(close) <= minutesOf(open);
}

/** 'HH:mm' as minutes since midnight; '24:00' is the end of the day. */
export function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}
