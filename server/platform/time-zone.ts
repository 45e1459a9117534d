/** Wall clocks of time zones, by Intl, so that changes to and from summer time come out right. */

export interface WallClock {
  /** YYYY-MM-DD */
  date: string;
  /** Minutes since midnight as the clock shows them. */
  minutes: number;
  weekday: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';
}

const minuteMs = 60_000;
export const dayMs = 24 * 60 * minuteMs;
const weekdayOf = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** What a clock in the zone shows at a moment (epoch ms). */
export function wallClock(at: number, timeZone: string): WallClock {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(at)) parts[type] = value;
  const date = `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`;
  return { date, minutes: Number(parts.hour) * 60 + Number(parts.minute), weekday: weekdayOfDate(date) };
}

export function weekdayOfDate(date: string): WallClock['weekday'] {
  return weekdayOf[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? 'sunday';
}

/**
 * The moment at which a clock in the zone shows `date` and `minutes`; the first of the two where
 * clocks go back, null where they skip it.
 */
export function instantAt(date: string, minutes: number, timeZone: string): number | null {
  const asIfUtc = Date.parse(`${date}T00:00:00Z`) + minutes * minuteMs;
  // The offsets a day before and after are the only ones the zone can have at this time.
  const offsets = [asIfUtc - dayMs, asIfUtc + dayMs].map((at) => offsetAt(at, timeZone));
  const candidates = [...new Set(offsets)].map((offset) => asIfUtc - offset).sort((a, b) => a - b);
  return candidates.find((at) => at + offsetAt(at, timeZone) === asIfUtc) ?? null;
}

/** How far the zone's clocks are ahead of UTC at a moment, ms. */
function offsetAt(at: number, timeZone: string): number {
  const { date, minutes } = wallClock(at, timeZone);
  return Date.parse(`${date}T00:00:00Z`) + minutes * minuteMs - Math.floor(at / minuteMs) * minuteMs;
}

/** Whether a text like 2026-02-30 names a day there is. */
export function isCalendarDay(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}
