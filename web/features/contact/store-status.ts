/** Determines whether a store is open, by its time zone and opening hours, wherever the customer is. */
import { type Weekday, weekdays } from '#contract/limits.ts';
import { addDays, hoursAt, hoursOn, minutesOf, type StoreHours, weekdayOn } from '#contract/rules/opening-hours.ts';

/** Times are 'HH:mm' in the store's time zone. 'closed': none of the next seven days has hours. */
export type StoreStatus =
  | { kind: 'open'; until: string }
  | { kind: 'opensToday'; at: string }
  | { kind: 'opensDay'; day: Weekday; at: string }
  | { kind: 'closed' };

export interface StoreClock {
  /** YYYY-MM-DD */
  date: string;
  /** Minutes since midnight. */
  minutes: number;
}

/** The date and time in the store's time zone at an instant (epoch ms). */
export function storeClock(at: number, timeZone: string): StoreClock {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((candidate) => candidate.type === type)?.value ?? '';
  const date = `${part('year')}-${part('month')}-${part('day')}`;
  return { date, minutes: Number(part('hour')) * 60 + Number(part('minute')) };
}

/** The status at a moment of the store's clock. */
export function storeStatus(store: StoreHours, { date, minutes }: StoreClock): StoreStatus {
  const now = hoursAt(store, date, minutes);
  if (now) return { kind: 'open', until: now.close };
  const today = hoursOn(store, date);
  if (today && minutes < minutesOf(today.open)) return { kind: 'opensToday', at: today.open };
  for (let offset = 1; offset <= weekdays.length; offset += 1) {
    const day = addDays(date, offset);
    const next = hoursOn(store, day);
    if (next) return { kind: 'opensDay', day: weekdayOn(day), at: next.open };
  }
  return { kind: 'closed' };
}
