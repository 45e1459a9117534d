import { type Weekday, weekdays } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import { hoursText, type StoreHours, weekdayOn } from '#contract/rules/opening-hours.ts';
import { weekdayName } from '#contract/rules/store-status.ts';
import { cx } from '#ui/cx.ts';
import { formatCalendarDay } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';

interface HoursTableProps {
  label: string;
  store: StoreHours;
  /** YYYY-MM-DD, to highlight and to leave out special hours of the past; undefined while unknown. */
  today: string | undefined;
}

export function HoursTable({ label, store, today }: HoursTableProps) {
  const locale = useLocale();
  const special = store.specialHours.filter(({ date }) => today === undefined || date >= today);
  // Today's row is the special one if there is one.
  const weekday = today === undefined || special.some(({ date }) => date === today) ? undefined : weekdayOn(today);
  return (
    <table className="tabular-nums" aria-label={label}>
      <tbody>
        {hourRanges(store.openingHours).map(({ days, hours }) => (
          <Row
            key={days[0]}
            label={daysName(days, locale)}
            hours={hours}
            isToday={weekday !== undefined && days.includes(weekday)}
          />
        ))}
        {special.map(({ date, hours }) => (
          <Row key={date} label={formatCalendarDay(date, locale, 'day')} hours={hours} isToday={date === today} />
        ))}
      </tbody>
    </table>
  );
}

function daysName(days: readonly Weekday[], locale: Locale): string {
  const ends = days.length > 1 ? [days.at(0), days.at(-1)] : days;
  return ends.flatMap((day) => day && weekdayName(day, locale, 'short')).join('–');
}

function Row({ label, hours, isToday }: { label: string; hours: StoreHours['openingHours'][Weekday]; isToday: boolean }) {
  const t = useT();
  return (
    <tr aria-current={isToday ? 'date' : undefined}>
      <th scope="row" className={cx('pr-6 text-left', isToday ? 'font-semibold' : 'font-normal')}>
        {label}
      </th>
      <td className={cx(isToday && 'font-semibold', !hours && 'text-ink-soft')}>
        {hours ? hoursText(hours, t('ui.listSeparator')) : t('contact.closed')}
      </td>
    </tr>
  );
}

type Hours = StoreHours['openingHours'][Weekday];

/** Consecutive days, at least one, in the order of the week. */
interface HourRange {
  days: Weekday[];
  hours: Hours;
}

/** The week from Monday, each range as long as possible. */
export function hourRanges(openingHours: StoreHours['openingHours']): HourRange[] {
  const ranges: HourRange[] = [];
  for (const day of weekdays) {
    const hours = openingHours[day];
    const last = ranges.at(-1);
    if (last && hoursText(last.hours, ' ') === hoursText(hours, ' ')) last.days.push(day);
    else ranges.push({ days: [day], hours });
  }
  return ranges;
}
