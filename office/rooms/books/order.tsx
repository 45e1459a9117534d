/** The money of one order, without its buyer: for people who see the books and no orders. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { inLocale } from '#contract/locales.ts';
import { taxLabel } from '#contract/rules/tax-labels.ts';
import type { BookOrder } from '#contract/staff/book-order.ts';
import {
  accountText,
  eventText,
  partText,
  personText,
  placeText,
  treatmentText,
} from '#contract/staff/book-words.ts';
import { wayText } from '#contract/staff/messages.ts';
import { isApart } from '#contract/tax-treatments.ts';
import { cx } from '#ui/cx.ts';
import { formatDate, formatMoney } from '#ui/format.ts';
import { Link } from '#ui/link.tsx';
import { HeadRow } from '../../lib/head-row.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Scrolled } from '../../lib/scrolled.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { TextLink } from '../../lib/text-link.tsx';
import { StateBadge } from '../orders/order-parts.tsx';
import { tableClass } from './figures.tsx';
import { BooksFrame } from './frame.tsx';
import { useStoreName } from './span.tsx';

export default function BooksOrder() {
  const { number = '' } = useParams({ strict: false }) as { number?: string };
  const { call, locale } = useOffice();
  const { data, error } = useQuery({
    queryKey: ['book-order', number, locale],
    queryFn: () => call('bookOrder', { params: { number } }),
  });
  return (
    <BooksFrame page={null}>
      <Problem error={error} />
      {data && <Sheet order={data} />}
    </BooksFrame>
  );
}

function useWords({ currency }: BookOrder) {
  const { locale, shop } = useOffice();
  return {
    money: (cents: number) => formatMoney(cents + 0, locale, currency),
    time: (at: number) => formatDate(at, locale, shop.timeZone, 'dateTime'),
  };
}

function Sheet({ order }: { order: BookOrder }) {
  const { t, may } = useOffice();
  const { money, time } = useWords(order);
  const nameOf = useStoreName();
  const { number, state, placedAt, store, owed, isImported } = order;
  return (
    <>
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="text-xl">{t('office.books.order', { number })}</h2>
        <StateBadge state={state} isPartlyShipped={false} isRefunded={false} />
        {owed !== 0 && (
          <span className="font-semibold">
            {t(owed > 0 ? 'office.books.order.owed' : 'office.books.order.owedBack', {
              amount: money(Math.abs(owed)),
            })}
          </span>
        )}
        <p className="w-full text-ink-soft">
          {time(placedAt)} · {nameOf(store)}
        </p>
        {isImported && <p className="w-full text-ink-soft">{t('office.books.order.imported')}</p>}
        {may.includes('orders.read') && (
          <TextLink href={`/office/orders/${encodeURIComponent(number)}`}>
            {t('office.books.order.whole')}
          </TextLink>
        )}
      </header>
      <Bill order={order} />
      {!isImported && <Money order={order} />}
      <Settlements order={order} />
      {!isImported && <Entries order={order} />}
    </>
  );
}

interface PlainTableProps {
  caption: string;
  heads: readonly string[];
  children: ReactNode;
  /** How many of the first columns are texts. */
  texts?: number;
}

/** A table whose first columns are texts, and the others amounts. */
function PlainTable({ caption, heads, children, texts = 1 }: PlainTableProps) {
  const left =
    ['', '', '[&_:is(td,th):nth-child(2)]:text-left!', '[&_:is(td,th):nth-child(-n+3)]:text-left!'][texts] ??
    '';
  return (
    <Scrolled label={caption}>
      <table className={cx(tableClass, left, texts === 1 && '[&_td]:whitespace-nowrap')}>
        <caption className="pb-2 text-left font-semibold text-lg">{caption}</caption>
        <HeadRow heads={heads} />
        {children}
      </table>
    </Scrolled>
  );
}

