/** Determines whether a store is open, at a moment of its own clock, and how customers read that. */
import { dateFormat } from '../formatters.ts';
import { type Weekday, weekdays } from '../limits.ts';
import type { Locale } from '../locales.ts';
import type { Translate } from '../translate.ts';
import { addDays, hoursAt, hoursOn, minutesOf, type StoreHours, weekdayOn } from './opening-hours.ts';

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

/** A Monday. */
const monday = Date.UTC(2024, 0, 1);

/** The name of a weekday in a language. */
export function weekdayName(day: Weekday, locale: Locale, form: 'long' | 'short' = 'long'): string {
  const at = monday + weekdays.indexOf(day) * 86_400_000;
  return dateFormat(locale, { weekday: form, timeZone: 'UTC' }).format(at);
}

/** The status as a customer reads it, such as 'Open until 19:00'. */
export function statusText(status: StoreStatus, locale: Locale, t: Translate): string {
  switch (status.kind) {
    case 'open':
      return t('contact.openUntil', { time: status.until });
    case 'opensToday':
      return t('contact.opensToday', { time: status.at });
    case 'opensDay':
      return t('contact.opensDay', { day: weekdayName(status.day, locale), time: status.at });
    case 'closed':
      return t('contact.closed');
  }
}
