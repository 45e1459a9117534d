/** Joins the days of a week that have the same opening hours. */
import { type Weekday, weekdays } from '#contract/limits.ts';
import type { StoreHours } from '#contract/rules/opening-hours.ts';

type Hours = StoreHours['openingHours'][Weekday];

/** Consecutive days, at least one, in the order of the week. */
export interface HourRange {
  days: Weekday[];
  /** Null if the store is closed on these days. */
  hours: Hours;
}

/** The week from Monday, each range as long as possible. */
export function hourRanges(openingHours: StoreHours['openingHours']): HourRange[] {
  const ranges: HourRange[] = [];
  for (const day of weekdays) {
    const hours = openingHours[day];
    const last = ranges.at(-1);
    if (last && last.hours?.open === hours?.open && last.hours?.close === hours?.close) last.days.push(day);
    else ranges.push({ days: [day], hours });
  }
  return ranges;
}
