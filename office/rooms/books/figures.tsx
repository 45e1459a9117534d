/** Tables of figures, each of which opens the events that it sums. */
import { useLocation, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { warehouse } from '#contract/limits.ts';
import { figuresOf } from '#contract/staff/book-figures.ts';
import { eventText } from '#contract/staff/book-words.ts';
import type { BooksEvent, BooksFilter, BooksRow } from '#contract/staff/books.ts';
import { cx } from '#ui/cx.ts';
import { Dialog } from '#ui/dialog.tsx';
import { formatDate, formatMoney } from '#ui/format.ts';
import { HeadRow } from '../../lib/head-row.tsx';
import { MoreButton, usePages } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { OrderLink } from '../../lib/order-link.tsx';
import { Scrolled } from '../../lib/scrolled.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { type Span, useStoreName } from './span.tsx';

/** What a figure sums, and which of the sums it is. */
export interface Figure {
  filter: BooksFilter;
  of?: 'amount' | 'base';
  sign?: 1 | -1;
  /** Of this store alone; null: of none. */
  store?: string | null;
}

export interface FigureRow {
  key: string;
  name: ReactNode;
  /** Null stays empty; a text is shown as it is. */
  cells: readonly (Figure | string | null)[];
  look?: 'total' | 'part' | undefined;
}

interface FigureTableProps {
  caption: string;
  hint?: string;
  /** The first is that of the names. */
  heads: readonly string[];
  rows: readonly FigureRow[];
  /** Of the report. */
  of: readonly BooksRow[];
  span: Span;
  currency: string;
}

/** The amount of a figure, smallest units. */
export function amountOf(
  { filter, of = 'amount', sign = 1, store }: Figure,
  rows: readonly BooksRow[],
): number {
  const own = store === undefined ? rows : rows.filter((row) => row.store === store);
  return sign * figuresOf(own, filter)[of] + 0;
}

export const tableClass =
  'w-full tabular-nums max-form:text-sm [&_:is(td,th):not(:first-child)]:pl-3 [&_:is(td,th):not(:first-child)]:text-right [&_:is(td,th)]:py-1 [&_td]:break-keep [&_thead_th]:break-keep [&_tr]:border-line [&_tr]:border-b print:text-sm print:[&_tr]:break-inside-avoid';

export function FigureTable({ caption, hint, heads, rows, of, span, currency }: FigureTableProps) {
  const { t, locale } = useOffice();
  const [opened, open, close] = useOpened();
  if (rows.length === 0) return null;
  const nameOfCell = (row: FigureRow, column: number) => `${caption} ${row.key} ${column}`;
  const figure = rows
    .flatMap((row) => row.cells.map((cell, column) => ({ cell, name: nameOfCell(row, column) })))
    .find(({ name }) => name === opened)?.cell;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Scrolled label={caption}>
        <table className={tableClass}>
          <caption className="pb-2 text-left">
            <span className="font-semibold text-lg">{caption}</span>
            {hint && <span className="block text-ink-soft text-sm print:hidden">{hint}</span>}
          </caption>
          <HeadRow heads={heads} />
          <tbody>
            {rows.map((row) => {
              const { key, name, cells, look } = row;
              return (
                <tr key={key} className={look === 'total' ? 'font-semibold' : undefined}>
                  <th
                    scope="row"
                    className={cx('text-left', look !== 'total' && 'font-normal', look === 'part' && 'pl-4')}
                  >
                    {name}
                  </th>
                  {cells.map((cell, column) => (
                    <td key={heads[column + 1] ?? String(column)}>
                      {cell === null || typeof cell === 'string' ? (
                        cell
                      ) : (
                        <FigureButton
                          text={formatMoney(amountOf(cell, of), locale, currency)}
                          isEmpty={amountOf(cell, of) === 0}
                          onOpen={() => open(nameOfCell(row, column))}
                        />
                      )}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scrolled>
      {figure && typeof figure !== 'string' && (
        <EventsDialog
          figure={figure}
          total={formatMoney(amountOf(figure, of), locale, currency)}
          {...{ span, currency }}
          onClose={close}
          title={t('office.books.events')}
        />
      )}
    </div>
  );
}

/**
 * The name of the figure whose events are listed, and how another is opened. It is in the address, as an entry of the history: *Back*
 * closes the list, and leads from an order of it to it.
 */
export function useOpened(): [opened: string | null, open: (name: string) => void, close: () => void] {
  const { pathname, searchStr } = useLocation();
  const { history } = useRouter();
  const params = new URLSearchParams(searchStr);
  const opened = params.get('figure');
  const open = (name: string) => {
    params.set('figure', name);
    history.push(`${pathname}?${params}`, { fromFigures: true });
  };
  const close = () => {
    if ('fromFigures' in history.location.state) return history.back();
    params.delete('figure');
    history.replace(params.size === 0 ? pathname : `${pathname}?${params}`);
  };
  return [opened, open, close];
}

interface FigureButtonProps {
  text: string;
  /** It sums nothing, as far as its amount says. */
  isEmpty: boolean;
  onOpen: () => void;
}

export function FigureButton({ text, isEmpty, onOpen }: FigureButtonProps) {
  const { t } = useOffice();
  if (isEmpty) return <span className="text-ink-soft">{text}</span>;
  return (
    <button
      type="button"
      className="min-h-8 cursor-pointer whitespace-nowrap underline decoration-line underline-offset-4 hover:decoration-current print:no-underline"
      aria-label={t('office.books.openFigure', { amount: text })}
      onClick={onOpen}
    >
      {text}
    </button>
  );
}

interface EventsDialogProps {
  figure: Figure;
  title: string;
  /** The figure, as it is shown. */
  total: string;
  span: Span;
  currency: string;
  onClose: () => void;
}

export function EventsDialog({
  figure: { filter, sign = 1, store, of },
  title,
  total,
  span,
  currency,
  onClose,
}: EventsDialogProps) {
  const { t, call, locale, shop } = useOffice();
  const nameOf = useStoreName();
  const { from, to } = span;
  const ofStore = store === undefined ? span.store : (store ?? warehouse);
  const asked = { from, to, currency, filter, ...(ofStore === '' ? {} : { store: ofStore }) };
  const list = usePages(
    ['books-events', asked],
    (after: { after?: { bookedAt: number; id: string } }) =>
      call('booksEvents', { body: { ...asked, ...after } }),
    ({ after }) => (after ? { after } : null),
  );
  const events = list.pages.flatMap((page) => page.events);
  const hasBase = of === 'base' || events.some(({ base }) => base !== 0);
  const money = (cents: number) => formatMoney(cents, locale, currency);
  const heads = [
    t('office.books.events.when'),
    t('office.books.events.what'),
    t('office.books.column.order'),
    t('office.books.column.store'),
    ...(hasBase ? [t('office.books.base')] : []),
    t('office.books.column.amount'),
  ];
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('office.books.named', { name: title, value: total })}
      className="w-[min(56rem,calc(100vw-2rem))]"
    >
      <Problem error={list.error} />
      {list.isKnown && events.length === 0 && (
        <p className="text-ink-soft">{t('office.books.events.none')}</p>
      )}
      {events.length > 0 && (
        <Scrolled label={title}>
          <table className="w-full text-sm tabular-nums [&_:is(td,th):not(:first-child)]:pl-3 [&_:is(td,th)]:py-2 [&_:is(td,th)]:text-left [&_tr]:border-line [&_tr]:border-b">
            <thead className="text-ink-soft">
              <tr>
                {heads.map((head, column) => (
                  <th key={head} scope="col" className={cx('font-semibold', column > 3 && 'text-right!')}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {events.map((event) => (
                <tr key={event.id}>
                  <td>
                    {formatDate(event.at, locale, shop.timeZone, 'dateTime')}
                    <Late event={event} />
                  </td>
                  <td>{eventText(t, event.kind)}</td>
                  <td>{event.order !== null && <OrderLink number={event.order} />}</td>
                  <td>{nameOf(event.store)}</td>
                  {hasBase && <td className="text-right!">{money(event.base)}</td>}
                  <td className="text-right!">{money(sign * event.amount)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
      <MoreButton list={list} label={t('office.books.events.more')} />
    </Dialog>
  );
}

/** What of an event is not as usual: that it counts later, or was booked later. */
function Late({ event: { at, bookedAt, isRebuilt } }: { event: BooksEvent }) {
  const { t, locale, shop } = useOffice();
  const notes = [
    ...(bookedAt === at
      ? []
      : [t('office.books.events.bookedOn', { day: formatDate(bookedAt, locale, shop.timeZone, 'date') })]),
    ...(isRebuilt ? [t('office.books.events.rebuilt')] : []),
  ];
  return notes.length === 0 ? null : <span className="block text-ink-soft">{notes.join(' · ')}</span>;
}
