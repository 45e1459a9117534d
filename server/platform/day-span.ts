/** Calendar days, and spans of them, as reports and records ask for them. */
import { longestRange } from '#contract/staff/takings.ts';
import { validationError } from './errors.ts';
import { isCalendarDay, momentAt } from './time-zone.ts';

/** @throws {AppError} REQUEST_VALIDATION_ERROR at the field of a day that does not exist */
export function requireDays(days: Readonly<Record<string, string>>): void {
  for (const [field, day] of Object.entries(days))
    if (!isCalendarDay(day)) throw validationError({ [field]: 'office.takings.noDay' });
}

/**
 * Either end may be open. `within`: of the fields, such as `days.`.
 * @throws {AppError} REQUEST_VALIDATION_ERROR at the field of a day that does not exist, or of a last day before the first
 */
export function requireRange(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  within = '',
): void {
  requireDays({
    ...(from === undefined ? {} : { [`${within}from`]: from }),
    ...(to === undefined ? {} : { [`${within}to`]: to }),
  });
  if (from !== undefined && to !== undefined && to < from)
    throw validationError({ [`${within}to`]: 'office.takings.endsBefore' });
}

/** @throws {AppError} REQUEST_VALIDATION_ERROR for days that do not exist, are no range, or are more than `most` */
export function daysOf(from: string, to: string, timeZone: string, most = longestRange) {
  requireRange({ from, to });
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)];
  const days = first.until(last).days + 1;
  if (days > most) throw validationError({ to: { key: 'office.takings.tooLong', values: { days: most } } });
  return { days, first, last, startOf: (day: Temporal.PlainDate) => momentAt(day.toString(), 0, timeZone) };
}

/** The days of a range as a span of time, epoch ms: `from` included, `to` not. @throws as `daysOf` */
export function spanOf(
  from: string,
  to: string,
  timeZone: string,
  most = longestRange,
): { from: number; to: number } {
  const { first, last, startOf } = daysOf(from, to, timeZone, most);
  return { from: startOf(first), to: startOf(last.add({ days: 1 })) };
}
