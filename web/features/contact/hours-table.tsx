import { type Weekday, weekdays } from '#contract/limits.ts';
import { type Locale, locales } from '#contract/locales.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { cx } from '#web/ui/cx.ts';
import type { OpeningHours } from './store-status.ts';

/** A Monday. */
const monday = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;

/** The name of a weekday in a language. */
export function weekdayName(day: Weekday, locale: Locale): string {
  const at = monday + weekdays.indexOf(day) * dayMs;
  return new Intl.DateTimeFormat(locales[locale].tag, { weekday: 'long', timeZone: 'UTC' }).format(at);
}

export interface HoursTableProps {
  /** The accessible name of the table. */
  label: string;
  hours: OpeningHours;
  /** The highlighted day; undefined while unknown. */
  today: Weekday | undefined;
}

/** A store's opening hours for the week, in its time zone. */
export function HoursTable({ label, hours, today }: HoursTableProps) {
  const t = useT();
  const locale = useLocale();
  return (
    <table className="tabular-nums" aria-label={label}>
      <tbody>
        {weekdays.map((day) => {
          const of = hours[day];
          return (
            <tr key={day} aria-current={day === today ? 'date' : undefined}>
              <th scope="row" className={cx('pr-6 text-left', day === today ? 'font-semibold' : 'font-normal')}>
                {weekdayName(day, locale)}
              </th>
              <td className={cx(day === today && 'font-semibold', !of && 'text-ink-soft')}>
                {of ? `${of.open}–${of.close}` : t('contact.closed')}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
