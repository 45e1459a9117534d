import { type Weekday, weekdays } from '#contract/limits.ts';
import { type StoreHours, weekdayOn } from '#contract/rules/opening-hours.ts';
import { weekdayName } from '#contract/rules/store-status.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { formatDate } from '#web/lib/format.ts';
import { cx } from '#web/ui/cx.ts';

export interface HoursTableProps {
  /** The accessible name of the table. */
  label: string;
  store: StoreHours;
  /** YYYY-MM-DD, to highlight and to leave out special hours of the past; undefined while unknown. */
  today: string | undefined;
}

/** A store's opening hours for the week and on special dates, in its time zone. */
export function HoursTable({ label, store, today }: HoursTableProps) {
  const locale = useLocale();
  const special = store.specialHours.filter(({ date }) => today === undefined || date >= today);
  // Today's row is the special one if there is one.
  const weekday = today === undefined || special.some(({ date }) => date === today) ? undefined : weekdayOn(today);
  return (
    <table className="tabular-nums" aria-label={label}>
      <tbody>
        {weekdays.map((day) => (
          <Row key={day} label={weekdayName(day, locale)} hours={store.openingHours[day]} isToday={day === weekday} />
        ))}
        {special.map(({ date, hours }) => (
          <Row key={date} label={formatDate(Date.parse(date), locale, 'UTC')} hours={hours} isToday={date === today} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ label, hours, isToday }: { label: string; hours: StoreHours['openingHours'][Weekday]; isToday: boolean }) {
  const t = useT();
  return (
    <tr aria-current={isToday ? 'date' : undefined}>
      <th scope="row" className={cx('pr-6 text-left', isToday ? 'font-semibold' : 'font-normal')}>
        {label}
      </th>
      <td className={cx(isToday && 'font-semibold', !hours && 'text-ink-soft')}>
        {hours ? `${hours.open}–${hours.close}` : t('contact.closed')}
      </td>
    </tr>
  );
}
