/** Determines whether a store is open now, and until when that answer is true. */
import type { Locale } from '#contract/locales.ts';
import { addDays, hoursOn, spansOf } from '#contract/rules/opening-hours.ts';
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
  const spans = spansOf(hoursOn(store, date));
  const night = spansOf(hoursOn(store, addDays(date, -1)));
  return [
    ...spans.flatMap(({ start, end }) => [start, end]),
    ...night.flatMap(({ start, end }) => [start - minutesOfDay, end - minutesOfDay]),
  ];
}
