/** What the pages of an order share: the labels of its states, its money, its parts, and its ticket. */

import type { ReactNode } from 'react';
import { TicketMark } from '#brand/browser.ts';
import { addressLines, receiverLines } from '#contract/addresses.ts';
import type { CheckoutMethod } from '#contract/limits.ts';
import { inLocale, type MessageKey, splitLocale } from '#contract/locales.ts';
import { paidMessages } from '#contract/payment-providers.ts';
import type { OrderBrief } from '#contract/schemas/account.ts';
import type { LineItem, Order, OrderState } from '#contract/schemas/order.ts';
import type { AppContent, PickupLocation } from '#contract/schemas/shop.ts';
import { LinkButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { formatDate, formatMoney, formatTotal } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { type ApiClient, callQuery } from '#web/lib/api.ts';
import { payReturnKey, writeTab } from '#web/lib/tab-storage.ts';
import { urls } from '#web/lib/urls.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Money } from '#web/ui/price.tsx';
import './ticket.css';

export const orderQuery = (api: ApiClient, id: string) =>
  callQuery(api, 'order', { params: { id } }, { enabled: id !== '' });

/** A point before each step, and a line from it to the next. */
const stepClass = cx(
  'relative pb-5 pl-9 last:pb-0',
  'before:absolute before:top-[0.4em] before:left-1 before:z-1 before:size-3.5 before:rounded-full before:border-2',
  'not-last:after:absolute not-last:after:top-[1em] not-last:after:-bottom-[0.6em] not-last:after:left-[calc(0.6875rem-1px)] not-last:after:border-l-2',
);

export function OrderTimeline({ order }: { order: Order }) {
  const t = useT();
  const locale = useLocale();
  const { state, method, placedAt } = order;
  const been = order.timeline ?? (placedAt === null ? [] : [{ state, at: placedAt }]);
  const stopped = state === 'cancelled' || state === 'lapsed';
  return (
    <ol>
      {been.map(({ state: step, at }, index) => {
        const last = index === been.length - 1;
        return (
          <li
            key={step}
            className={cx(
              stepClass,
              last && stopped ? 'before:border-clay before:bg-clay' : 'before:border-action before:bg-action',
              last ? 'after:border-line' : 'after:border-action',
            )}
            aria-current={last ? 'step' : undefined}
          >
            <span className="block font-semibold">{t(orderStateLabel(step, method))}</span>
            <span className="block text-ink-soft text-sm">
              {formatDate(at, locale, order.timeZone, 'dayTime')}
            </span>
          </li>
        );
      })}
      {statesAhead(state, method).map((step) => (
        <li
          key={step}
          className={cx(stepClass, 'text-ink-soft before:border-edge before:bg-paper after:border-line')}
        >
          <span className="block">{t(orderStateLabel(step, method))}</span>
          <span className="block text-sm">{t('account.state.ahead')}</span>
        </li>
      ))}
    </ol>
  );
}

/** What was sent, and where each parcel is tracked. */
export function OrderShipments({ order: { shipments = [], lineItems, state } }: { order: Order }) {
  const t = useT();
  if (shipments.length === 0) return null;
  return (
    <div className="flex flex-col gap-4">
      {shipments.map(({ id, carrier, trackingNumber, trackingUrl, lines }) => (
        <div key={id}>
          <p className="font-semibold">{t('order.parcel')}</p>
          {lineItems.map((item) => {
            const quantity = lines.find(({ line }) => line === item.id)?.quantity;
            return (
              quantity && (
                <p key={item.id}>
                  {quantity} × {[item.productName, item.optionText].filter(Boolean).join(' · ')}
                </p>
              )
            );
          })}
          <p className="text-ink-soft text-sm">{[carrier, trackingNumber].filter(Boolean).join(' ')}</p>
          {trackingUrl && (
            <a href={trackingUrl} rel="noopener" className="link inline-flex min-h-11 items-center">
              {t('order.track')}
            </a>
          )}
        </div>
      ))}
      {state === 'placed' && <p>{t('order.parcel.more')}</p>}
    </div>
  );
}

/** The ordered pieces in a row, which the ticket lists by name. */
export function OrderPictures({ lines }: { lines: readonly LineItem[] }) {
  const shown = lines.flatMap(({ id, image }) => (image ? [{ id, image }] : []));
  if (shown.length === 0) return null;
  return (
    <div className="flex gap-3 overflow-hidden print:hidden" aria-hidden>
      {shown.slice(0, 6).map(({ id, image }) => (
        <span key={id} className="w-40 min-w-0 shrink-[0.5]">
          <Picture image={image} sizes="10rem" alt="" shape="square" />
        </span>
      ))}
    </div>
  );
}

/** The state of an order as a word with a dot, filled while the order is under way. */
export function StateLine({ state, method }: Pick<Order, 'state' | 'method'>) {
  const t = useT();
  const stopped = state === 'cancelled' || state === 'lapsed';
  return (
    <p className={cx('mt-1 flex items-center gap-2 font-medium', stopped ? 'text-clay' : 'text-action')}>
      <span
        aria-hidden
        className={cx('size-2.5 rounded-full border-2 border-current', isUnderWay(state) && 'bg-current')}
      />
      {t(orderStateLabel(state, method))}
    </p>
  );
}

/** A completed shipment reads as delivered, a completed pickup as picked up. */
export function orderStateLabel(state: OrderState, method: CheckoutMethod | null): MessageKey {
  switch (state) {
    case 'completed':
      return `account.state.completed.${method ?? 'shipping'}`;
    case 'ready':
      return method === 'instore' ? 'account.state.ready.instore' : 'account.state.ready';
    case 'reserved':
    case 'shipped':
    case 'cancelled':
    case 'lapsed':
      return `account.state.${state}`;
    case 'placed':
      return 'account.state.placed';
    default:
      return 'account.state.open';
  }
}

/** The states still to come after `state`, in order; none after the last one, or for a cancelled order. */
export function statesAhead(state: OrderState, method: CheckoutMethod | null): OrderState[] {
  const states: OrderState[] =
    method === 'shipping'
      ? ['placed', 'shipped', 'completed']
      : method === 'pickup'
        ? ['placed', 'ready', 'completed']
        : ['placed', 'completed'];
  if (state === 'cancelled' || state === 'lapsed') return [];
  const at = states.indexOf(state === 'reserved' ? 'placed' : state);
  return at < 0 ? states.slice(-1).filter((last) => last !== state) : states.slice(at + 1);
}

export function isUnderWay(state: OrderState): boolean {
  return state !== 'completed' && state !== 'cancelled' && state !== 'lapsed';
}

/** How an order was paid, or whether it is to be paid; null if there is nothing to pay. */
export function paymentWords({ state, payment, payments = [], paid = 0 }: Order): MessageKey | null {
  if (!payment) return null;
  if (!payment.paid && (state === 'cancelled' || state === 'lapsed')) return 'account.order.notPaid';
  if (!payment.paid) return paid > 0 ? 'account.order.paidPart' : 'account.order.unpaid';
  if (payments.length > 1) return 'account.order.paidSum';
  if (payment.method === 'payAtStore') return 'account.order.paidAtStore';
  return paidMessages(payment.method).account;
}

const counterWords = {
  cash: 'account.order.paidCash',
  terminal: 'account.order.paidTerminal',
  other: 'account.order.paidAtStore',
} as const;

/** How one of several payments was made. */
function paidWords({
  provider,
  kind,
}: Pick<NonNullable<Order['payments']>[number], 'provider' | 'kind'>): MessageKey {
  return kind ? counterWords[kind] : paidMessages(provider).account;
}

/** How an order was paid; each payment if there are several, or something is due. */
export function OrderMoney({ order }: { order: Order }) {
  const t = useT();
  const locale = useLocale();
  const { payments = [], paid = 0, due = 0, dueVersion, timeZone } = order;
  const { currency } = order.bill;
  const words = paymentWords(order);
  if (
    payments.length < 2 &&
    !payments.some(({ rounding }) => rounding !== undefined) &&
    (due === 0 || (paid === 0 && dueVersion === undefined))
  )
    return words && <p className="font-semibold">{t(words)}</p>;
  const refunded = payments.reduce((sum, payment) => sum + payment.refunded, 0);
  return (
    <dl className="flex flex-col gap-2 text-left">
      {payments.map((payment) => (
        <Row
          key={`${payment.at}${payment.provider}`}
          label={t(paidWords(payment))}
          cents={payment.amount}
          currency={currency}
        >
          <span className="block text-ink-soft">{formatDate(payment.at, locale, timeZone, 'dateTime')}</span>
          {payment.rounding !== undefined && (
            <span className="block text-ink-soft">
              {t('account.order.rounding')} {formatMoney(payment.rounding, locale, currency)}
            </span>
          )}
        </Row>
      ))}
      {refunded > 0 && <Row label={t('bill.refunded')} cents={-refunded} currency={currency} />}
      <Row label={t('account.order.paidSum')} cents={paid} currency={currency} sums />
      {due > 0 && <Row label={t('account.order.due')} cents={due} currency={currency} sums />}
    </dl>
  );
}

/** What is due of an order, with the way to pay it online; nothing if that cannot be. */
export function DueNotice({ order }: { order: Order }) {
  const { bill, paid = 0, due = 0, dueVersion } = order;
  const t = useT();
  const locale = useLocale();
  const money = (cents: number) => formatTotal(cents, locale, bill.currency, order);
  if (dueVersion === undefined) return null;
  return (
    <Notice silent title={t('account.order.owing', { paid: money(paid), due: money(due) })}>
      <LinkButton
        href={urls.payment({ due: dueVersion })}
        className="mt-3"
        onClick={() => writeTab(payReturnKey, splitLocale(location.pathname).pathname + location.search)}
      >
        {t('payment.pay', { amount: money(due) })}
      </LinkButton>
    </Notice>
  );
}

interface RowProps {
  label: string;
  cents: number;
  currency: string;
  sums?: boolean;
  children?: ReactNode;
}

function Row({ label, cents, currency, sums = false, children }: RowProps) {
  return (
    <div
      className={cx(
        'flex items-baseline justify-between gap-4',
        sums && 'border-line border-t pt-2 font-semibold',
      )}
    >
      <dt>
        {label}
        {children}
      </dt>
      <dd className="shrink-0">
        <Money cents={cents} currency={currency} />
      </dd>
    </div>
  );
}

interface TicketProps {
  order: Order;
  store: PickupLocation | undefined;
  shop: Pick<AppContent, 'extras' | 'shopName'> | undefined;
  /** The lines and the bill. */
  children: ReactNode;
}

const partClass = 'mt-4 border-edge border-t-[1.5px] border-dashed pt-4';

/** A placed order as a ticket: on the confirmation, the order's page, the page of its link, and on paper. */
export function Ticket({ order, store, shop, children }: TicketProps) {
  const t = useT();
  const locale = useLocale();
  const { orderNumber, placedAt, timeZone } = order;
  return (
    <aside className="ticket self-start" aria-label={t('ticket.title')}>
      <div className="ticket-paper">
        <header className="flex flex-col items-center gap-2 text-center">
          <TicketMark shop={shop} />
          <p className="font-serif text-lg">{shop?.shopName}</p>
          <p className="leading-tight">
            <span className="text-ink-soft text-sm">{t('confirm.number')}</span>
            <strong className="block font-semibold text-[3rem]/[1.1] tabular-nums">
              {counterNumber(orderNumber ?? '')}
            </strong>
            <span className="whitespace-nowrap text-ink-soft text-sm tabular-nums">{orderNumber}</span>
          </p>
          {placedAt !== null && (
            <p className="text-ink-soft text-sm">{formatDate(placedAt, locale, timeZone, 'dateTime')}</p>
          )}
        </header>
        <div className={partClass}>
          <Destination order={order} store={store} />
        </div>
        <div className={partClass}>{children}</div>
        <div className={`${partClass} text-center text-sm`}>
          <OrderMoney order={order} />
          {store && <p className="hidden text-ink-soft print:block">{store.phone}</p>}
        </div>
      </div>
    </aside>
  );
}

/** The part of an order number that is called at the counter: its last group, 000204 of MC-2026-000204. */
function counterNumber(orderNumber: string): string {
  return orderNumber.split('-').at(-1) ?? orderNumber;
}

export function Destination({ order, store }: Pick<TicketProps, 'order' | 'store'>) {
  const t = useT();
  const locale = useLocale();
  const { method, orderContact, tableNumber, partySize, pickupDate, deliveryMinutes, placedAt, timeZone } =
    order;
  const name = store && inLocale(store.nameContent, locale);
  const lines =
    method === 'shipping'
      ? receiverLines({ ...order, contact: orderContact })
      : [name, ...(store ? addressLines(store.address) : [])];
  const delivered =
    deliveryMinutes === undefined || placedAt === null ? null : placedAt + deliveryMinutes * 60_000;
  const at = pickupDate ?? delivered;
  const when = at === null ? null : formatDate(at, locale, timeZone, 'dayTime');
  return (
    <>
      <p className="font-semibold text-lg">
        {tableNumber
          ? t('account.order.table', { table: tableNumber })
          : t(`checkout.method.${method ?? 'shipping'}`)}
      </p>
      {partySize !== undefined && (
        <p className="text-sm">
          {t('checkout.partySize.label')} {partySize}
        </p>
      )}
      {when && <p className="font-semibold text-lg">{when}</p>}
      {lines.filter(Boolean).map((line) => (
        <p key={line} className="text-sm">
          {line}
        </p>
      ))}
    </>
  );
}

/** The pickup under way with the earliest time; one without a time comes last. */
export function nextPickup(orders: readonly OrderBrief[]): OrderBrief | undefined {
  const waiting = orders.filter(({ method, state }) => method === 'pickup' && isUnderWay(state));
  return waiting.toSorted(
    (a, b) => (a.pickupDate ?? Number.MAX_VALUE) - (b.pickupDate ?? Number.MAX_VALUE),
  )[0];
}