function Bill({ order }: { order: BookOrder }) {
  const { t, locale } = useOffice();
  const { money } = useWords(order);
  const { bill, parts } = order;
  if (!bill) return <p className="text-ink-soft">{t('office.books.order.noBill')}</p>;
  const sums: [string, number][] = [
    [t('office.books.account.sales'), bill.subtotal],
    ...(bill.discount === 0
      ? []
      : [[t('office.books.account.discounts'), -bill.discount] as [string, number]]),
    ...(bill.shipping === 0 ? [] : [[t('office.books.account.shipping'), bill.shipping] as [string, number]]),
    ...(bill.serviceCharge === 0
      ? []
      : [[t('office.books.account.service'), bill.serviceCharge] as [string, number]]),
    ...bill.taxLines.map(({ label, amount }): [string, number] => [label, amount]),
    ...(bill.tip === 0 ? [] : [[t('office.books.account.tips'), bill.tip] as [string, number]]),
  ];
  const heads = [
    t('office.books.column.what'),
    t('office.books.column.units'),
    t('office.books.account.discounts'),
    t('office.books.order.beforeTax'),
    t('office.books.account.tax'),
    t('office.books.column.amount'),
  ];
  return (
    <PlainTable caption={t('office.books.order.bill')} heads={heads}>
      <tbody>
        {parts.map((part, index) => {
          const taxes = part.taxes.reduce((sum, { amount }) => sum + amount, 0);
          const notes = [
            ...(part.sku === null ? [] : [part.sku]),
            ...(part.detailContent ? [inLocale(part.detailContent, locale)] : []),
            ...part.taxes.map(({ label, amount }) => `${label} ${money(amount)}`),
            ...(isApart(part.treatment) ? [treatmentText(t, part.treatment)] : []),
          ];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id, and never move
            <tr key={index}>
              <th scope="row" className="text-left font-normal">
                {part.nameContent ? inLocale(part.nameContent, locale) : partText(t, part.of)}
                <span className="block text-ink-soft text-sm">{notes.join(' · ')}</span>
              </th>
              <td>{part.units === 0 ? null : part.units}</td>
              <td>{part.discount === 0 ? null : money(-part.discount)}</td>
              <td>{money(part.base)}</td>
              <td>{money(taxes)}</td>
              <td>{money(part.base + taxes)}</td>
            </tr>
          );
        })}
      </tbody>
      <tfoot>
        {sums.map(([name, cents]) => (
          <tr key={name}>
            <th scope="row" colSpan={5} className="text-left font-normal">
              {name}
            </th>
            <td>{money(cents)}</td>
          </tr>
        ))}
        <tr className="font-semibold">
          <th scope="row" colSpan={5} className="text-left">
            {t('office.takings.total')}
          </th>
          <td>{money(bill.total)}</td>
        </tr>
      </tfoot>
    </PlainTable>
  );
}

/** An id of a provider, which may lead to its page there. */
const ProviderId = ({ id, url }: { id: string; url: string | null }) =>
  url ? (
    <Link href={url} className="break-all underline underline-offset-4" target="_blank">
      {id}
    </Link>
  ) : (
    <span className="break-all">{id}</span>
  );

