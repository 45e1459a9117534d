/** The report of the books: what was sold, taxed, received and given back in a span of days. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { groupBy } from '#contract/group-by.ts';
import { taxLabel } from '#contract/rules/tax-labels.ts';
import { type Account, accountsIn, type Movement, soldAccounts } from '#contract/staff/accounts-of-books.ts';
import { type BookGroup, bookGroups, otherGroups } from '#contract/staff/book-figures.ts';
import {
  accountText,
  classText,
  groupText,
  personText,
  placeText,
  treatmentText,
} from '#contract/staff/book-words.ts';
import type { BooksFilter, BooksReport, BooksRow } from '#contract/staff/books.ts';
import { wayText } from '#contract/staff/messages.ts';
import { treatments as namedTreatments } from '#contract/tax-treatments.ts';
import { ApiError } from '#ui/errors.ts';
import { formatMoney, formatNumber } from '#ui/format.ts';
import { Select } from '#ui/inputs.tsx';
import { KeyFigures } from '../../lib/key-figures.tsx';
import { useFilters } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { amountOf, type Figure, type FigureRow, FigureTable } from './figures.tsx';
import { BooksFrame } from './frame.tsx';
import { SaveBooks } from './save-books.tsx';
import { PaperHead, type Span, SpanBar, useSpan, useStoreName } from './span.tsx';

/** What a row itself says, and what the server groups by. */
const ownGroups = ['store', 'taxClass', 'place', 'person'] as const;
const groupings = [...ownGroups, ...bookGroups] as const;
type Grouping = (typeof groupings)[number];
const isServers = (grouping: Grouping): grouping is BookGroup =>
  (bookGroups as readonly string[]).includes(grouping);

export default function Books() {
  const { t, stores } = useOffice();
  const [span, change] = useSpan('month');
  const [{ currency: wanted = '', by = 'store' }] = useFilters();
  const { data, error } = useReport(span, null);
  const fieldErrors = error instanceof ApiError ? error.body.errors : undefined;
  const currencies = [...new Set(data?.rows.map(({ currency }) => currency))].sort();
  const currency = currencies.includes(wanted) ? wanted : (currencies[0] ?? 'CAD');
  const grouping = groupings.find((each) => each === by) ?? 'store';
  const file = {
    ...forCall(span),
    what: 'report' as const,
    ...(isServers(grouping) ? { by: grouping } : {}),
  };
  return (
    <BooksFrame page="" aside={data && <SaveBooks wanted={file} />}>
      <PaperHead title={t('office.books.report')} span={span} />
      <SpanBar span={span} errors={fieldErrors} onChange={change}>
        {currencies.length > 1 && (
          <Select
            className="w-32"
            label={t('office.takings.currency')}
            options={currencies.map((value) => ({ value, label: value }))}
            value={currency}
            onChange={({ target }) => change({ currency: target.value })}
          />
        )}
      </SpanBar>
      {stores !== null && <p className="text-ink-soft">{t('office.books.oneStore')}</p>}
      <Problem error={!fieldErrors && error} />
      {data && !error && data.rows.length === 0 && <p className="text-ink-soft">{t('office.books.empty')}</p>}
      {data && !error && data.rows.length > 0 && (
        <Report report={data} {...{ span, currency, grouping }} onGroup={(next) => change({ by: next })} />
      )}
    </BooksFrame>
  );
}

const forCall = ({ from, to, store }: Span) => ({ from, to, ...(store === '' ? {} : { store }) });

