/** The day and time of a pickup, in the store's time zone. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import { limits, type Weekday, weekdays } from '#contract/limits.ts';
import { type Locale, locales } from '#contract/locales.ts';
import { hoursOn, hoursText } from '#contract/rules/opening-hours.ts';
import type { PickupSlots, SlotReason } from '#contract/schemas/checkout.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { Button } from '#ui/button.tsx';
import { Choice, ChoiceGroup, legendClass } from '#ui/choices.tsx';
import { cx } from '#ui/cx.ts';
import { FieldError, fieldHintClass } from '#ui/field.tsx';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { SelectControl } from '#ui/inputs.tsx';
import { calendarIcon } from '#ui/page-icons.ts';
import { useApi } from '#web/lib/api.ts';
import type { Draft } from './draft.ts';
import { pickupSlotsQuery } from './queries.ts';
import { chosenSlot } from './validate.ts';

interface Day {
  /** YYYY-MM-DD. */
  date: string;
  year: number;
  /** 1–12. */
  month: number;
  day: number;
  weekday: Weekday;
}

/** The number of days ahead that pickup can be chosen. */
const daysAhead = 30;

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The date at `now` (epoch ms) in the store's time zone. */
export function today(now: number, timeZone: string): Day {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).formatToParts(now);
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value);
  return dayOf(part('year'), part('month'), part('day'));
}

export function comingDays(now: number, timeZone: string, count = daysAhead): Day[] {
  const days: Day[] = [];
  for (let next = today(now, timeZone); days.length < count; next = after(next)) days.push(next);
  return days;
}

/** The number of days before `first` in its week, for the first row of a calendar whose weeks begin on `weekStart`. */
export function leadingBlanks(first: Day, weekStart: Weekday): number {
  return (weekdays.indexOf(first.weekday) - weekdays.indexOf(weekStart) + 7) % 7;
}

