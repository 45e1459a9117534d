/** Converts between instants and wall-clock time in time zones, with Temporal, so that daylight saving changes are handled. */

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export interface WallClock {
  /** YYYY-MM-DD */
  date: string;
  /** Minutes since midnight on the wall clock. */
  minutes: number;
  weekday: (typeof weekdays)[number];
}

/** The wall-clock time in an IANA time zone at an instant (epoch ms). */
export function wallClock(at: number, timeZone: string): WallClock {
  const time = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  return {
    date: time.toPlainDate().toString(),
    minutes: time.hour * 60 + time.minute,
    weekday: weekdayOf(time.dayOfWeek),
  };
}

/** `dayOfWeek` is 1 for Monday to 7 for Sunday. */
function weekdayOf(dayOfWeek: number): WallClock['weekday'] {
  return weekdays[dayOfWeek - 1] ?? 'sunday';
}

/**
 * The instant (epoch ms) at which clocks in the zone show `date` and `minutes`: the first of two when clocks go back, null if
 * clocks skip that time.
 */
export function instantAt(date: string, minutes: number, timeZone: string): number | null {
  const wanted = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes });
  const instant = wanted.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  return instant.toPlainDateTime().equals(wanted) ? instant.epochMilliseconds : null;
}

/**
 * Like `instantAt`, for a time that clocks skip too: then the moment at which they skip it. `minutes` may exceed a day.
 */
export function momentAt(date: string, minutes: number, timeZone: string): number {
  const wanted = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes });
  const time = wanted.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (time.toPlainDateTime().equals(wanted)) return time.epochMilliseconds;
  return time.getTimeZoneTransition('next')?.epochMilliseconds ?? time.epochMilliseconds;
}

/** Whether a text such as 2026-02-30 names a day that exists. */
export function isCalendarDay(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}

/** A time as ISO 8601 to the minute, on the clock of a zone: `2026-05-16T10:00-04:00`. */
export function isoTime(at: number, timeZone: string): string {
  const time = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  return time.toString({ smallestUnit: 'minute', timeZoneName: 'never' });
}

/** The forms of ISO 8601 that a merchant may write: a day, or a day and a time, with or without a zone. */
const isoForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * The instant (epoch ms) that a text in ISO 8601 names. Without a zone it is local time in `timeZone`, and a day alone is its
 * first moment. A time that clocks skip is as much later as they skip; of a time that they repeat, the first is meant.
 * @throws {RangeError} if the text is anything else, or names a day or time that does not exist
 */
export function instantOf(text: string, timeZone: string): number {
  const match = isoForm.exec(text);
  if (!match) throw new RangeError(`Not a time in ISO 8601: ${text}`);
  if (match[1] !== undefined) return Temporal.Instant.from(text).epochMilliseconds;
  return Temporal.PlainDateTime.from(text, { overflow: 'reject' }).toZonedDateTime(timeZone).epochMilliseconds;
}

/** Whether `instantOf` can read the text. */
export function isInstant(text: string): boolean {
  try {
    instantOf(text, 'UTC');
    return true;
  } catch {
    return false;
  }
}
