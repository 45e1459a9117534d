import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import { chosenStore, pickupStores } from '#contract/rules/method.ts';
import { hoursOn, hoursText } from '#contract/rules/opening-hours.ts';
import type { CheckoutConfig, PickupSlots } from '#contract/schemas/checkout.ts';
import type { LineItem } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import type { FieldTexts } from '#ui/errors.ts';
import { FieldError } from '#ui/field.tsx';
import { FormSection } from '#ui/form.tsx';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Skeleton } from '#ui/layout.tsx';
import { Notice } from '#ui/notice.tsx';
import { RadioCards } from '#ui/radio-cards.tsx';
import { useApi } from '#web/lib/api.ts';
import { OptionChips } from '#web/ui/option-chips.tsx';
import { type CartStock, lackingAt } from './cart-stock.ts';
import type { Draft } from './draft.ts';
import {
  chosenText,
  comingDays,
  hasPassed,
  PickupTime,
  type PickupTimeProps,
  today,
} from './pickup-time.tsx';
import { pickupSlotsQuery } from './queries.ts';

interface PickupFieldsProps {
  choices: Draft['choices'];
  config: CheckoutConfig;
  stores: PickupLocation[];
  lines: LineItem[];
  stock: CartStock;
  errors: FieldTexts;
  onChange: (changes: Partial<Draft['choices']>) => void;
}

/** The pickup store and time. If the shop shows no list of stores, it is the main store. */
export function PickupFields({ choices, config, stores, lines, stock, errors, onChange }: PickupFieldsProps) {
  const t = useT();
  const offered = pickupStores(stores);
  const store = chosenStore(choices.pickupStore, offered, config.displayPickupLocations);
  if (offered.length === 0) {
    return (
      <FormSection title={t('checkout.store.title')}>
        <FieldError id="no-stores" alone={errors.localStoreName !== undefined}>
          {errors.localStoreName ?? t('checkout.store.none')}
        </FieldError>
      </FormSection>
    );
  }
  return (
    <>
      <FormSection title={t('checkout.store.title')}>
        <PickupStores
          stores={config.displayPickupLocations || !store ? offered : [store]}
          lines={lines}
          stock={stock}
          value={store?.localStoreName ?? null}
          error={errors.localStoreName}
          // Another store has other times; its earliest is chosen.
          onChange={(pickupStore) =>
            onChange({ pickupStore, pickupDay: '', pickupHour: '', pickupMinute: '' })
          }
        />
      </FormSection>
      {config.displayPickupTime && (
        <FormSection title={t('checkout.time.title')}>
          {store ? (
            <PickupChoice
              key={store.localStoreName}
              store={store}
              value={choices}
              error={errors.pickupDate}
              onChange={onChange}
            />
          ) : (
            <p className="text-ink-soft">{t('checkout.time.chooseStore')}</p>
          )}
        </FormSection>
      )}
    </>
  );
}

interface PickupStoresProps {
  stores: PickupLocation[];
  lines: LineItem[];
  stock: CartStock;
  value: string | null;
  error: string | undefined;
  onChange: (localStoreName: string) => void;
}

/** The choice of the pickup store: address, today's hours, and whether it has the cart's items in stock. */
function PickupStores({ stores, lines, stock, value, error, onChange }: PickupStoresProps) {
  const t = useT();
  const locale = useLocale();
  return (
    <RadioCards
      legend={t('checkout.store.title')}
      hideLegend
      error={error}
      value={value}
      onChange={onChange}
      options={stores.map((store) => {
        const lacking = lackingAt(store.localStoreName, lines, stock);
        return {
          value: store.localStoreName,
          title: inLocale(store.nameContent, locale),
          note: (
            <>
              <span className="block">
                {store.address.streetNumberAndNameDetails}, {store.address.city}
              </span>
              <span className="block">
                <HoursToday store={store} />
              </span>
              <StockWord lacking={lacking} known={lines.every(({ sku }) => stock.has(sku))} />
            </>
          ),
          disabled: lacking.length > 0,
        };
      })}
    />
  );
}

function HoursToday({ store }: { store: PickupLocation }) {
  const t = useT();
  const hours = hoursOn(store, today(Date.now(), store.timeZone).date);
  return hours
    ? t('checkout.store.today', { hours: hoursText(hours, t('ui.listSeparator')) })
    : t('checkout.store.closedToday');
}

function StockWord({ lacking, known }: { lacking: LineItem[]; known: boolean }) {
  const t = useT();
  if (!known && lacking.length === 0) return <span className="block">&nbsp;</span>;
  if (lacking.length === 0) {
    return (
      <span className="flex items-center gap-1 text-action">
        <Icon name="check" size={18} />
        {t('checkout.store.hasAll')}
      </span>
    );
  }
  const products = lacking.map(({ productName }) => productName).join(t('ui.listSeparator'));
  return <span className="block text-clay">{t('checkout.store.lacks', { products })}</span>;
}

/** How many open days are asked for times to suggest. */
const daysAsked = 3;

/** A few pickup times to choose from, the earliest chosen; "Another time" opens the calendar. */
function PickupChoice(props: PickupTimeProps) {
  const { store, value, error, onChange } = props;
  const t = useT();
  const [opened, setOpened] = useState(false);
  const suggestions = useSuggestions(store);
  const chosen = suggestions?.find(
    ({ date, slot }) =>
      date === value.pickupDay &&
      String(slot.hour) === value.pickupHour &&
      String(slot.minute) === value.pickupMinute,
  );
  const timed = value.pickupDay !== '' && value.pickupHour !== '' && value.pickupMinute !== '';
  const earliest = suggestions?.[0];
  const passed = usePassedTime(props);
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
      {passed && <Notice>{t('checkout.time.passed', { when: passed })}</Notice>}
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

/** The time that was chosen here before and is over by now: its hour must not count on another day. Undefined if there is none. */
function usePassedTime({ store, value, onChange }: PickupTimeProps): string | undefined {
  const locale = useLocale();
  const [passed, setPassed] = useState<string>();
  useEffect(() => {
    if (!hasPassed(value, Date.now(), store.timeZone)) return;
    setPassed(chosenText(value, locale));
    onChange({ pickupDay: '', pickupHour: '', pickupMinute: '' });
  });
  return passed;
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
  const queries = useQueries({
    queries: days.map(({ date }) => pickupSlotsQuery(api, store.localStoreName, date)),
  });
  if (queries.some(({ isPending }) => isPending)) return undefined;
  return pickupSuggestions(
    queries.flatMap(({ data }) => data ?? []),
    Date.now(),
  );
}

type Slot = PickupSlots['slots'][number];

interface PickupSuggestion {
  date: string;
  slot: Slot;
}

const hourMs = 3_600_000;

/**
 * At most three: the earliest time, the first at least an hour later on that day, and the first of the next day with a free
 * time. `days` are in the order of the calendar, and may have been read a while before `now` (epoch ms).
 */
export function pickupSuggestions(
  days: readonly Pick<PickupSlots, 'date' | 'slots'>[],
  now: number,
): PickupSuggestion[] {
  const free = days.flatMap(({ date, slots }) => {
    const open = slots.filter(({ available, at }) => available && at >= now);
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
