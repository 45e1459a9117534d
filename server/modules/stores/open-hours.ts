/** Counts the hours during which a store is open, in its time zone and over changes of clocks. */
import type { Locale } from '#contract/locales.ts';
import {
  addDays,
  hoursOn,
  latestNextDay,
  minutesOf,
  spansBeginningOn,
  spansOf,
} from '#contract/rules/opening-hours.ts';
import { statusText, storeStatus } from '#contract/rules/store-status.ts';
import { translate } from '#server/platform/i18n.ts';
import { dayMs, hourMs, momentAt, wallClock } from '#server/platform/time-zone.ts';
import type { Store } from './store.ts';

/** The fields of a store that determine when it is open. */
export type OpenStore = Pick<Store, 'timeZone' | 'openingHours' | 'specialHours'>;

const minutesOfDay = 24 * 60;
/** How far ahead opening hours are counted, days. */
const horizonDays = 2 * 366;

/**
 * The closing time (epoch ms) before which the store will have been open for `hours` since `from`: customers who come later would
 * find it closed anyway. A store that does not close within a day of that moment has no such time; then it is the moment itself.
 *
 * A store without enough opening hours in the next two years gets its last closing time, but no less than `hours` of any clock.
 */
export function closingAfter(store: OpenStore, from: number, hours: number): number {
  let missing = hours * hourMs;
  let closing: number | null = null;
  for (const { opensAt, closesAt } of openIntervals(store, from)) {
    const follows = closing !== null && opensAt <= closing;
    if (closing !== null && missing <= 0 && !follows) return closing;
    missing -= closesAt - opensAt;
    closing = closesAt;
    // More than a day beyond the promise, and open all that time.
    if (missing < -dayMs) return closesAt + missing;
  }
  return missing <= 0 && closing !== null ? closing : Math.max(closing ?? 0, from + hours * hourMs);
}

/** When the store opens on its next day, epoch ms: a night belongs to the day on which it began. A day later if it never opens. */
export function nextDaysOpening(store: OpenStore, at: number): number {
  const { date, minutes } = wallClock(at, store.timeZone);
  const yesterday = addDays(date, -1);
  const isNight = spansOf(hoursOn(store, yesterday)).some(({ end }) => minutes + minutesOfDay < end);
  for (let day = 1; day <= horizonDays; day += 1) {
    const next = addDays(isNight ? yesterday : date, day);
    const [first] = spansOf(hoursOn(store, next));
    const opensAt = first ? momentAt(next, first.start, store.timeZone) : Number.NaN;
    if (opensAt > at) return opensAt;
  }
  return at + dayMs;
}

/**
 * When the store's clock next shows `time` (HH:mm) today or in the night that follows, epoch ms; null if never. In the night itself,
 * `time` is of this one: 01:20 has passed at 01:40.
 */
export function timeAhead({ timeZone }: OpenStore, time: string, now: number): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  if (hours === undefined) return null;
  const { date, minutes: minutesNow } = wallClock(now, timeZone);
  const isNight = (at: number) => at <= minutesOf(latestNextDay);
  const asked = Number(hours) * 60 + Number(minutes);
  const days = isNight(asked) && !isNight(minutesNow) ? [date, addDays(date, 1)] : [date];
  const moments = days.map((day) => momentAt(day, asked, timeZone));
  return moments.find((at) => at > now) ?? null;
}

interface Interval {
  opensAt: number;
  closesAt: number;
}

/** The intervals in which a store is open from `from` on, in order and without overlaps; those that touch are not joined. */
function* openIntervals(store: OpenStore, from: number): Generator<Interval> {
  const { timeZone } = store;
  const today = wallClock(from, timeZone).date;
  let until = from;
  // Yesterday's hours may continue past midnight.
  for (let day = -1; day <= horizonDays; day += 1) {
    const date = addDays(today, day);
    for (const { start, end } of spansBeginningOn(store, date)) {
      const opensAt = Math.max(until, momentAt(date, start, timeZone));
      const closesAt = momentAt(date, end, timeZone);
      if (closesAt <= opensAt) continue;
      until = closesAt;
      yield { opensAt, closesAt };
    }
  }
}

/** Determines whether a store is open now, and until when that answer is true. */
interface StatusNow {
  isOpen: boolean;
  /** 'Open until 19:00' */
  text: string;
  /** Epoch ms: the store opens or closes, or its day ends. */
  until: number;
}

/** The status of a store at `now` (epoch ms). */
export function statusNow(store: OpenStore, now: number, locale: Locale): StatusNow {
  const clock = wallClock(now, store.timeZone);
  const status = storeStatus(store, clock);
  const changes = changesOn(store, clock.date).filter((minutes) => minutes > clock.minutes);
  return {
    isOpen: status.kind === 'open',
    text: statusText(status, locale, translate(locale)),
    until: momentAt(clock.date, Math.min(minutesOfDay, ...changes), store.timeZone),
  };
}

/** When a store opens or closes on a date, in minutes since its midnight. */
function changesOn(store: OpenStore, date: string): number[] {
  const spans = spansOf(hoursOn(store, date));
  const night = spansOf(hoursOn(store, addDays(date, -1)));
  return [
    ...spans.flatMap(({ start, end }) => [start, end]),
    ...night.flatMap(({ start, end }) => [start - minutesOfDay, end - minutesOfDay]),
  ];
}
