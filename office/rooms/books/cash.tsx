/** Cash in the drawer of a store: what was put in, taken out and counted on a day, and its sheet on paper. */
import { useMutation, useQuery } from '@tanstack/react-query';
import type { CashKind, CashMove, CashSheet } from '#contract/staff/cash.ts';
import { cashKinds, longestCashNote } from '#contract/staff/cash.ts';
import { Button } from '#ui/button.tsx';
import { useForm } from '#ui/form.tsx';
import { formatCalendarDay, formatDate, formatMoney } from '#ui/format.ts';
import { Select, TextField } from '#ui/inputs.tsx';
import { useOnce } from '../../lib/api.ts';
import { useFilters } from '../../lib/lists.tsx';
import { useOffice, useStores } from '../../lib/me.tsx';
import { useMoney } from '../../lib/money.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';
import { BooksFrame } from './frame.tsx';

export default function Cash() {
  const { t, call } = useOffice();
  const { own } = useStores();
  const [filters, change] = useFilters();
  const store = filters.store ?? own[0]?.value ?? '';
  const day = filters.day || undefined;
  const sheet = useQuery({
    queryKey: ['cash', store, day ?? ''],
    queryFn: () => call('cashSheet', { query: { store, ...(day === undefined ? {} : { day }) } }),
    enabled: store !== '',
  });
  const print = (
    <Button
      label={t('office.cash.print')}
      variant="secondary"
      disabled={!sheet.data}
      onClick={() => window.print()}
    />
  );
  return (
    <BooksFrame page="/cash" aside={print}>
      <p className="text-ink-soft print:hidden">{t('office.cash.hint')}</p>
      <div className="flex flex-wrap items-start gap-4 print:hidden">
        <Select
          className="w-64"
          label={t('office.cash.store')}
          options={own}
          value={store}
          onChange={({ target }) => change({ store: target.value })}
        />
        <TextField
          className="w-48"
          label={t('office.cash.day')}
          type="date"
          value={day ?? sheet.data?.day ?? ''}
          onChange={({ target }) => change({ day: target.value })}
        />
      </div>
      <Problem error={sheet.error} />
      {sheet.data && (
        <Day key={`${store} ${sheet.data.day}`} sheet={sheet.data} isToday={day === undefined} />
      )}
    </BooksFrame>
  );
}

function Day({ sheet, isToday }: { sheet: CashSheet; isToday: boolean }) {
  const { may } = useOffice();
  return (
    <div className="grid items-start gap-8 wide:grid-cols-[minmax(0,1fr)_22rem]">
      <Sheet sheet={sheet} isToday={isToday} />
      {may.includes('books.cash') && <Entry sheet={sheet} isToday={isToday} />}
    </div>
  );
}

function Sheet({ sheet, isToday }: { sheet: CashSheet; isToday: boolean }) {
  const { t, locale } = useOffice();
  const { nameOf } = useStores();
  const { day, store, currency, opening, received, refunded, moved, closing, moves } = sheet;
  const money = (cents: number) => formatMoney(cents, locale, currency);
  const rows = [
    [t('office.cash.opening'), opening],
    [t('office.cash.received'), received],
    [t('office.cash.refunded'), 0 - refunded],
    [t('office.cash.moved'), moved],
    [t(isToday ? 'office.cash.closingNow' : 'office.cash.closing'), closing],
  ] as const;
  return (
    <section className="flex min-w-0 flex-col gap-5">
      <h2 className="text-xl">
        {t('office.cash.sheet')} · {nameOf(store)} · {formatCalendarDay(day, locale, 'date')}
      </h2>
      <table className="w-full max-w-[32rem] tabular-nums [&_td]:text-right [&_:is(td,th)]:py-2 [&_tr]:border-line [&_tr]:border-b [&_tr:last-child_:is(td,th)]:font-semibold">
        <tbody>
          {rows.map(([name, amount]) => (
            <tr key={name}>
              <th scope="row" className="text-left font-normal">
                {name}
              </th>
              <td>{money(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {moves.length === 0 && <p className="text-ink-soft">{t('office.cash.none')}</p>}
      <ol className="divide-y divide-line border-line border-y empty:hidden">
        {moves.map((move) => (
          <Move key={move.id} move={move} sheet={sheet} />
        ))}
      </ol>
    </section>
  );
}

function Move({ move, sheet }: { move: CashMove; sheet: CashSheet }) {
  const { t, locale, shop, call, queries, may } = useOffice();
  const { id, at, kind, amount, counted, note, by, corrects, isTakenBack } = move;
  const money = (cents: number) => formatMoney(cents, locale, sheet.currency);
  const back = useMutation({
    mutationFn: () => call('takeBackCash', { params: { move: id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['cash'] }),
  });
  const what = t(`office.cash.${kind}`);
  const name = corrects === null ? what : t('office.cash.corrects', { what });
  const difference =
    amount === 0
      ? t('office.cash.exact')
      : t(amount > 0 ? 'office.cash.over' : 'office.cash.short', { amount: money(Math.abs(amount)) });
  const said = [
    formatDate(at, locale, shop.timeZone, 'dateTime'),
    by,
    ...(counted === null ? [] : [t('office.cash.countedIs', { counted: money(counted) }), difference]),
    note,
    isTakenBack ? t('office.cash.takenBack') : '',
  ];
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0">
        <p className="font-semibold">{name}</p>
        <p className="break-words text-ink-soft text-sm">{said.filter(Boolean).join(' · ')}</p>
        <Problem error={back.error} />
      </div>
      <div className="flex items-center gap-3 tabular-nums">
        {corrects === null && !isTakenBack && may.includes('books.cash') && (
          <Button
            className="print:hidden"
            label={t('office.cash.takeBack')}
            aria-label={t('office.books.named', {
              name: t('office.cash.takeBack'),
              value: `${name} ${money(amount)}`,
            })}
            variant="quiet"
            size="small"
            busy={back.isPending}
            onClick={() => back.mutate()}
          />
        )}
        <span>{money(amount)}</span>
      </div>
    </li>
  );
}

function Entry({ sheet, isToday }: { sheet: CashSheet; isToday: boolean }) {
  const { t, call, queries } = useOffice();
  const once = useOnce();
  const { parse } = useMoney();
  const form = useForm({
    initial: { kind: 'float' as CashKind, amount: '', note: '' },
    precheck: ({ amount }): Record<string, string> =>
      parse(amount) === null ? { amount: t('office.cash.noAmount') } : {},
    send: ({ kind, amount, note }) =>
      call('moveCash', {
        once,
        body: {
          store: sheet.store,
          kind,
          amount: parse(amount) ?? 0,
          note,
          ...(isToday ? {} : { day: sheet.day }),
        },
      }),
    onSent: async () => {
      form.change({ amount: '', note: '' });
      await queries.invalidateQueries({ queryKey: ['cash'] });
    },
  });
  const { kind } = form.values;
  return (
    <section className="rounded-md border border-line p-5 print:hidden">
      <SendForm form={form} label={t('office.cash.record')}>
        <Select
          {...form.field('kind')}
          label={t('office.cash.what')}
          options={cashKinds.map((value) => ({ value, label: t(`office.cash.${value}`) }))}
        />
        <TextField
          {...form.field('amount')}
          label={t(kind === 'count' ? 'office.cash.counted' : 'office.cash.amount')}
          inputMode="decimal"
          autoComplete="off"
        />
        <TextField
          {...form.field('note')}
          label={t(kind === 'spent' ? 'office.cash.noteSpent' : 'office.cash.note')}
          maxLength={longestCashNote}
          autoComplete="off"
        />
      </SendForm>
    </section>
  );
}
