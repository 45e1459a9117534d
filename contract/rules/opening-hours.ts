import { type Weekday, weekdays } from '../limits.ts';
import type { PickupLocation } from '../schemas/shop.ts';

/** First opening to last closing, 'HH:mm' in the store's time zone. Hours that close at or before they open end the next day. */
export type DayHours = PickupLocation['openingHours'][Weekday];
export type StoreHours = Pick<PickupLocation, 'openingHours' | 'specialHours'>;

const dayMs = 86_400_000;
/** Hours that end on the next day end by then. Later ones are taken for a mistake, such as opening and closing the wrong way round. */
export const latestNextDay = '06:00';

/** That begin on `date` (YYYY-MM-DD); null if the store is closed that day. */
export function hoursOn({ openingHours, specialHours }: StoreHours, date: string): DayHours {
  const special = specialHours.find((each) => each.date === date);
  return special ? special.hours : openingHours[weekdayOn(date)];
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
}

export function weekdayOn(date: string): Weekday {
  // getUTCDay counts from Sunday, the shop's weekdays from Monday.
  return weekdays[(new Date(date).getUTCDay() + 6) % weekdays.length] ?? 'monday';
}

/** Hours without a break. */
export interface Span {
  open: string;
  close: string;
  /** Minutes since midnight of the date on which the hours begin; above 1440 on the next one. */
  start: number;
  end: number;
}

const minutesOfDay = 24 * 60;

/** In order; none for texts that are no times. */
export function spansOf(hours: DayHours): Span[] {
  if (!hours) return [];
  const { breaks = [] } = hours;
  const start = minutesOf(hours.open);
  const after = (clock: string) => minutesOf(clock) + (minutesOf(clock) <= start ? minutesOfDay : 0);
  const closings = [...breaks.map(({ from }) => from), hours.close];
  return [hours.open, ...breaks.map(({ until }) => until)]
    .map((open, index) => ({ open, close: closings[index] ?? '', begins: index === 0 ? start : after(open) }))
    .map(({ begins, ...span }) => ({ ...span, start: begins, end: after(span.close) }))
    .filter(({ start: from, end }) => end > from);
}

/** In order: those of its own hours, and of a night that began the day before. */
export function spansBeginningOn(store: StoreHours, date: string): Span[] {
  const night = spansOf(hoursOn(store, addDays(date, -1))).map((span) => ({
    ...span,
    start: span.start - minutesOfDay,
    end: span.end - minutesOfDay,
  }));
  return [...night, ...spansOf(hoursOn(store, date))]
    .filter(({ start }) => start >= 0 && start < minutesOfDay)
    .toSorted((a, b) => a.start - b.start);
}

/** '11:00–14:00, 17:00–22:00'. */
export function hoursText(hours: DayHours, separator: string): string {
  return spansOf(hours)
    .map(({ open, close }) => `${open}–${close}`)
    .join(separator);
}

/** Of this date or of the night before; null if the store is closed. */
export function spanAt(store: StoreHours, date: string, minutes: number): Span | null {
  const within = (hours: DayHours, at: number) =>
    spansOf(hours).find(({ start, end }) => at >= start && at < end);
  return (
    within(hoursOn(store, addDays(date, -1)), minutes + minutesOfDay) ??
    within(hoursOn(store, date), minutes) ??
    null
  );
}

export function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}
