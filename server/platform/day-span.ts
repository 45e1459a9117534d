/** Spans of calendar days, as reports ask for them. */
import { longestRange } from '#contract/staff/takings.ts';
import { validationError } from './errors.ts';
import { isCalendarDay } from './time-zone.ts';

/** @throws {AppError} REQUEST_VALIDATION_ERROR for days that do not exist or are no range */
export function daysOf(from: string, to: string, timeZone: string) {
  for (const [field, day] of Object.entries({ from, to }))
    if (!isCalendarDay(day)) throw validationError({ [field]: 'office.takings.noDay' });
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)];
  const days = first.until(last).days + 1;
  if (days < 1) throw validationError({ to: 'office.takings.endsBefore' });
  if (days > longestRange) throw validationError({ to: { key: 'office.takings.tooLong', values: { days: longestRange } } });
  return { days, first, last, startOf: (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds };
}

/** The days of a range as a span of time, epoch ms: `from` included, `to` not. @throws as `daysOf` */
export function spanOf(from: string, to: string, timeZone: string): { from: number; to: number } {
  const { first, last, startOf } = daysOf(from, to, timeZone);
  return { from: startOf(first), to: startOf(last.add({ days: 1 })) };
}
