/** What buyers owed at the end of a day, and what was owed to them, by age, with each order. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ageName, ages } from '#contract/staff/book-figures.ts';
import type { BooksOwed } from '#contract/staff/books.ts';
import { cx } from '#ui/cx.ts';
import { ApiError } from '#ui/errors.ts';
import { formatCalendarDay, formatMoney } from '#ui/format.ts';
import { TextField } from '#ui/inputs.tsx';
import { HeadRow } from '../../lib/head-row.tsx';
import { useFilters } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { OrderLink } from '../../lib/order-link.tsx';
import { Scrolled } from '../../lib/scrolled.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { tableClass } from './figures.tsx';
import { BooksFrame } from './frame.tsx';
import { SaveBooks } from './save-books.tsx';
import { PaperHead, StoreChoice, useStoreName, useToday } from './span.tsx';

export default function Owed() {
  const { t, call, stores } = useOffice();
  const today = useToday();
  const [{ day = today, store = '' }, change] = useFilters();
  const of = store === '' ? {} : { store };
  const { data, error } = useQuery({
    queryKey: ['books-owed', day, store],
    queryFn: () => call('booksOwed', { query: { day, ...of } }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const fieldErrors = error instanceof ApiError ? error.body.errors : undefined;
  return (
    <BooksFrame
      page="/owed"
      aside={data && <SaveBooks wanted={{ what: 'owed', from: day, to: day, ...of }} />}
    >
      <PaperHead title={t('office.books.owed')} span={{ from: day, to: day, store }} />
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3 print:hidden">
        <TextField
          className="w-44"
          type="date"
          label={t('office.owed.day')}
          value={day}
          error={fieldErrors?.day}
          onChange={({ target }) => target.value && change({ day: target.value })}
        />
        <StoreChoice store={store} onChange={change} />
      </div>
      {stores !== null && <p className="text-ink-soft">{t('office.books.oneStore')}</p>}
      <Problem error={!fieldErrors && error} />
      {data && !error && data.sums.length === 0 && <p className="text-ink-soft">{t('office.owed.none')}</p>}
      {data &&
        !error &&
        (['receivable', 'deposit'] as const).map((side) => <Side key={side} owed={data} side={side} />)}
      {data && data.more > 0 && (
        <p className="text-ink-soft">{t('office.owed.more', { count: data.more })}</p>
      )}
    </BooksFrame>
  );
}

function Side({ owed, side }: { owed: BooksOwed; side: 'receivable' | 'deposit' }) {
  const { t, locale } = useOffice();
  const sums = owed.sums.filter((sum) => sum.side === side);
  const orders = owed.orders.filter(({ amount }) => amount > 0 === (side === 'receivable'));
  if (sums.length === 0) return null;
  const sign = side === 'receivable' ? 1 : -1;
  const heads = [
    t('office.takings.currency'),
    ...ages.map((_, index) => t('office.owed.age', { age: ageName(index) })),
    t('office.takings.total'),
    t('office.owed.orders'),
  ];
  return (
    <section className="flex flex-col gap-4">
      <Scrolled label={t(`office.owed.${side}`)}>
        <table className={tableClass}>
          <caption className="pb-2 text-left">
            <span className="font-semibold text-lg">{t(`office.owed.${side}`)}</span>
            <span className="block text-ink-soft text-sm">{t(`office.owed.${side}Hint`)}</span>
          </caption>
          <HeadRow heads={heads} />
          <tbody>
            {sums.map(({ currency, ages: amounts, orders: count }) => {
              const money = (cents: number) => formatMoney(sign * cents + 0, locale, currency);
              return (
                <tr key={currency} className="font-semibold">
                  <th scope="row" className="text-left">
                    {currency}
                  </th>
                  {amounts.map((amount, index) => (
                    <td key={ages[index]}>{money(amount)}</td>
                  ))}
                  <td>{money(amounts.reduce((sum, amount) => sum + amount, 0))}</td>
                  <td>{count}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scrolled>
      <Orders orders={orders} side={side} />
    </section>
  );
}

function Orders({ orders, side }: { orders: BooksOwed['orders']; side: 'receivable' | 'deposit' }) {
  const { t, locale } = useOffice();
  const nameOf = useStoreName();
  const heads = (['order', 'store', 'since', 'days', 'amount'] as const).map((column) =>
    t(`office.books.column.${column}`),
  );
  const caption = t('office.books.named', { name: t(`office.owed.${side}`), value: t('office.owed.orders') });
  return (
    <Scrolled label={caption}>
      <table className={cx(tableClass, '[&_:is(td,th):nth-child(2)]:text-left!')}>
        <caption className="sr-only">{caption}</caption>
        <HeadRow heads={heads} />
        <tbody>
          {orders.map(({ order, store, currency, since, days, amount }) => (
            <tr key={order}>
              <th scope="row" className="text-left font-normal">
                <OrderLink number={order} />
              </th>
              <td>{nameOf(store)}</td>
              <td>{formatCalendarDay(since, locale, 'date')}</td>
              <td>{days}</td>
              <td>{formatMoney(Math.abs(amount), locale, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}
