import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hoursOn } from '#contract/rules/opening-hours.ts';
import type { PickupSlots } from '#contract/schemas/checkout.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Skeleton } from '#ui/layout.tsx';
import { useApi } from '#web/lib/api.ts';
import { OptionChips } from '#web/ui/option-chips.tsx';
import { comingDays } from './calendar.ts';
import { PickupTime, type PickupTimeProps } from './pickup-time.tsx';
import { pickupSlotsQuery } from './queries.ts';

/** How many open days are asked for times to suggest. */
const daysAsked = 3;

/** A few pickup times to choose from, the earliest chosen; "Another time" opens the calendar. */
export function PickupChoice(props: PickupTimeProps) {
  const { store, value, error, onChange } = props;
  const t = useT();
  const [opened, setOpened] = useState(false);
  const suggestions = useSuggestions(store);
  const chosen = suggestions?.find(
    ({ date, slot }) =>
      date === value.pickupDay && String(slot.hour) === value.pickupHour && String(slot.minute) === value.pickupMinute,
  );
  const timed = value.pickupDay !== '' && value.pickupHour !== '' && value.pickupMinute !== '';
  const earliest = suggestions?.[0];
  useEffect(() => {
    if (!timed && !opened && earliest) onChange(timeOf(earliest));
  });
  if (!suggestions) {
    return (
      <div role="status" aria-label={t('checkout.time.loading')}>
        <Skeleton className="h-11.5 rounded-full" />
      </div>
    );
  }
  const other = opened || suggestions.length === 0 || (timed && !chosen);
  return (
    <div className="flex flex-col gap-5">
      {suggestions.length > 0 && (
        <Suggestions
          store={store}
          suggestions={suggestions}
          chosen={other ? 'other' : chosen ? keyOf(chosen) : null}
          error={other ? undefined : error}
          onChoose={(key) => {
            const found = suggestions.find((suggestion) => keyOf(suggestion) === key);
            setOpened(found === undefined);
            if (found) onChange(timeOf(found));
          }}
        />
      )}
      {other && <PickupTime {...props} />}
    </div>
  );
}

interface SuggestionsProps {
  store: PickupLocation;
  suggestions: PickupSuggestion[];
  /** The key of a suggestion, 'other', or null. */
  chosen: string | null;
  error: string | undefined;
  onChoose: (key: string) => void;
}

function Suggestions({ store, suggestions, chosen, error, onChoose }: SuggestionsProps) {
  const t = useT();
  const locale = useLocale();
  const [today, tomorrow] = comingDays(Date.now(), store.timeZone, 2);
  const label = ({ date, slot: { at } }: PickupSuggestion) => {
    const time = formatDate(at, locale, store.timeZone, 'time');
    if (date === today?.date) return t('checkout.time.today', { time });
    if (date === tomorrow?.date) return t('checkout.time.tomorrow', { time });
    return formatDate(at, locale, store.timeZone, 'shortDayTime');
  };
  return (
    <OptionChips
      legend={t('checkout.time.title')}
      hideLegend
      error={error}
      value={chosen}
      onChange={onChoose}
      options={[
        ...suggestions.map((suggestion) => ({ value: keyOf(suggestion), label: label(suggestion) })),
        { value: 'other', label: t('checkout.time.another') },
      ]}
    />
  );
}

const keyOf = ({ slot }: PickupSuggestion) => String(slot.at);

function timeOf({ date, slot }: PickupSuggestion) {
  return { pickupDay: date, pickupHour: String(slot.hour), pickupMinute: String(slot.minute) };
}

/** The times to suggest at a store; undefined while they load. None if they fail to load: the calendar says why. */
function useSuggestions(store: PickupLocation): PickupSuggestion[] | undefined {
  const api = useApi();
  const days = comingDays(Date.now(), store.timeZone)
    .filter(({ date }) => hoursOn(store, date) !== null)
    .slice(0, daysAsked);
  const queries = useQueries({ queries: days.map(({ date }) => pickupSlotsQuery(api, store.localStoreName, date)) });
  if (queries.some(({ isPending }) => isPending)) return undefined;
  return pickupSuggestions(queries.flatMap(({ data }) => data ?? []));
}

type Slot = PickupSlots['slots'][number];

interface PickupSuggestion {
  date: string;
  slot: Slot;
}

const hourMs = 3_600_000;

/**
 * At most three: the earliest time, the first at least an hour later on that day, and the first of the next day with a free
 * time. `days` are in the order of the calendar.
 */
export function pickupSuggestions(days: readonly Pick<PickupSlots, 'date' | 'slots'>[]): PickupSuggestion[] {
  const free = days.flatMap(({ date, slots }) => {
    const open = slots.filter(({ available }) => available);
    return open.length > 0 ? [{ date, open }] : [];
  });
  const [first, next] = free;
  const earliest = first?.open[0];
  if (!first || !earliest) return [];
  const later = first.open.find(({ at }) => at >= earliest.at + hourMs);
  const nextDay = next?.open[0];
  return [
    { date: first.date, slot: earliest },
    ...(later ? [{ date: first.date, slot: later }] : []),
    ...(next && nextDay ? [{ date: next.date, slot: nextDay }] : []),
  ];
}
