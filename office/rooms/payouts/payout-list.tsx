/** The payouts of a range, what waits, and what is in one of them. */
import type { ReactNode } from 'react';
import { formatMoney } from '#contract/formatters.ts';
import { wayText } from '#contract/staff/messages.ts';
import type { Payout, SettlementRow, Settlements } from '#contract/staff/settlements.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { formatCalendarDay, formatDate } from '#ui/format.ts';
import { MoreButton, usePages } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { OrderLink } from '../../lib/order-link.tsx';
import { Scrolled } from '../../lib/scrolled.tsx';
import { Problem } from '../../lib/send-form.tsx';

/** In the address: the provider and its id of a payout; `-` for what is in none. */
const addressOf = (provider: string, payout: string) => `${provider} ${payout}`;

export function PayoutList({
  settlements,
  onOpen,
}: {
  settlements: Settlements;
  onOpen: (payout: string) => void;
}) {
  const { t, locale, shop } = useOffice();
  const { payouts, waiting, providers, more } = settlements;
  const says = new Map(providers.map((each) => [each.provider, each]));
  const day = (at: number | null) => (at === null ? '' : formatDate(at, locale, shop.timeZone));
  return (
    <div className="flex flex-col gap-6">
      {waiting.length > 0 && (
        <ul className="flex flex-wrap gap-4">
          {waiting.map(({ provider, currency, net, gross, rows }) => (
            <li key={`${provider} ${currency}`}>
              <button
                type="button"
                className="flex flex-col items-start gap-1 rounded-md border border-line bg-raised px-4 py-3 text-left hover:border-line-strong"
                onClick={() => onOpen(addressOf(provider, '-'))}
              >
                <span className="text-ink-soft text-sm">
                  {wayText(t, provider)} ·{' '}
                  {says.get(provider)?.rowsOfPayouts
                    ? t('office.payouts.waiting')
                    : t('office.payouts.waitingNone', { provider: wayText(t, provider) })}
                </span>
                <span className="font-semibold text-lg tabular-nums">
                  {formatMoney(net ?? gross, locale, currency)}
                </span>
                <span className="text-ink-soft text-sm">{t('office.payouts.rows', { count: rows })}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {payouts.length === 0 ? (
        <p className="text-ink-soft">{t('office.payouts.none')}</p>
      ) : (
        <Table
          label={t('office.payouts')}
          heads={(['arrives', 'provider', 'state', 'inside', 'gross', 'fee', 'amount', 'bank'] as const).map(
            (name) => t(`office.payouts.${name}`),
          )}
          numbers={[3, 4, 5, 6]}
        >
          {payouts.map((payout) => (
            <PayoutLine
              key={addressOf(payout.provider, payout.payout)}
              payout={payout}
              day={day}
              onOpen={onOpen}
            />
          ))}
        </Table>
      )}
      {more && <p className="text-ink-soft">{t('office.payouts.moreHint')}</p>}
    </div>
  );
}

function PayoutLine({
  payout,
  day,
  onOpen,
}: {
  payout: Payout;
  day: (at: number | null) => string;
  onOpen: (id: string) => void;
}) {
  const { t, locale } = useOffice();
  const {
    provider,
    payout: id,
    state,
    at,
    arrives,
    currency,
    amount,
    gross,
    fee,
    rows,
    bank,
    complete,
  } = payout;
  const money = (cents: number | null) =>
    cents === null ? t('office.payouts.unsaid') : formatMoney(cents, locale, currency);
  return (
    <tr>
      <td>
        <button
          type="button"
          className="min-h-11 underline underline-offset-4"
          onClick={() => onOpen(addressOf(provider, id))}
        >
          {day(arrives ?? at)}
        </button>
      </td>
      <td>{wayText(t, provider)}</td>
      <td className={cx(state === 'failed' && 'font-semibold text-danger')}>
        {t(`office.payouts.state.${state}`)}
      </td>
      <td>{complete || rows > 0 ? rows : t('office.payouts.unsaid')}</td>
      <td>{rows > 0 ? money(gross) : t('office.payouts.unsaid')}</td>
      <td>{rows > 0 ? money(fee) : t('office.payouts.unsaid')}</td>
      <td className="font-semibold">{money(amount)}</td>
      <td className={cx(bank === null && 'text-ink-soft')}>
        {bank === null
          ? t('office.payouts.notYet')
          : t('office.payouts.arrived', { day: formatCalendarDay(bank.day, locale, 'date') })}
        {bank !== null && bank.amount !== amount && ` (${money(bank.amount)})`}
      </td>
    </tr>
  );
}

/** A table that scrolls sideways where it does not fit. `numbers`: columns that are aligned right. */
export function Table({
  label,
  heads,
  numbers,
  children,
}: {
  label: string;
  heads: readonly string[];
  numbers: readonly number[];
  children: ReactNode;
}) {
  const right = numbers.map((at) => rightColumns[at] ?? '');
  return (
    <Scrolled label={label}>
      <table
        className={cx(
          'w-full tabular-nums max-form:text-sm [&_:is(td,th):not(:first-child)]:pl-4 [&_:is(td,th)]:whitespace-nowrap [&_td]:py-2 [&_th]:py-2 [&_th]:text-left [&_tr]:border-line [&_tr]:border-b',
          ...right,
        )}
      >
        <thead className="text-ink-soft text-sm">
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="font-semibold">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Scrolled>
  );
}

const rightColumns: readonly string[] = [
  '',
  '[&_:is(td,th):nth-child(2)]:text-right',
  '[&_:is(td,th):nth-child(3)]:text-right',
  '[&_:is(td,th):nth-child(4)]:text-right',
  '[&_:is(td,th):nth-child(5)]:text-right',
  '[&_:is(td,th):nth-child(6)]:text-right',
  '[&_:is(td,th):nth-child(7)]:text-right',
];

interface RowsProps {
  query: { from: string; to: string };
  /** As in the address. */
  payout: string;
  settlements: Settlements;
  onClose: () => void;
}

export function PayoutRows({ query: { from, to }, payout, settlements, onClose }: RowsProps) {
  const { t, call } = useOffice();
  const [provider = '', ...rest] = payout.split(' ');
  const id = rest.join(' ');
  const query = { from, to, provider, payout: id };
  const list = usePages(
    ['settlement-rows', query],
    (page) => call('settlementRows', { query: { ...query, ...page } }),
    ({ after }) => (after === null ? null : { after }),
  );
  const rows = list.pages.flatMap((page) => page.rows);
  const known = settlements.payouts.find((each) => each.provider === provider && each.payout === id);
  return (
    <section className="flex flex-col gap-4">
      <Button
        label={t('office.payouts.back')}
        variant="secondary"
        size="small"
        className="min-h-11 self-start"
        onClick={onClose}
      />
      <h2 className="break-all text-xl">
        {wayText(t, provider)} ·{' '}
        {id === '-' ? t('office.payouts.waiting') : t('office.payouts.pageOf', { payout: id })}
      </h2>
      <Problem error={list.error} />
      {known && !known.complete && known.rows === 0 && (
        <p className="text-ink-soft">{t('office.payouts.noRows', { provider: wayText(t, provider) })}</p>
      )}
      {rows.length > 0 && (
        <Table
          label={t('office.payouts.inside')}
          heads={(['time', 'kind', 'order', 'gross', 'fee', 'net'] as const).map((name) =>
            t(`office.payouts.${name}`),
          )}
          numbers={[3, 4, 5]}
        >
          {rows.map((row) => (
            <RowLine key={`${row.provider} ${row.id}`} row={row} />
          ))}
        </Table>
      )}
      <MoreButton list={list} label={t('office.payouts.more')} />
    </section>
  );
}

function RowLine({ row }: { row: SettlementRow }) {
  const { t, locale, shop } = useOffice();
  const { kind, at, currency, order, gross, fee, net, url, provider, type, state } = row;
  const money = (cents: number | null) =>
    cents === null ? t('office.payouts.unsaid') : formatMoney(cents, locale, currency);
  return (
    <tr>
      <td>{formatDate(at, locale, shop.timeZone)}</td>
      <td>
        {t(`office.payouts.kind.${kind}`)}
        {kind === 'other' && <span className="text-ink-soft"> · {type}</span>}
        {state === 'pending' && <span className="text-ink-soft"> · {t('office.payouts.state.pending')}</span>}
        {url && (
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="ml-3 text-ink-soft text-sm underline underline-offset-4"
          >
            {t('office.payouts.open', { provider: wayText(t, provider) })}
          </a>
        )}
      </td>
      <td>{order && <OrderLink number={order} />}</td>
      <td>{money(gross)}</td>
      <td>{money(fee)}</td>
      <td>{money(net)}</td>
    </tr>
  );
}
