import type { ReactNode } from 'react';
import { billRows, rowKey, shareOf } from '#contract/bill-rows.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import type { LineItem, Order, OrderState, Promised } from '#contract/schemas/order.ts';
import type { StaffTranslate } from '#contract/staff/messages.ts';
import type { OrderRow } from '#contract/staff/orders.ts';
import { IconButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { formatCalendarDay, formatDate, formatMoney } from '#ui/format.ts';
import { useT } from '#ui/i18n.tsx';
import { useOffice, useStores } from '../../lib/me.tsx';

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg">{title}</h2>
      {children}
    </section>
  );
}

/** What of a refund is handed over in cash, as the drawer and the books have it; nothing if none of it is. Smallest units. */
export function CashBack({ cash, currency }: { cash: number | null; currency: string }) {
  const { t, locale } = useOffice();
  return (
    <p className="font-semibold empty:hidden" aria-live="polite">
      {cash === null ? null : t('office.refund.cash', { amount: formatMoney(cash, locale, currency) })}
    </p>
  );
}

const waiting: readonly OrderState[] = ['placed', 'reserved'];
const over: readonly OrderState[] = ['completed', 'cancelled', 'lapsed'];

/** Said in words; the colour repeats what is to be done: filled for a new order, tinted for one under way. */
export function StateBadge({
  state,
  isPartlyShipped,
  isRefunded,
}: {
  state: OrderState;
  isPartlyShipped: boolean;
  isRefunded: boolean;
}) {
  const { t } = useOffice();
  const look =
    !isRefunded && waiting.includes(state) && !isPartlyShipped
      ? 'border-action bg-action text-on-action'
      : isRefunded || over.includes(state)
        ? 'border-line text-ink-soft'
        : 'border-action bg-action-tint text-action';
  return (
    <span className={cx('inline-block rounded-full border px-3 py-0.5 text-sm first-letter:uppercase', look)}>
      {isRefunded
        ? t('office.orders.refunded')
        : isPartlyShipped
          ? t('office.orders.partlyShipped')
          : t(`orders.state.${state}`)}
    </span>
  );
}

/** How an order is sent, and by when. */
export function deliveryTexts(t: StaffTranslate, delivery: Promised, locale: Locale, timeZone: string) {
  const { nameContent, dueAt, sendBy, arrival } = delivery;
  const day = (date: string) => formatCalendarDay(date, locale);
  return {
    way: nameContent ? inLocale(nameContent, locale) : t('orders.method.shipping'),
    promise: [
      ...(dueAt === null
        ? []
        : [t('orders.promise.deliverBy', { time: formatDate(dueAt, locale, timeZone, 'shortDayTime') })]),
      ...(sendBy ? [t('orders.promise.sendBy', { date: day(sendBy) })] : []),
      ...(arrival
        ? [t('orders.promise.arrival', { from: day(arrival.earliest), to: day(arrival.latest) })]
        : []),
    ].join(' · '),
  };
}

/** How, where and when the buyer gets the order. */
export function PlaceText({
  order,
}: {
  order: Pick<OrderRow, 'method' | 'store' | 'table' | 'pickupAt' | 'timeZone' | 'delivery'>;
}) {
  const { t, locale } = useOffice();
  const { method, store, table, pickupAt, timeZone, delivery } = order;
  const { nameOf } = useStores();
  const sent = delivery && deliveryTexts(t, delivery, locale, timeZone);
  return (
    <>
      <span className="block first-letter:uppercase">
        {[
          sent ? sent.way : method && t(`orders.method.${method}`),
          table !== null && t('office.orders.table', { table }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <span className="block text-ink-soft">
        {[
          store !== null && (nameOf(store) ?? store),
          pickupAt !== null && formatDate(pickupAt, locale, timeZone, 'shortDayTime'),
          sent?.promise,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </>
  );
}

export function Lines({ order }: { order: Order }) {
  const { locale } = useOffice();
  const shared = useT();
  const { lineItems, bill, method } = order;
  return (
    <>
      <ul className="divide-y divide-line border-line border-y">
        {lineItems.map((line) => (
          <li key={line.id} className="grid grid-cols-[3rem_1fr_auto] gap-x-3 py-3">
            <span className="font-semibold tabular-nums">{line.quantity} ×</span>
            <LineText line={line} />
            <span className="text-right tabular-nums">
              {formatMoney(line.lineTotal, locale, bill.currency)}
              {shareOf(bill, line.id) > 0 && (
                <span className="block text-ink-soft text-sm">
                  {shared('bill.lineDiscount', {
                    amount: formatMoney(shareOf(bill, line.id), locale, bill.currency),
                    code: bill.coupon?.code ?? '',
                  })}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <dl className="flex flex-col gap-1">
        {billRows(bill, { method, settled: order }).map((row) => {
          const { kind, label, cents } = row;
          const isSum = kind === 'total' || kind === 'afterRefund';
          return (
            <div
              key={rowKey(row)}
              className={cx('flex justify-between gap-4 tabular-nums', isSum && 'font-semibold')}
            >
              <dt className={isSum ? undefined : 'text-ink-soft'}>
                {'key' in label ? shared(label.key, label.values) : inLocale(label.text, locale)}
              </dt>
              <dd>{cents !== null && formatMoney(cents, locale, bill.currency)}</dd>
            </div>
          );
        })}
      </dl>
    </>
  );
}

export function LineText({
  line,
}: {
  line: Pick<LineItem, 'productName' | 'optionText' | 'modifierText' | 'note' | 'sku'>;
}) {
  const { productName, optionText, modifierText, note, sku } = line;
  return (
    <div className="min-w-0">
      <p>{productName}</p>
      {[optionText, modifierText].filter(Boolean).map((text) => (
        <p key={text} className="text-sm">
          {text}
        </p>
      ))}
      {note && <p className="font-semibold text-clay text-sm">“{note}”</p>}
      <p className="text-ink-soft text-sm">{sku}</p>
    </div>
  );
}

interface StepperProps {
  /** Of what, for whoever hears the buttons. */
  product: string;
  quantity: number;
  most: number;
  onChange: (quantity: number) => void;
  /** The quantity as it is shown, if not by itself. */
  text?: string;
}

export function Stepper({ product, quantity, most, onChange, text }: StepperProps) {
  const { t } = useOffice();
  const fewer = t('office.refund.fewer', { product });
  return (
    <>
      <IconButton
        icon="minus"
        label={fewer}
        disabled={quantity === 0}
        onClick={() => onChange(quantity - 1)}
      />
      <output className={cx('text-center tabular-nums', text ? 'min-w-14' : 'min-w-8')}>
        {text ?? quantity}
      </output>
      <IconButton
        icon="plus"
        label={t('office.refund.more', { product })}
        disabled={quantity >= most}
        onClick={() => onChange(quantity + 1)}
      />
    </>
  );
}

/** Links that write to somebody and call them. */
export function Reach({ email, phone }: { email: string; phone: string }) {
  const link = 'inline-flex min-h-11 items-center break-all underline underline-offset-4';
  return (
    <>
      {email && (
        <a className={link} href={`mailto:${email}`}>
          {email}
        </a>
      )}
      {phone && (
        <a className={link} href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>
          {phone}
        </a>
      )}
    </>
  );
}

/** Each text on a line of its own. */
export function Blocks({ texts }: { texts: readonly (string | null | undefined)[] }) {
  return texts.filter(Boolean).map((text) => (
    <span key={text} className="block">
      {text}
    </span>
  ));
}