/** Payments, each with what went back of it, and disputes. */
function Money({ order }: { order: BookOrder }) {
  const { t } = useOffice();
  const { money, time } = useWords(order);
  const { payments, refunds, disputes } = order;
  if (payments.length === 0) return null;
  const heads = [
    t('office.books.events.what'),
    t('office.books.events.when'),
    t('office.books.account.tips'),
    t('office.books.account.rounding'),
    t('office.books.column.amount'),
  ];
  const some = (cents: number) => (cents === 0 ? null : money(cents));
  return (
    <PlainTable caption={t('office.order.payments')} heads={heads} texts={2}>
      <tbody>
        {payments.map((payment) => (
          <Fragment key={payment.id}>
            <tr>
              <th scope="row" className="text-left font-normal">
                {wayText(t, payment.kind ?? payment.provider)} ·{' '}
                {t(
                  `office.order.payment.${payment.kind && payment.state === 'failed' ? 'undone' : payment.state}`,
                )}
                <span className="block text-ink-soft text-sm">
                  <ProviderId id={payment.providerId} url={payment.url} />
                </span>
              </th>
              <td>{time(payment.at)}</td>
              <td>{some(payment.tip)}</td>
              <td>{some(payment.rounding)}</td>
              <td>{money(payment.amount)}</td>
            </tr>
            {refunds
              .filter((refund) => refund.payment === payment.id)
              .map((refund) => (
                <tr key={refund.id}>
                  <th scope="row" className="pl-4 text-left font-normal">
                    {t(`office.order.refund.${refund.state}`)}
                  </th>
                  <td>{time(refund.at)}</td>
                  <td>{some(-refund.tip)}</td>
                  <td>{refund.cash === null ? null : some(refund.amount - refund.cash)}</td>
                  <td>{money(-refund.amount)}</td>
                </tr>
              ))}
          </Fragment>
        ))}
        {disputes.map((dispute) => (
          <tr key={dispute.id}>
            <th scope="row" className="text-left font-normal">
              {t(`office.order.dispute.${dispute.state}`)}
              <span className="block text-ink-soft text-sm">
                <ProviderId id={dispute.id} url={dispute.url} />
              </span>
            </th>
            <td>{time(dispute.at)}</td>
            <td />
            <td />
            <td>{money(dispute.amount)}</td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

function Settlements({ order }: { order: BookOrder }) {
  const { t, locale } = useOffice();
  const { time } = useWords(order);
  if (order.settlements.length === 0) return null;
  const heads = [
    t('office.payouts.kind'),
    t('office.books.events.when'),
    t('office.books.order.payout'),
    t('office.payouts.gross'),
    t('office.payouts.fee'),
    t('office.payouts.net'),
  ];
  return (
    <PlainTable caption={t('office.books.order.settlements')} heads={heads} texts={3}>
      <tbody>
        {order.settlements.map(
          ({ provider, id, kind, type, state, at, payout, currency, gross, fee, net, url }) => {
            const money = (cents: number | null) =>
              cents === null ? t('office.payouts.unsaid') : formatMoney(cents, locale, currency);
            return (
              <tr key={`${provider} ${id}`}>
                <th scope="row" className="text-left font-normal">
                  {kind === 'other' ? type : t(`office.payouts.kind.${kind}`)} · {wayText(t, provider)}
                  <span className="block text-ink-soft text-sm">
                    <ProviderId id={id} url={url} />
                  </span>
                </th>
                <td>{time(at)}</td>
                <td className="break-all">{payout ?? t(`office.payouts.state.${state}`)}</td>
                <td>{money(gross)}</td>
                <td>{money(fee)}</td>
                <td>{money(net)}</td>
              </tr>
            );
          },
        )}
      </tbody>
    </PlainTable>
  );
}

function Entries({ order }: { order: BookOrder }) {
  const { t, locale, shop } = useOffice();
  const { money, time } = useWords(order);
  const names = new Map(order.names.map(({ id, name }) => [id, name]));
  if (order.events.length === 0) return <p className="text-ink-soft">{t('office.books.events.none')}</p>;
  const heads = [
    t('office.books.column.account'),
    t('office.books.order.debit'),
    t('office.books.order.credit'),
  ];
  return (
    <PlainTable caption={t('office.books.order.entries')} heads={heads}>
      {order.events.map(({ id, kind, at, bookedAt, person, isRebuilt, entries }) => (
        <tbody key={id}>
          <tr className="bg-surface-inset">
            <th scope="rowgroup" colSpan={3} className="px-2 text-left">
              {eventText(t, kind)}
              <span className="font-normal text-ink-soft text-sm">
                {' · '}
                {[
                  time(at),
                  ...(bookedAt === at
                    ? []
                    : [
                        t('office.books.events.bookedOn', {
                          day: formatDate(bookedAt, locale, shop.timeZone, 'date'),
                        }),
                      ]),
                  personText(t, person, names),
                  ...(isRebuilt ? [t('office.books.events.rebuilt')] : []),
                ].join(' · ')}
              </span>
            </th>
          </tr>
          {entries.map((entry, index) => {
            const { account, part, place, tax, rate, way, sku, amount } = entry;
            const details = [
              ...(tax === '' ? [] : [taxLabel({ tax, rate })]),
              ...(way === '' ? [] : [wayText(t, way)]),
              ...(part === '' ? [] : [partText(t, part)]),
              ...(sku === null ? [] : [sku]),
              ...(place === '' ? [] : [placeText(t, place, names)]),
            ];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries are never moved
              <tr key={index}>
                <th scope="row" className="text-left font-normal">
                  {accountText(t, account)}
                  {details.length > 0 && (
                    <span className="text-ink-soft text-sm"> · {details.join(' · ')}</span>
                  )}
                </th>
                <td>{amount > 0 ? money(amount) : null}</td>
                <td>{amount < 0 ? money(-amount) : null}</td>
              </tr>
            );
          })}
        </tbody>
      ))}
    </PlainTable>
  );
}
