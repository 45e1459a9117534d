import { dateFormat, numberFormat } from '#contract/formatters.ts';
import type { Locale } from '#contract/locales.ts';

export { formatMoney, formatPriceLimit, formatTotal } from '#contract/formatters.ts';

export function formatNumber(value: number, locale: Locale): string {
  return numberFormat(locale).format(value);
}

type DateStyle = 'date' | 'shortDate' | 'dateTime' | 'day' | 'time' | 'dayTime' | 'shortDayTime';

/** The 24-hour clock in every language, as for opening hours and the pickup hours 0–23 (SPEC §9). */
const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

const dateOptions: Record<DateStyle, Intl.DateTimeFormatOptions> = {
  date: { year: 'numeric', month: 'long', day: 'numeric' },
  dateTime: { year: 'numeric', month: 'long', day: 'numeric', ...clock },
  shortDate: { month: 'short', day: 'numeric' },
  day: { weekday: 'long', month: 'long', day: 'numeric' },
  time: clock,
  shortDayTime: { weekday: 'short', ...clock },
  dayTime: { weekday: 'long', month: 'long', day: 'numeric', ...clock },
};

/** Formats an instant (epoch ms) in `timeZone`, which is required: the server's own zone means nothing to a customer. */
export function formatDate(at: number, locale: Locale, timeZone: string, style: DateStyle = 'day'): string {
  return dateFormat(locale, { ...dateOptions[style], timeZone }).format(at);
}

/**
 * Formats a day of the calendar (YYYY-MM-DD), which is the same day in every time zone: by default "Nov 26". Text that is no day, which
 * somebody may have written into an address, stays as it is.
 */
export function formatCalendarDay(date: string, locale: Locale, style: DateStyle = 'shortDate'): string {
  // The day is read as midnight UTC, so it is written in UTC too.
  const at = Date.parse(date);
  return Number.isNaN(at) ? date : formatDate(at, locale, 'UTC', style);
}
