export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** By Temporal, so that daylight saving changes are handled. */

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

interface WallClock {
  date: string;
  minutes: number;
  weekday: (typeof weekdays)[number];
}

export function wallClock(at: number, timeZone: string): WallClock {
  const time = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  return {
    date: time.toPlainDate().toString(),
    minutes: time.hour * 60 + time.minute,
    weekday: weekdayOf(time.dayOfWeek),
  };
}

function weekdayOf(dayOfWeek: number): WallClock['weekday'] {
  return weekdays[dayOfWeek - 1] ?? 'sunday';
}

/** The first of two when clocks go back, null if clocks skip that time. */
export function instantAt(date: string, minutes: number, timeZone: string): number | null {
  const wanted = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes });
  const instant = wanted.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  return instant.toPlainDateTime().equals(wanted) ? instant.epochMilliseconds : null;
}

/** Of a time that clocks skip, the moment at which they skip it. `minutes` may exceed a day. */
export function momentAt(date: string, minutes: number, timeZone: string): number {
  const wanted = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes });
  const time = wanted.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (time.toPlainDateTime().equals(wanted)) return time.epochMilliseconds;
  return time.getTimeZoneTransition('next')?.epochMilliseconds ?? time.epochMilliseconds;
}

/** 2026-02-30 is none. */
export function isCalendarDay(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}

/** To the minute: `2026-05-16T10:00-04:00`. */
export function isoTime(at: number, timeZone: string): string {
  const time = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  return time.toString({ smallestUnit: 'minute', timeZoneName: 'never' });
}

/** A day, or a day and a time, with or without a zone. */
const isoForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Without a zone it is local time in `timeZone`, and a day alone is its first moment. A time that clocks skip is as much later as
 * they skip; of a time that they repeat, the first is meant. @throws {RangeError} for anything else, or a day or time that does
 * not exist
 */
export function instantOf(text: string, timeZone: string): number {
  const match = isoForm.exec(text);
  if (!match) throw new RangeError(`Not a time in ISO 8601: ${text}`);
  if (match[1] !== undefined) return Temporal.Instant.from(text).epochMilliseconds;
  return Temporal.PlainDateTime.from(text, { overflow: 'reject' }).toZonedDateTime(timeZone)
    .epochMilliseconds;
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
