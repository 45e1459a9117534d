import { useEffect, useState } from 'react';
import { weekdayName } from '#contract/formatters.ts';
import { type Weekday, weekdays } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import { hoursText, type StoreHours, weekdayOn } from '#contract/rules/opening-hours.ts';
import type { StoreClock } from '#contract/rules/store-status.ts';
import { cx } from '#ui/cx.ts';
import { formatCalendarDay } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';

const minuteMs = 60_000;

/** Epoch ms, every minute. Null until hydration: the server's HTML is cached and must be true at any time. */
export function useNow(): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const look = () => setNow(Date.now());
    look();
    const timer = setInterval(look, minuteMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return now;
}

export function storeClock(at: number, timeZone: string): StoreClock {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((candidate) => candidate.type === type)?.value ?? '';
  const date = `${part('year')}-${part('month')}-${part('day')}`;
  return { date, minutes: Number(part('hour')) * 60 + Number(part('minute')) };
}

interface HoursTableProps {
  label: string;
  store: StoreHours;
  /** YYYY-MM-DD, to highlight and to leave out special hours of the past; undefined while unknown. */
  today: string | undefined;
}

/** The hours of a week, and the special ones that are to come. */
export function HoursTable({ label, store, today }: HoursTableProps) {
  const locale = useLocale();
  const special = store.specialHours.filter(({ date }) => today === undefined || date >= today);
  // Today's row is the special one if there is one.
  const weekday =
    today === undefined || special.some(({ date }) => date === today) ? undefined : weekdayOn(today);
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
          <Row
            key={date}
            label={formatCalendarDay(date, locale, 'day')}
            hours={hours}
            isToday={date === today}
          />
        ))}
      </tbody>
    </table>
  );
}

function daysName(days: readonly Weekday[], locale: Locale): string {
  const ends = days.length > 1 ? [days.at(0), days.at(-1)] : days;
  return ends.flatMap((day) => day && weekdayName(day, locale, 'short')).join('–');
}

function Row({
  label,
  hours,
  isToday,
}: {
  label: string;
  hours: StoreHours['openingHours'][Weekday];
  isToday: boolean;
}) {
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