export function useReport(span: Span, by: BookGroup | null, enabled = true) {
  const { call, locale } = useOffice();
  return useQuery({
    queryKey: ['books', span, by, locale],
    queryFn: () => call('books', { query: { ...forCall(span), ...(by ? { by } : {}) } }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    enabled,
  });
}

interface ReportProps {
  report: BooksReport;
  span: Span;
  currency: string;
  grouping: Grouping;
  onGroup: (grouping: string) => void;
}

function Report({ report, span, currency, grouping, onGroup }: ReportProps) {
  const rows = report.rows.filter((row) => row.currency === currency);
  const names = new Map(report.names.map(({ id, name }) => [id, name]));
  const shared = { of: rows, span, currency };
  return (
    <>
      <Summary report={report} rows={rows} currency={currency} />
      <div className="grid items-start gap-8 wide:grid-cols-2 print:block print:*:mb-6">
        <Sales {...shared} />
        <Money {...shared} />
        <Taxes {...shared} names={names} />
        <Treatments {...shared} />
        <Tips {...shared} names={names} />
        <Others {...shared} />
      </div>
      <Groups {...shared} {...{ names, grouping, onGroup }} />
    </>
  );
}

const sold: readonly Account[] = soldAccounts;
const bills: Movement[] = ['sold', 'cancelled'];
const ofSales: Movement[] = ['sold', 'cancelled', 'back'];

/** Sold, cancelled, given back, and what is left of it. */
const salesColumns = (filter: BooksFilter): Figure[] => [
  ...ofSales.map((movement) => ({ filter: { ...filter, movements: [movement] } })),
  { filter: { ...filter, movements: ofSales } },
];

function useSalesHeads(first: string) {
  const { t } = useOffice();
  return [
    first,
    t('office.books.sold'),
    t('office.books.cancelled'),
    t('office.books.given'),
    t('office.books.net'),
  ];
}

function Summary({
  report,
  rows,
  currency,
}: {
  report: BooksReport;
  rows: readonly BooksRow[];
  currency: string;
}) {
  const { t, locale } = useOffice();
  const money = (filter: BooksFilter) => formatMoney(amountOf({ filter }, rows), locale, currency);
  const counts = report.counts.filter((each) => each.currency === currency);
  const placed = counts.reduce((sum, each) => sum + each.placed, 0);
  const figures = [
    { name: t('office.takings.orders'), value: formatNumber(placed, locale) },
    { name: t('office.books.netSales'), value: money({ accounts: [...sold], movements: ofSales }) },
    { name: t('office.books.netTax'), value: money({ accounts: ['tax'], movements: ofSales }) },
    { name: t('office.takings.tips'), value: money({ accounts: ['tips'], movements: ofSales }) },
    { name: t('office.takings.received'), value: money({ accounts: ['money'], movements: ['received'] }) },
    { name: t('office.takings.net'), value: money({ accounts: ['money'], movements: ['received', 'back'] }) },
  ];
  return <KeyFigures figures={figures} />;
}

interface TableProps {
  of: readonly BooksRow[];
  span: Span;
  currency: string;
}
type NamedProps = TableProps & { names: ReadonlyMap<string, string> };

function Sales(shared: TableProps) {
  const { t } = useOffice();
  const heads = useSalesHeads(t('office.books.column.what'));
  const rows: FigureRow[] = [
    ...sold
      .filter((account) => account === 'sales' || shared.of.some((row) => row.account === account))
      .map((account) => ({
        key: account,
        name: accountText(t, account),
        cells: salesColumns({ accounts: [account] }),
      })),
    {
      key: 'all',
      name: t('office.books.netSales'),
      cells: salesColumns({ accounts: [...sold] }),
      look: 'total',
    },
  ];
  return (
    <FigureTable
      {...shared}
      caption={t('office.books.sales')}
      hint={t('office.books.salesHint')}
      {...{ heads, rows }}
    />
  );
}

function Money(shared: TableProps) {
  const { t } = useOffice();
  const columns = (filter: BooksFilter): Figure[] => [
    { filter: { ...filter, movements: ['received'] } },
    { filter: { ...filter, movements: ['back'] }, sign: -1 },
    { filter: { ...filter, movements: ['received', 'back'] } },
    { filter: { ...filter, movements: ['received', 'back'], parts: ['tip'] } },
  ];
  const ways = unique(shared.of.filter(({ account }) => account === 'money').map(({ way }) => way));
  const rounding: Figure = { filter: { accounts: ['rounding'] } };
  const rows: FigureRow[] = [
    ...ways.map((way) => ({
      key: way,
      name: wayText(t, way),
      cells: columns({ accounts: ['money'], ways: [way] }),
    })),
    { key: 'all', name: t('office.takings.total'), cells: columns({ accounts: ['money'] }), look: 'total' },
    ...(shared.of.some(({ account }) => account === 'rounding')
      ? [
          {
            key: 'rounding',
            name: accountText(t, 'rounding'),
            cells: [null, null, rounding, null],
            look: 'part' as const,
          },
        ]
      : []),
  ];
  const heads = [
    t('office.takings.way'),
    t('office.takings.received'),
    t('office.takings.refunded'),
    t('office.takings.net'),
    t('office.takings.tips'),
  ];
  if (ways.length === 0) return null;
  return (
    <FigureTable
      {...shared}
      caption={t('office.books.money')}
      hint={t('office.books.moneyHint')}
      {...{ heads, rows }}
    />
  );
}

/** By place and rate: what it was on, what was billed, given back, and what is owed of it. */
export function Taxes({ names, ...shared }: NamedProps) {
  const { t } = useOffice();
  const taxes = shared.of.filter(({ account }) => account === 'tax');
  const columns = (filter: BooksFilter): Figure[] => [
    { filter: { ...filter, movements: ofSales }, of: 'base' },
    { filter: { ...filter, movements: bills } },
    { filter: { ...filter, movements: ['back'] }, sign: -1 },
    { filter: { ...filter, movements: ofSales } },
  ];
  const kinds = new Map(taxes.map((row) => [`${row.place} ${row.tax} ${row.rate}`, row]));
  const rows: FigureRow[] = [...kinds]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { place, tax, rate }]) => ({
      key,
      name: `${placeText(t, place, names)} · ${taxLabel({ tax, rate })}`,
      cells: columns({ accounts: ['tax'], places: [place], taxes: [tax], rates: [rate] }),
    }));
  const [, ...total] = columns({ accounts: ['tax'] });
  if (rows.length > 0)
    rows.push({ key: 'all', name: t('office.takings.total'), cells: [null, ...total], look: 'total' });
  const heads = [
    t('office.takings.tax'),
    t('office.books.base'),
    t('office.books.bills'),
    t('office.books.given'),
    t('office.books.net'),
  ];
  return (
    <FigureTable
      {...shared}
      caption={t('office.books.taxes')}
      hint={t('office.books.taxesHint')}
      {...{ heads, rows }}
    />
  );
}

