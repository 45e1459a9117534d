import { useId } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import type { Weekday } from '#contract/limits.ts';
import { type Locale, locales } from '#contract/locales.ts';
import { hoursOn } from '#contract/rules/opening-hours.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { Choice, ChoiceGroup } from '#ui/choices.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { comingDays, type Day, leadingBlanks, weekFrom, weekStartIn } from './calendar.ts';

/** Short enough for seven of them on a phone. */
const dayClass =
  'choice-face choice-day relative flex min-h-11.5 flex-col items-center justify-center rounded-md py-1 leading-tight tabular-nums';

export interface PickupDayProps {
  store: PickupLocation;
  /** YYYY-MM-DD, or '' for none. */
  value: string;
  onChange: (date: string) => void;
}

/** The coming 30 days as a calendar of radio buttons; days on which the store is closed are disabled. */
export function PickupDay({ store, value, onChange }: PickupDayProps) {
  const t = useT();
  const locale = useLocale();
  const name = useId();
  const days = comingDays(Date.now(), store.timeZone);
  const weekStart = weekStartIn(locales[locale].tag);
  const words = dayWords(locale);
  const [first] = days;
  return (
    <ChoiceGroup legend={t('checkout.time.date')} listClass="grid grid-cols-7 gap-1 max-w-md">
      {weekFrom(weekStart).map((weekday) => (
        <span key={weekday} aria-hidden className="py-1 text-center text-ink-soft text-sm">
          {words.weekday(weekday)}
        </span>
      ))}
      {first && leadingBlanks(first, weekStart) > 0 && <span style={{ gridColumn: `span ${leadingBlanks(first, weekStart)}` }} />}
      {days.map((day, index) => {
        const open = hoursOn(store, day.date) !== null;
        const full = words.full(day);
        return (
          <Choice
            key={day.date}
            name={name}
            value={day.date}
            chosen={value}
            disabled={!open}
            label={open ? full : t('checkout.time.dayClosed', { day: full })}
            onChange={onChange}
          >
            <span className={dayClass}>
              {(index === 0 || day.day === 1) && <span className="text-[0.75rem] leading-none">{words.month(day)}</span>}
              <span className={open ? undefined : 'line-through'}>{day.day}</span>
            </span>
          </Choice>
        );
      })}
    </ChoiceGroup>
  );
}

/** Names of the weekdays in the language. */
function dayWords(locale: Locale) {
  const format = (options: Intl.DateTimeFormatOptions) => dateFormat(locale, { ...options, timeZone: 'UTC' });
  const at = ({ year, month, day }: Day) => Date.UTC(year, month - 1, day);
  // 1 January 2024 was a Monday.
  const weekdayAt = (weekday: Weekday) => Date.UTC(2024, 0, 1 + weekFrom('monday').indexOf(weekday));
  const full = format({ weekday: 'long', month: 'long', day: 'numeric' });
  const month = format({ month: 'short' });
  const weekday = format({ weekday: 'short' });
  return {
    full: (day: Day) => full.format(at(day)),
    month: (day: Day) => month.format(at(day)),
    weekday: (name: Weekday) => weekday.format(weekdayAt(name)),
  };
}