/** The first day of the week for a language (its BCP 47 tag): Sunday in Canada, Monday in China. */
function weekStartIn(tag: string): Weekday {
  // TypeScript has no type for it yet, and not every browser supports it.
  const locale: Intl.Locale & { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(tag);
  const { firstDay } = locale.getWeekInfo?.() ?? { firstDay: 7 };
  return weekdays[(firstDay - 1) % 7] ?? 'sunday';
}

export function weekFrom(weekStart: Weekday): Weekday[] {
  const from = weekdays.indexOf(weekStart);
  return [...weekdays.slice(from), ...weekdays.slice(0, from)];
}

function after({ year, month, day }: Day): Day {
  if (day < daysInMonth(year, month)) return dayOf(year, month, day + 1);
  return month < 12 ? dayOf(year, month + 1, 1) : dayOf(year + 1, 1, 1);
}

function dayOf(year: number, month: number, day: number): Day {
  // getUTCDay counts from Sunday, the shop's weekdays from Monday.
  const index = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
  const pad = (value: number) => String(value).padStart(2, '0');
  return {
    date: `${year}-${pad(month)}-${pad(day)}`,
    year,
    month,
    day,
    weekday: weekdays[index] ?? 'monday',
  };
}

/** Hours 0–23 and minutes in steps of five (SPEC §9); each unavailable one has a reason. */
interface TimeOption {
  value: number;
  /** Why it cannot be chosen; null if it can. */
  reason: SlotReason | null;
}

type Slot = PickupSlots['slots'][number];

/** If an hour has several reasons, the most informative one. */
const telling: SlotReason[] = ['tooMany', 'full', 'notServed', 'tooSoon', 'past', 'tooFar', 'closed'];

export function hourOptions(slots: readonly Slot[]): TimeOption[] {
  return Array.from({ length: 24 }, (_, hour) => ({
    value: hour,
    reason: reasonOf(slots.filter((slot) => slot.hour === hour)),
  }));
}

export function minuteOptions(slots: readonly Slot[], hour: number): TimeOption[] {
  return Array.from({ length: 60 / limits.pickupMinuteStep }, (_, step) => {
    const minute = step * limits.pickupMinuteStep;
    return {
      value: minute,
      reason: reasonOf(slots.filter((slot) => slot.hour === hour && slot.minute === minute)),
    };
  });
}

/** No slots at all means that the store is closed. */
function reasonOf(slots: readonly Slot[]): SlotReason | null {
  if (slots.some(({ available }) => available)) return null;
  return telling.find((reason) => slots.some((slot) => slot.reason === reason)) ?? 'closed';
}

export function earliestSlot(slots: readonly Slot[]): Slot | undefined {
  return slots.find(({ available }) => available);
}

type Time = Pick<Draft['choices'], 'pickupDay' | 'pickupHour' | 'pickupMinute'>;

/** The wall clock's date and time in a form that sorts: '2026-11-29 14:30'. */
const sortableText = (date: string, hour: number, minute: number) =>
  `${date} ${[hour, minute].map((part) => String(part).padStart(2, '0')).join(':')}`;

/** Whether a chosen time is over at `now` (epoch ms) in the store's time zone. False if none is chosen. */
export function hasPassed(
  { pickupDay, pickupHour, pickupMinute }: Time,
  now: number,
  timeZone: string,
): boolean {
  if (pickupDay === '' || pickupHour === '' || pickupMinute === '') return false;
  const clock = new Intl.DateTimeFormat('en', {
    timeZone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: string) => Number(clock.find((found) => found.type === type)?.value);
  const chosen = sortableText(pickupDay, Number(pickupHour), Number(pickupMinute));
  return chosen < sortableText(today(now, timeZone).date, part('hour'), part('minute'));
}

/** A chosen time as it was shown. */
export function chosenText({ pickupDay, pickupHour, pickupMinute }: Time, locale: Locale): string {
  const at = Date.parse(`${pickupDay}T00:00:00Z`) + (Number(pickupHour) * 60 + Number(pickupMinute)) * 60_000;
  return formatDate(at, locale, 'UTC', 'dayTime');
}

export interface PickupTimeProps {
  store: PickupLocation;
  value: Time;
  error: string | undefined;
  onChange: (changes: Partial<Time>) => void;
}

/** The choice of the pickup time: a day, then an hour and minutes. Starts at the first day with a free time. */
export function PickupTime({ store, value, error, onChange }: PickupTimeProps) {
  const t = useT();
  const { day, slots, failed, retry } = useSlots(store, value.pickupDay, (pickupDay) =>
    onChange({ pickupDay }),
  );
  return (
    <div className="flex flex-col gap-5">
      <PickupDay store={store} value={day} onChange={(pickupDay) => onChange({ pickupDay })} />
      {failed ? (
        <p role="alert" className="text-clay">
          {t('checkout.time.failed')}{' '}
          <Button label={t('cart.error.retry')} variant="quiet" size="small" onClick={retry} />
        </p>
      ) : (
        <TimeOfDay store={store} slots={slots} value={value} error={error} onChange={onChange} />
      )}
    </div>
  );
}

/** The times of the chosen day; without one, of the first open day that has a free time. */
function useSlots(store: PickupLocation, chosen: string, choose: (date: string) => void) {
  const api = useApi();
  const [skipped, setSkipped] = useState(0);
  const openDays = comingDays(Date.now(), store.timeZone).filter(({ date }) => hoursOn(store, date) !== null);
  const valid = openDays.some(({ date }) => date === chosen);
  const day = valid ? chosen : (openDays[skipped]?.date ?? '');
  const query = useQuery(pickupSlotsQuery(api, store.localStoreName, day));
  const slots = query.data;
  useEffect(() => {
    if (valid || !slots) return;
    if (earliestSlot(slots.slots)) choose(slots.date);
    else setSkipped((days) => days + 1);
  });
  return { day, slots, failed: query.isError, retry: () => void query.refetch() };
}

interface TimeOfDayProps extends PickupTimeProps {
  slots: PickupSlots | undefined;
}

function TimeOfDay({ store, slots, value, error, onChange }: TimeOfDayProps) {
  const t = useT();
  const id = useId();
  const all = slots?.slots ?? [];
  const earliest = earliestSlot(all);
  const slot = chosenSlot(value, slots);
  const hour = value.pickupHour === '' ? null : Number(value.pickupHour);
  const chooseHour = (pickupHour: string) => {
    const free = all.filter((found) => found.available && String(found.hour) === pickupHour);
    // The chosen minutes stay if they are free in this hour too; otherwise the first free ones.
    const minute = free.find((found) => String(found.minute) === value.pickupMinute) ?? free[0];
    onChange({ pickupHour, pickupMinute: minute ? String(minute.minute) : '' });
  };
  const describedBy = error ? `${id}-hint ${id}-error` : `${id}-hint`;
  return (
    <fieldset className="min-w-0" aria-busy={!slots}>
      <legend className={legendClass}>{t('checkout.time.time')}</legend>
      <p id={`${id}-hint`} className={cx(fieldHintClass, 'mb-3')}>
        {!slots
          ? t('checkout.time.loading')
          : slots.hours
            ? t('checkout.time.open', { hours: hoursText(slots.hours, t('ui.listSeparator')) })
            : t('checkout.time.closedDay')}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <TimeSelect
          label={t('checkout.time.hour')}
          value={value.pickupHour}
          options={hourOptions(all)}
          invalid={error !== undefined}
          describedBy={describedBy}
          onChange={chooseHour}
        />
        <span aria-hidden>:</span>
        <TimeSelect
          label={t('checkout.time.minute')}
          value={value.pickupMinute}
          options={minuteOptions(all, hour ?? earliest?.hour ?? 0)}
          invalid={error !== undefined}
          describedBy={describedBy}
          onChange={(pickupMinute) => onChange({ pickupMinute })}
        />
      </div>
      <FieldError id={`${id}-error`} className="mt-2.5">
        {error}
      </FieldError>
      <div className="mt-2 flex min-h-12 flex-wrap items-center gap-x-4">
        <ChosenTime {...{ slot, earliest, timeZone: store.timeZone, onChange }} />
        {slots?.hours && !earliest && !error && (
          <p className="text-ink-soft text-sm">{t('checkout.time.noneLeft')}</p>
        )}
      </div>
    </fieldset>
  );
}

interface ChosenTimeProps extends Pick<PickupTimeProps, 'onChange'> {
  slot: Slot | undefined;
  earliest: Slot | undefined;
  timeZone: string;
}

function ChosenTime({ slot, earliest, timeZone, onChange }: ChosenTimeProps) {
  const t = useT();
  const locale = useLocale();
  const take = ({ hour, minute }: Slot) =>
    onChange({ pickupHour: String(hour), pickupMinute: String(minute) });
  return (
    <>
      <p role="status" className={slot?.available ? 'flex items-center gap-2' : 'sr-only'}>
        {slot?.available && (
          <>
            <Icon name={calendarIcon} size={20} className="text-action" />
            {t('checkout.time.chosen', { when: formatDate(slot.at, locale, timeZone, 'dayTime') })}
          </>
        )}
      </p>
      {earliest && slot?.at !== earliest.at && (
        <Button variant="quiet" className="-ml-2" onClick={() => take(earliest)}>
          {t('checkout.time.earliest', { time: formatDate(earliest.at, locale, timeZone, 'time') })}
        </Button>
      )}
    </>
  );
}

interface TimeSelectProps {
  label: string;
  value: string;
  options: TimeOption[];
  invalid: boolean;
  describedBy: string;
  onChange: (value: string) => void;
}

function TimeSelect({ label, value, options, invalid, describedBy, onChange }: TimeSelectProps) {
  const t = useT();
  const pad = (number: number) => String(number).padStart(2, '0');
  return (
    <SelectControl
      className="w-32 tabular-nums"
      aria-label={label}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{label}</option>
      {options.map(({ value: number, reason }) => (
        <option key={number} value={number} disabled={reason !== null}>
          {reason ? `${pad(number)} · ${t(`checkout.time.reason.${reason}`)}` : pad(number)}
        </option>
      ))}
    </SelectControl>
  );
}

/** Short enough for seven of them on a phone. */
const dayClass =
  'choice-face choice-day relative flex min-h-11.5 flex-col items-center justify-center rounded-md py-1 leading-tight tabular-nums';

interface PickupDayProps {
  store: PickupLocation;
  /** YYYY-MM-DD, or '' for none. */
  value: string;
  onChange: (date: string) => void;
}

/** The coming 30 days as a calendar of radio buttons; days on which the store is closed are disabled. */
function PickupDay({ store, value, onChange }: PickupDayProps) {
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
      {first && leadingBlanks(first, weekStart) > 0 && (
        <span style={{ gridColumn: `span ${leadingBlanks(first, weekStart)}` }} />
      )}
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
              {(index === 0 || day.day === 1) && (
                <span className="text-[0.75rem] leading-none">{words.month(day)}</span>
              )}
              <span className={open ? undefined : 'line-through'}>{day.day}</span>
            </span>
          </Choice>
        );
      })}
    </ChoiceGroup>
  );
}

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
