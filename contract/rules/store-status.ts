import { weekdayName } from '../formatters.ts';
import { type Weekday, weekdays } from '../limits.ts';
import type { Locale } from '../locales.ts';
import type { Translate } from '../translate.ts';
import { addDays, hoursOn, type StoreHours, spanAt, spansBeginningOn, weekdayOn } from './opening-hours.ts';

/** 'HH:mm' in the store's time zone. 'closed': none of the next seven days has hours. */
export type StoreStatus =
  /** `again`: it opens again on the same day. */
  | { kind: 'open'; until: string; again?: string }
  | { kind: 'opensToday'; at: string }
  | { kind: 'opensDay'; day: Weekday; at: string }
  | { kind: 'closed' };

export interface StoreClock {
  date: string;
  /** Minutes since midnight. */
  minutes: number;
}

export function storeStatus(store: StoreHours, { date, minutes }: StoreClock): StoreStatus {
  const now = spanAt(store, date, minutes);
  const next = spansBeginningOn(store, date).find(({ start }) => start > minutes);
  if (now) return { kind: 'open', until: now.close, ...(next ? { again: next.open } : {}) };
  if (next) return { kind: 'opensToday', at: next.open };
  for (let offset = 1; offset <= weekdays.length; offset += 1) {
    const day = addDays(date, offset);
    const hours = hoursOn(store, day);
    if (hours) return { kind: 'opensDay', day: weekdayOn(day), at: hours.open };
  }
  return { kind: 'closed' };
}

/** Such as 'Open until 19:00'. */
export function statusText(status: StoreStatus, locale: Locale, t: Translate): string {
  switch (status.kind) {
    case 'open':
      return status.again === undefined
        ? t('contact.openUntil', { time: status.until })
        : t('contact.openUntilAgain', { time: status.until, again: status.again });
    case 'opensToday':
      return t('contact.opensToday', { time: status.at });
    case 'opensDay':
      return t('contact.opensDay', { day: weekdayName(status.day, locale), time: status.at });
    case 'closed':
      return t('contact.closed');
  }
}
