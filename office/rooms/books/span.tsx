/** The days, the store and the currency that the pages of the books show, which are in the address. */
import type { ReactNode } from 'react';
import { warehouse } from '#contract/limits.ts';
import { Button } from '#ui/button.tsx';
import { formatCalendarDay } from '#ui/format.ts';
import { Select, TextField } from '#ui/inputs.tsx';
import { useFilters } from '../../lib/lists.tsx';
import { useOffice, useStores } from '../../lib/me.tsx';

/** Today in the time zone of the shop, as YYYY-MM-DD. */
export function useToday(): string {
  const { shop } = useOffice();
  return new Intl.DateTimeFormat('sv', { timeZone: shop.timeZone, dateStyle: 'short' }).format(Date.now());
}

type Months = readonly [first: string, last: string];

/** Some months from the one of a day on, as their first and last days. */
function monthsFrom(day: string, from: number, count: number): Months {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const text = (at: number) => new Date(at).toISOString().slice(0, 10);
  return [text(Date.UTC(year, month - 1 + from, 1)), text(Date.UTC(year, month - 1 + from + count, 0))];
}

/** The spans that one press chooses. Those that have not ended end today. */
function spansAt(today: string) {
  const intoQuarter = (Number(today.slice(5, 7)) - 1) % 3;
  const open = ([first]: Months): Months => [first, today];
  return {
    month: open(monthsFrom(today, 0, 1)),
    lastMonth: monthsFrom(today, -1, 1),
    quarter: open(monthsFrom(today, -intoQuarter, 3)),
    lastQuarter: monthsFrom(today, -intoQuarter - 3, 3),
    year: open(monthsFrom(`${today.slice(0, 4)}-01-01`, 0, 12)),
  } as const;
}
type SpanName = keyof ReturnType<typeof spansAt>;
const names = {
  month: 'office.takings.month',
  lastMonth: 'office.books.lastMonth',
  quarter: 'office.books.quarter',
  lastQuarter: 'office.books.lastQuarter',
  year: 'office.takings.year',
} as const;

export interface Span {
  from: string;
  to: string;
  store: string;
}

/** What is shown if the address does not say it. */
export function useSpan(usual: SpanName): [span: Span, change: (changed: Record<string, string>) => void] {
  const today = useToday();
  const [filters, change] = useFilters();
  const [first, last] = spansAt(today)[usual];
  const { from = first, to = last, store = '' } = filters;
  return [{ from, to, store }, change];
}

interface SpanBarProps {
  span: Span;
  errors?: Readonly<Record<string, string>> | undefined;
  onChange: (changed: Record<string, string>) => void;
  /** What is shown is of the whole shop: no store is chosen. */
  ofShop?: boolean;
  /** Further choices. */
  children?: ReactNode;
}

export function SpanBar({
  span: { from, to, store },
  errors = {},
  onChange,
  ofShop = false,
  children,
}: SpanBarProps) {
  const { t } = useOffice();
  const spans = spansAt(useToday());
  return (
    <div className="flex flex-col gap-4 print:hidden">
      <div className="flex flex-wrap gap-2">
        {(Object.keys(spans) as SpanName[]).map((name) => {
          const [first, last] = spans[name];
          const chosen = from === first && to === last;
          return (
            <Button
              label={t(names[name])}
              key={name}
              variant={chosen ? 'primary' : 'secondary'}
              size="small"
              className="min-h-11"
              aria-pressed={chosen}
              onClick={() => onChange({ from: first, to: last })}
            />
          );
        })}
      </div>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        {(['from', 'to'] as const).map((end) => (
          <TextField
            key={end}
            className="w-44 max-form:min-w-36 max-form:flex-1"
            type="date"
            label={t(`office.takings.${end}`)}
            value={end === 'from' ? from : to}
            error={errors[end]}
            onChange={({ target }) => target.value && onChange({ from, to, [end]: target.value })}
          />
        ))}
        {!ofShop && <StoreChoice store={store} onChange={onChange} />}
        {children}
      </div>
    </div>
  );
}

/** Which store's figures are shown, where there is something to choose. */
export function StoreChoice({ store, onChange }: { store: string; onChange: SpanBarProps['onChange'] }) {
  const { t, stores } = useOffice();
  const { own } = useStores();
  const all = stores === null ? [...own, { value: warehouse, label: t('office.takings.shipped') }] : own;
  if (all.length < 2) return null;
  return (
    <Select
      className="w-56"
      label={t('office.takings.store')}
      placeholder={t('staff.allStores')}
      options={all}
      value={store}
      onChange={({ target }) => onChange({ store: target.value })}
    />
  );
}

/** Of rows: null is the warehouse. */
export function useStoreName(): (store: string | null) => string {
  const { t } = useOffice();
  const { nameOf } = useStores();
  return (id) =>
    id === null || id === warehouse
      ? t('office.takings.shipped')
      : (nameOf(id) ?? `${t('office.takings.formerStore')} (${id})`);
}

/** What the paper says above the tables: on the screen the links and fields say it. */
export function PaperHead({ title, span: { from, to, store } }: { title: string; span: Span }) {
  const { t, locale } = useOffice();
  const nameOf = useStoreName();
  const day = (text: string) => formatCalendarDay(text, locale, 'date');
  const days = from === to ? day(from) : `${day(from)} – ${day(to)}`;
  return (
    <header className="hidden print:block">
      <h1 className="text-xl">{title}</h1>
      <p>
        {days} · {store === '' ? t('staff.allStores') : nameOf(store)}
      </p>
    </header>
  );
}
