/** Takings: what was sold, received and given back, as figures, a picture, tables, and a file for the bookkeeper. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { dateFormat } from '#contract/formatters.ts';
import { formatMoney } from '#contract/money.ts';
import type { Takings as Answer } from '#contract/staff/takings.ts';
import { Button } from '#ui/button.tsx';
import { ApiError } from '#ui/errors.ts';
import { Select, TextField } from '#ui/inputs.tsx';
import { useFilters } from '../../lib/filters.ts';
import { useOffice, useStores } from '../../lib/me.tsx';
import { Problem } from '../../lib/problem.tsx';
import { saveCsv } from '../../lib/save-file.ts';
import { addDays, csvRows, isoIn, sumOf } from './sums.ts';
import { Chart, Figures, Money, Sales, SumsTable } from './tables.tsx';

export default function Takings() {
  const {
    t,
    call,
    shop: { timeZone },
  } = useOffice();
  const today = isoIn(timeZone, Date.now()).slice(0, 10);
  const [filters, change] = useFilters();
  const { from = today, to = today, store = '', currency = '' } = filters;
  const { data, error } = useQuery({
    queryKey: ['takings', from, to],
    queryFn: () => call('takings', { query: { from, to } }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const fieldErrors = error instanceof ApiError ? error.body.errors : undefined;
  return (
    <div className="flex max-w-[80rem] flex-col gap-8">
      <h1 className="text-2xl">{t('office.takings')}</h1>
      <Range {...{ from, to, today }} errors={fieldErrors ?? {}} onChange={change} />
      <Problem error={!fieldErrors && error} />
      {data && !error && <Report takings={data} store={store} wantedCurrency={currency} onChange={change} />}
    </div>
  );
}

interface RangeProps {
  from: string;
  to: string;
  today: string;
  errors: Readonly<Record<string, string>>;
  onChange: (changed: Record<string, string>) => void;
}

function Range({ from, to, today, errors, onChange }: RangeProps) {
  const { t } = useOffice();
  const yesterday = addDays(today, -1);
  const ranges = {
    today: [today, today],
    yesterday: [yesterday, yesterday],
    week: [addDays(today, -6), today],
    month: [`${today.slice(0, 7)}-01`, today],
    year: [`${today.slice(0, 4)}-01-01`, today],
  } as const;
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
      <div className="flex flex-wrap gap-2 pt-7">
        {(Object.keys(ranges) as (keyof typeof ranges)[]).map((name) => {
          const [first, last] = ranges[name];
          const chosen = from === first && to === last;
          return (
            <Button
              label={t(`office.takings.${name}`)}
              key={name}
              variant={chosen ? 'primary' : 'secondary'}
              size="small"
              className="min-h-11"
              aria-pressed={chosen}
              onClick={() => onChange(name === 'today' ? { from: '', to: '' } : { from: first, to: last })}
            />
          );
        })}
      </div>
      {(['from', 'to'] as const).map((end) => (
        <TextField
          key={end}
          className="w-44"
          type="date"
          label={t(`office.takings.${end}`)}
          value={end === 'from' ? from : to}
          error={errors[end]}
          onChange={({ target }) => target.value && onChange({ from, to, [end]: target.value })}
        />
      ))}
    </div>
  );
}

interface ReportProps {
  takings: Answer;
  store: string;
  wantedCurrency: string;
  onChange: RangeProps['onChange'];
}

/** The key of orders that no store serves in lists of stores. */
const shipped = 'shipped';

function Report({ takings, store, wantedCurrency, onChange }: ReportProps) {
  const { t, locale, shop } = useOffice();
  const nameOf = useStoreName();
  const time = useStepName(takings.unit);
  const currencies = [...new Set(takings.cells.map((cell) => cell.currency))];
  const currency = currencies.includes(wantedCurrency) ? wantedCurrency : (currencies[0] ?? 'CAD');
  const ofCurrency = takings.cells.filter((cell) => cell.currency === currency);
  const byStore = Map.groupBy(ofCurrency, (cell) => cell.store ?? shipped);
  const cells = ofCurrency.filter((cell) => store === '' || (cell.store ?? shipped) === store);
  const byStep = Map.groupBy(cells, ({ at }) => at);
  const steps = takings.steps.map((at) => ({ at, name: time(at), sums: sumOf(byStep.get(at) ?? []) }));
  const sums = sumOf(cells);
  const money = (cents: number) => formatMoney(cents, locale, currency);
  const stores = [...new Set([...byStore.keys(), ...(store === '' ? [] : [store])])];
  const save = () => saveCsv(`takings-${takings.from}-${takings.to}.csv`, csvRows(cells, { t, timeZone: shop.timeZone, nameOf }));
  return (
    <>
      <div className="flex flex-wrap items-end gap-4">
        <Filter name="store" all={t('staff.allStores')} ids={stores} nameOf={nameOf} value={store} onChange={onChange} />
        <Filter name="currency" ids={currencies} value={currency} onChange={onChange} />
        <Button label={t('office.takings.save')} variant="secondary" className="ml-auto" onClick={save} />
      </div>
      <Figures sums={sums} money={money} />
      {cells.length === 0 ? (
        <p className="text-ink-soft">{t('office.takings.none')}</p>
      ) : (
        <>
          <div className="grid gap-8 wide:grid-cols-[3fr_2fr]">
            <Chart steps={steps} money={money} />
            <SumsTable
              head={t(takings.unit === 'month' ? 'office.takings.monthStep' : `office.takings.${takings.unit}`)}
              rows={steps.filter(({ at }) => byStep.has(at))}
              money={money}
            />
          </div>
          <div className="grid items-start gap-8 form:grid-cols-2">
            <Sales sums={sums} money={money} />
            <Money sums={sums} money={money} />
          </div>
          {store === '' && stores.length > 1 && (
            <SumsTable
              head={t('office.takings.store')}
              rows={stores.map((id) => ({ at: id, name: nameOf(id), sums: sumOf(byStore.get(id) ?? []) }))}
              money={money}
            />
          )}
        </>
      )}
    </>
  );
}

interface FilterProps {
  name: 'store' | 'currency';
  /** The choice of all; left out, one is chosen. */
  all?: string;
  ids: readonly string[];
  nameOf?: (id: string) => string;
  value: string;
  onChange: RangeProps['onChange'];
}

/** A choice in the address, where there is something to choose. */
function Filter({ name, all, ids, nameOf = (id) => id, value, onChange }: FilterProps) {
  const { t } = useOffice();
  if (ids.length < 2) return null;
  return (
    <Select
      className="w-56"
      label={t(`office.takings.${name}`)}
      {...(all === undefined ? {} : { placeholder: all })}
      options={ids.map((id) => ({ value: id, label: nameOf(id) }))}
      value={value}
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  );
}

function useStoreName(): (store: string | null) => string {
  const { t } = useOffice();
  const { nameOf } = useStores();
  return (id) =>
    id === null || id === shipped ? t('office.takings.shipped') : (nameOf(id) ?? `${t('office.takings.formerStore')} (${id})`);
}

function useStepName(unit: Answer['unit']): (at: number) => string {
  const {
    locale,
    shop: { timeZone },
  } = useOffice();
  const options = {
    hour: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    day: { weekday: 'short', month: 'short', day: 'numeric' },
    month: { year: 'numeric', month: 'long' },
  } as const;
  const format = dateFormat(locale, { ...options[unit], timeZone });
  return (at) => format.format(at);
}
