/** Takings: what was sold, received and given back, as figures, a picture, tables, and a file for the bookkeeper. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dateFormat, formatMoney } from '#contract/formatters.ts';
import { groupBy } from '#contract/group-by.ts';
import { addDays } from '#contract/rules/opening-hours.ts';
import { wayText } from '#contract/staff/messages.ts';
import type { Takings as Answer } from '#contract/staff/takings.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { ApiError } from '#ui/errors.ts';
import { formatCalendarDay } from '#ui/format.ts';
import { Select, TextField } from '#ui/inputs.tsx';
import { HeadRow } from '../../lib/head-row.tsx';
import { KeyFigures } from '../../lib/key-figures.tsx';
import { useFilters } from '../../lib/lists.tsx';
import { useOffice, useStores } from '../../lib/me.tsx';
import { saveCsv } from '../../lib/save-file.ts';
import { Scrolled } from '../../lib/scrolled.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { isoIn } from '../../lib/shop-time.ts';
import { csvRows, handedOf, moneyOf, type Sums, sumOf, taxRows } from './sums.ts';

export default function Takings() {
  const { t, call, shop } = useOffice();
  const today = isoIn(shop.timeZone, Date.now()).slice(0, 10);
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
    <div className="flex max-w-room flex-col gap-8">
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
    <div className="flex flex-wrap items-start gap-x-6 gap-y-4 print:hidden">
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
  const byStore = groupBy(ofCurrency, (cell) => cell.store ?? shipped);
  const cells = ofCurrency.filter((cell) => store === '' || (cell.store ?? shipped) === store);
  const byStep = groupBy(cells, ({ at }) => at);
  const steps = takings.steps.map((at) => ({ at, name: time(at), sums: sumOf(byStep.get(at) ?? []) }));
  const sums = sumOf(cells);
  const money = (cents: number) => formatMoney(cents, locale, currency);
  const stores = [...new Set([...byStore.keys(), ...(store === '' ? [] : [store])])];
  const day = (date: string) => formatCalendarDay(date, locale);
  const days = takings.from === takings.to ? day(takings.from) : `${day(takings.from)} – ${day(takings.to)}`;
  const save = () =>
    saveCsv(
      `takings-${takings.from}-${takings.to}.csv`,
      csvRows(cells, { t, timeZone: shop.timeZone, nameOf }),
    );
  return (
    <>
      {/* On paper, what the controls say. */}
      <p className="hidden print:block">
        {[days, store === '' ? t('staff.allStores') : nameOf(store), currency].join(' · ')}
      </p>
      <div className="flex flex-wrap items-end gap-4 print:hidden">
        <Filter
          name="store"
          all={t('staff.allStores')}
          ids={stores}
          nameOf={nameOf}
          value={store}
          onChange={onChange}
        />
        <Filter name="currency" ids={currencies} value={currency} onChange={onChange} />
        <Button
          label={t('office.books.print')}
          variant="secondary"
          className="ml-auto"
          onClick={() => print()}
        />
        <Button label={t('office.takings.save')} variant="secondary" onClick={save} />
      </div>
      <Figures sums={sums} money={money} />
      {cells.length === 0 ? (
        <p className="text-ink-soft">{t('office.takings.none')}</p>
      ) : (
        <>
          <div className="grid items-start gap-8 wide:grid-cols-[1fr_auto] [&_tbody_th]:whitespace-nowrap">
            <Chart steps={steps} money={money} />
            <SumsTable
              head={t(
                takings.unit === 'month' ? 'office.takings.monthStep' : `office.takings.${takings.unit}`,
              )}
              rows={steps.filter(({ at }) => byStep.has(at))}
              money={money}
            />
          </div>
          <div className="grid items-start gap-8 form:grid-cols-2">
            <Sales sums={sums} money={money} />
            <Money sums={sums} money={money} />
            <Taxes sums={sums} money={money} />
            <GivenBack sums={sums} money={money} />
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
    id === null || id === shipped
      ? t('office.takings.shipped')
      : (nameOf(id) ?? `${t('office.takings.formerStore')} (${id})`);
}

function useStepName(unit: Answer['unit']): (at: number) => string {
  const { locale, shop } = useOffice();
  const options = {
    hour: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    day: { weekday: 'short', month: 'short', day: 'numeric' },
    month: { year: 'numeric', month: 'long' },
  } as const;
  const format = dateFormat(locale, { ...options[unit], timeZone: shop.timeZone });
  return (at) => format.format(at);
}

interface SumsProps {
  sums: Sums;
  money: (cents: number) => string;
}

function Figures({ sums, money }: SumsProps) {
  const { t } = useOffice();
  const { received, refunded, kept } = moneyOf(sums);
  const figures = [
    { name: t('office.takings.sales'), value: money(sums.total) },
    { name: t('office.takings.orders'), value: String(sums.orders) },
    {
      name: t('office.takings.average'),
      value: money(sums.orders === 0 ? 0 : Math.round(sums.total / sums.orders)),
    },
    { name: t('office.takings.received'), value: money(received) },
    { name: t('office.takings.refunded'), value: money(refunded) },
    { name: t('office.takings.net'), value: money(kept) },
  ];
  return <KeyFigures figures={figures} />;
}

interface Row {
  at: number | string;
  name: string;
  sums: Sums;
}

/** Columns of the sales of each step. The table beside it says the same. */
function Chart({ steps, money }: { steps: readonly Row[]; money: SumsProps['money'] }) {
  const { t } = useOffice();
  const most = Math.max(1, ...steps.map(({ sums }) => sums.total));
  const [first, last] = [steps[0], steps.at(-1)];
  return (
    <figure className="flex h-64 flex-col gap-2 wide:sticky wide:top-6 wide:h-96" aria-hidden>
      <figcaption className="flex justify-between text-ink-soft text-sm">
        <span>{t('office.takings.chart')}</span>
        <span className="tabular-nums">{money(most)}</span>
      </figcaption>
      <div className="flex min-h-48 flex-1 items-end gap-[max(1px,0.25%)] border-line border-y">
        {steps.map(({ at, name, sums }) => (
          <div
            key={at}
            title={`${name}: ${money(sums.total)}`}
            className="group flex h-full flex-1 items-end"
          >
            <div
              className={cx(
                'w-full rounded-t-sm bg-action group-hover:bg-action-strong',
                sums.total > 0 && 'min-h-0.5',
              )}
              style={{ height: `${(Math.max(0, sums.total) / most) * 100}%` }}
            />
          </div>
        ))}
      </div>
      <p className="flex justify-between text-ink-soft text-sm">
        <span>{first?.name}</span>
        {first !== last && <span>{last?.name}</span>}
      </p>
    </figure>
  );
}

interface TableProps {
  caption?: string;
  hint?: string;
  heads?: readonly string[];
  rows: readonly {
    key?: string | number;
    name: string;
    cells: readonly ReactNode[];
    look?: 'total' | 'aside' | false;
  }[];
}

function Table({ caption, hint, heads, rows }: TableProps) {
  const looks = { total: 'font-semibold', aside: 'text-ink-soft' };
  const { t } = useOffice();
  return (
    <Scrolled label={caption ?? t('office.takings.chart')}>
      <table className="w-full tabular-nums max-form:text-sm [&_:is(td,th):not(:first-child)]:pl-3 [&_:is(td,th):not(:first-child)]:text-right [&_:is(td,th)]:py-2 [&_tr]:border-line [&_tr]:border-b">
        {caption && (
          <caption className="pb-2 text-left">
            <span className="font-serif text-lg">{caption}</span>
            <span className="block text-ink-soft text-sm">{hint}</span>
          </caption>
        )}
        {heads && <HeadRow heads={heads} />}
        <tbody>
          {rows.map(({ name, key = name, cells, look }) => (
            <tr key={key} className={look ? looks[look] : undefined}>
              <th scope="row" className={cx('text-left', look !== 'total' && 'font-normal')}>
                {name}
              </th>
              {cells.map((cell, column) => (
                <td key={heads?.[column + 1] ?? name}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

/** Orders, sales, received and refunded of each row. */
function SumsTable({ head, rows, money }: { head: string; rows: readonly Row[]; money: SumsProps['money'] }) {
  const { t } = useOffice();
  const heads = (['orders', 'sales', 'received', 'refunded'] as const).map((name) =>
    t(`office.takings.${name}`),
  );
  const rowOf = ({ at, name, sums }: Row) => {
    const { received, refunded } = moneyOf(sums);
    return { key: at, name, cells: [sums.orders, money(sums.total), money(received), money(refunded)] };
  };
  return <Table heads={[head, ...heads]} rows={rows.map(rowOf)} />;
}

function Sales({ sums, money }: SumsProps) {
  const { t } = useOffice();
  const row = (name: string, cents: number) => ({ name, cells: [money(cents)] });
  const rows = [
    row(t('office.takings.items'), sums.subtotal),
    row(t('office.takings.discounts'), 0 - sums.discount),
    row(t('office.takings.shipping'), sums.shipping),
    row(t('office.takings.serviceCharge'), sums.serviceCharge),
    ...(sums.kept === 0 ? [] : [row(t('office.takings.kept'), sums.kept)]),
    ...sums.taxes.map(({ label, amount }) => row(label, amount)),
    row(t('office.takings.tips'), sums.tip),
    { ...row(t('office.takings.total'), sums.total), look: 'total' as const },
    ...(sums.cancelled > 0
      ? [
          {
            ...row(`${t('office.takings.cancelled')} (${sums.cancelled})`, sums.cancelledTotal),
            look: 'aside' as const,
          },
        ]
      : []),
  ];
  return <Table caption={t('office.takings.sales')} hint={t('office.takings.salesHint')} rows={rows} />;
}

/** Each tax as it was billed, given back, and the difference, which is owed. */
function Taxes({ sums, money }: SumsProps) {
  const { t } = useOffice();
  const taxes = taxRows(sums);
  if (taxes.length === 0) return null;
  const heads = (['tax', 'billed', 'back', 'toRemit'] as const).map((name) => t(`office.takings.${name}`));
  const rows = taxes.map(({ label, billed, back }) => ({
    name: label,
    cells: [billed, back, billed - back].map(money),
  }));
  return (
    <Table
      caption={t('office.takings.taxes')}
      hint={t('office.takings.taxesHint')}
      heads={heads}
      rows={rows}
    />
  );
}

/** What refunds took off sales whose bills stand. */
function GivenBack({ sums: { back }, money }: SumsProps) {
  const { t } = useOffice();
  if (back.total === 0) return null;
  const row = (name: string, cents: number) => ({ name, cells: [money(cents)] });
  const rows = [
    row(t('office.takings.items'), back.net),
    ...back.taxes.map(({ label, amount }) => row(label, amount)),
    row(t('office.takings.tips'), back.tip),
    { ...row(t('office.takings.total'), back.total), look: 'total' as const },
  ];
  return <Table caption={t('office.takings.back')} hint={t('office.takings.backHint')} rows={rows} />;
}

function Money({ sums, money }: SumsProps) {
  const { t } = useOffice();
  const heads = (['received', 'refunded', 'net', 'tips'] as const).map((name) => t(`office.takings.${name}`));
  const row = (name: string, { received, refunded, kept, tips }: ReturnType<typeof moneyOf>) => ({
    name,
    cells: [received, refunded, kept, tips].map(money),
  });
  const all = moneyOf(sums);
  const rows = [
    ...sums.money.map((each) => row(wayText(t, each.way), handedOf(each))),
    { ...row(t('office.takings.total'), all), look: 'total' as const },
    ...(all.rounding === 0
      ? []
      : [
          {
            name: t('office.takings.rounding'),
            cells: ['', '', money(all.rounding), ''],
            look: 'aside' as const,
          },
        ]),
  ];
  return (
    <Table
      caption={t('office.takings.money')}
      hint={t('office.takings.moneyHint')}
      heads={[t('office.takings.way'), ...heads]}
      rows={rows}
    />
  );
}
