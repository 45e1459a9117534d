/** Determines whether a store is open, by its time zone and weekly hours, wherever the customer is. */
import { type Weekday, weekdays } from '#contract/limits.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';

export type OpeningHours = PickupLocation['openingHours'];

/** Times are 'HH:mm' in the store's time zone. 'closed': no day of the week has hours. */
export type StoreStatus =
  | { kind: 'open'; until: string }
  | { kind: 'opensToday'; at: string }
  | { kind: 'opensDay'; day: Weekday; at: string }
  | { kind: 'closed' };

export interface StoreClock {
  weekday: Weekday;
  /** Minutes since midnight. */
  minutes: number;
}

/** The weekday and time in the store's time zone at an instant (epoch ms). */
export function storeClock(at: number, timeZone: string): StoreClock {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((candidate) => candidate.type === type)?.value ?? '';
  const weekday = weekdays.find((day) => day === part('weekday').toLowerCase()) ?? 'monday';
  return { weekday, minutes: Number(part('hour')) * 60 + Number(part('minute')) };
}

/**
 * The status at a moment of the store's week. Hours that end at or before they begin continue past midnight, into the next day.
 */
export function storeStatus(hours: OpeningHours, { weekday, minutes }: StoreClock): StoreStatus {
  const index = weekdays.indexOf(weekday);
  const dayAt = (offset: number): Weekday => weekdays[(index + offset + weekdays.length) % weekdays.length] ?? weekday;
  const yesterday = hours[dayAt(-1)];
  if (yesterday && closesNextDay(yesterday) && minutes < minutesOf(yesterday.close)) {
    return { kind: 'open', until: yesterday.close };
  }
  const today = hours[weekday];
  if (today && minutes < minutesOf(today.open)) return { kind: 'opensToday', at: today.open };
  if (today && (closesNextDay(today) || minutes < minutesOf(today.close))) return { kind: 'open', until: today.close };
  for (let offset = 1; offset <= weekdays.length; offset += 1) {
    const day = dayAt(offset);
    const next = hours[day];
    if (next) return { kind: 'opensDay', day, at: next.open };
  }
  return { kind: 'closed' };
}

function closesNextDay({ open, close }: { open: string; close: string }): boolean {
  return minutesOf(close) <= minutesOf(open);
}

/** 'HH:mm' as minutes since midnight; '24:00' is the end of the day. */
function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}