/** Entries without a treatment come last. */
const treatments = [...namedTreatments, ''];

function Treatments(shared: TableProps) {
  const { t } = useOffice();
  const heads = useSalesHeads(t('office.books.column.treatment'));
  const rows = treatments
    .filter((treatment) => shared.of.some((row) => sold.includes(row.account) && row.treatment === treatment))
    .map((treatment) => ({
      key: treatment,
      name: treatmentText(t, treatment),
      cells: salesColumns({ accounts: [...sold], treatments: [treatment] }),
    }));
  return <FigureTable {...shared} caption={t('office.books.treatments')} {...{ heads, rows }} />;
}

function Tips({ names, ...shared }: NamedProps) {
  const { t } = useOffice();
  const persons = unique(
    shared.of
      .filter(({ account, part }) => account === 'money' && part === 'tip')
      .map(({ person }) => person),
  );
  // The shop itself is none, or the one that acts for nobody; whoever left has no name any more.
  const named = groupBy(persons, (person) => personText(t, person, names));
  const rows = [...named].map(([name, own]): FigureRow => {
    const filter: BooksFilter = { accounts: ['money'], parts: ['tip'], persons: [...own] };
    const cells: Figure[] = [
      { filter: { ...filter, movements: ['received'] } },
      { filter: { ...filter, movements: ['back'] }, sign: -1 },
      { filter: { ...filter, movements: ['received', 'back'] } },
    ];
    return { key: own.join(' '), name, cells };
  });
  const heads = [
    t('office.books.by.person'),
    t('office.takings.received'),
    t('office.takings.refunded'),
    t('office.books.net'),
  ];
  return (
    <FigureTable
      {...shared}
      caption={t('office.books.tips')}
      hint={t('office.books.tipsHint')}
      {...{ heads, rows }}
    />
  );
}

/** What else was booked: costs, and differences that somebody should know of. */
function Others(shared: TableProps) {
  const { t } = useOffice();
  const accounts = accountsIn('other').filter((other) => shared.of.some(({ account }) => account === other));
  const rows = accounts.map((account) => ({
    key: account,
    name: accountText(t, account),
    cells: [{ filter: { accounts: [account] } }],
  }));
  const heads = [t('office.books.column.account'), t('office.books.column.amount')];
  return <FigureTable {...shared} caption={t('office.books.otherAccounts')} {...{ heads, rows }} />;
}

type GroupsProps = NamedProps & Pick<ReportProps, 'grouping' | 'onGroup'>;

function Groups({ grouping, onGroup, ...shared }: GroupsProps) {
  const { t } = useOffice();
  return (
    <section className="flex flex-col gap-3">
      <Select
        className="w-64 print:hidden"
        label={t('office.books.by')}
        options={groupings.map((value) => ({ value, label: t(`office.books.by.${value}`) }))}
        value={grouping}
        onChange={({ target }) => onGroup(target.value)}
      />
      {isServers(grouping) ? (
        <ServersGroups by={grouping} {...shared} />
      ) : (
        <OwnGroups by={grouping} {...shared} />
      )}
    </section>
  );
}

