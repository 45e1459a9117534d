/** Wall clocks of time zones, by Temporal, so that changes to and from summer time come out right. */

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export interface WallClock {
  /** YYYY-MM-DD */
  date: string;
  /** Minutes since midnight as the clock shows them. */
  minutes: number;
  weekday: (typeof weekdays)[number];
}

export const dayMs = 24 * 60 * 60_000;

/** What a clock in the zone (IANA) shows at an instant (epoch ms). */
export function wallClock(at: number, timeZone: string): WallClock {
  const time = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  return {
    date: time.toPlainDate().toString(),
    minutes: time.hour * 60 + time.minute,
    weekday: weekdayOf(time.dayOfWeek),
  };
}

export function weekdayOfDate(date: string): WallClock['weekday'] {
  return weekdayOf(Temporal.PlainDate.from(date).dayOfWeek);
}

/** `dayOfWeek` is 1 for Monday to 7. */
function weekdayOf(dayOfWeek: number): WallClock['weekday'] {
  return weekdays[dayOfWeek - 1] ?? 'sunday';
}

/**
 * The instant (epoch ms) at which a clock in the zone shows `date` and `minutes`: the first of two if clocks
 * go back, null if they skip it.
 */
export function instantAt(date: string, minutes: number, timeZone: string): number | null {
  const wanted = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes });
  const instant = wanted.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  return instant.toPlainDateTime().equals(wanted) ? instant.epochMilliseconds : null;
}

/** Whether a text like 2026-02-30 names a day that exists. */
export function isCalendarDay(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}
