/** Determines whether a store is open now, and until when that answer is true. */
import type { Locale } from '#contract/locales.ts';
import { addDays, closesNextDay, hoursOn, minutesOf } from '#contract/rules/opening-hours.ts';
import { statusText, storeStatus } from '#contract/rules/store-status.ts';
import { translate } from '#server/platform/i18n.ts';
import { momentAt, wallClock } from '#server/platform/time-zone.ts';
import type { OpenStore } from './open-hours.ts';

export interface StatusNow {
  isOpen: boolean;
  /** 'Open until 19:00' */
  text: string;
  /** Epoch ms: the store opens or closes, or its day ends. */
  until: number;
}

const minutesOfDay = 24 * 60;

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
  const today = hoursOn(store, date);
  const yesterday = hoursOn(store, addDays(date, -1));
  return [
    ...(today ? [minutesOf(today.open), minutesOf(today.close)] : []),
    ...(yesterday && closesNextDay(yesterday) ? [minutesOf(yesterday.close)] : []),
  ].filter((minutes) => !Number.isNaN(minutes));
}