/** By what each row says. */
function OwnGroups({ by, names, ...shared }: NamedProps & { by: (typeof ownGroups)[number] }) {
  const { t } = useOffice();
  const nameOf = useStoreName();
  const heads = [...useSalesHeads(t(`office.books.by.${by}`)), t('office.takings.tax')];
  const own = shared.of.filter(({ account }) => sold.includes(account) || account === 'tax');
  const filter = { accounts: [...sold] };
  const tax = { accounts: ['tax' as const], movements: ofSales };
  const rowsBy = {
    store: () =>
      unique(own.map(({ store }) => store)).map((store) => ({
        key: store ?? '',
        name: nameOf(store),
        cells: [...salesColumns(filter), { filter: tax }].map((figure) => ({ ...figure, store })),
      })),
    taxClass: () =>
      named(
        ({ taxClass }) => taxClass,
        (id) => classText(t, id) || t('office.books.treatment.unknown'),
        'taxClasses',
      ),
    place: () =>
      named(
        ({ place }) => place,
        (id) => placeText(t, id, names),
        'places',
      ),
    person: () =>
      named(
        ({ person }) => person,
        (id) => personText(t, id, names),
        'persons',
      ),
  } as const satisfies Record<typeof by, () => FigureRow[]>;
  function named(
    of: (row: BooksRow) => string,
    name: (id: string) => string,
    list: 'taxClasses' | 'places' | 'persons',
  ) {
    return unique(own.map(of)).map((id) => ({
      key: id,
      name: name(id),
      cells: [...salesColumns({ ...filter, [list]: [id] }), { filter: { ...tax, [list]: [id] } }],
    }));
  }
  const rows = rowsBy[by]();
  return (
    <FigureTable
      {...shared}
      caption={t('office.books.groups')}
      hint={t('office.books.groupsHint')}
      {...{ heads, rows }}
    />
  );
}

/** By what the server groups by. */
function ServersGroups({ by, span, currency }: NamedProps & { by: BookGroup }) {
  const { t, locale } = useOffice();
  const heads = [...useSalesHeads(t(`office.books.by.${by}`)), t('office.takings.tax')];
  const { data, error } = useReport(span, by);
  if (!data) return <Problem error={error} />;
  const names = new Map(data.names.map(({ id, name }) => [id, name]));
  const of = data.rows.filter(
    (row) => row.currency === currency && (sold.includes(row.account) || row.account === 'tax'),
  );
  const isOfClock = by === 'hour' || by === 'weekday';
  const size = new Map<string, number>();
  const units = new Map<string, number>();
  for (const { group, account, amount, units: count } of of) {
    if (sold.includes(account)) size.set(group, (size.get(group) ?? 0) + amount);
    else if (!size.has(group)) size.set(group, 0);
    units.set(group, (units.get(group) ?? 0) + count);
  }
  const groups = [...size.keys()].sort((a, b) =>
    isOfClock
      ? Number(a) - Number(b)
      : Number(a === otherGroups) - Number(b === otherGroups) || (size.get(b) ?? 0) - (size.get(a) ?? 0),
  );
  const byGroup = groupBy(of, ({ group }) => group);
  const rows = groups.map((key): FigureRow => {
    const group = { by, key };
    const own = byGroup.get(key) ?? of;
    const cells = [
      ...salesColumns({ accounts: [...sold], group }),
      { filter: { accounts: ['tax' as const], movements: ofSales, group } },
    ];
    const shown =
      key === otherGroups ? cells.map((cell) => formatMoney(amountOf(cell, own), locale, currency)) : cells;
    return {
      key,
      name: groupText(t, locale, by, key, names),
      cells: isOfClock ? shown : [formatNumber(units.get(key) ?? 0, locale), ...shown],
    };
  });
  const [first = '', ...rest] = heads;
  return (
    <FigureTable
      {...{ of, span, currency, rows }}
      heads={isOfClock ? heads : [first, t('office.books.units'), ...rest]}
      caption={t('office.books.groups')}
      hint={t('office.books.groupsHint')}
    />
  );
}

const unique = <T,>(values: readonly T[]): T[] => [...new Set(values)];
