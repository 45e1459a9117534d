import { type ReactNode, useState } from 'react';
import { type BillRow, billRows, isSum, rowKey } from '#contract/bill-rows.ts';
import type { ReadBy } from '#contract/formatters.ts';
import type { CheckoutMethod } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import type { Bill, Order } from '#contract/schemas/order.ts';
import { cx } from '#ui/cx.ts';
import { formatDate, formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { ChosenText } from '#web/ui/chosen-text.tsx';
import { LinePrice } from '#web/ui/line-price.tsx';
import { Money } from '#web/ui/price.tsx';

/** What the cart would cost at the shop's default destination, before the customer has named one. */
export interface AssumedBill {
  bill: Bill;
  /** The province or store whose tax it is, in the page's language; '' if unknown. */
  place: string;
  pickup: boolean;
  /** 'shipping', or dine-in and pickup where nothing is shipped. */
  method: CheckoutMethod;
}

export interface Estimate {
  method: CheckoutMethod | null;
  bill: Bill | null;
}

export interface BillViewProps {
  order: Pick<
    Order,
    'bill' | 'method' | 'tips' | 'tipRate' | 'tipAmount' | 'refunds' | 'paid' | 'due' | 'timeZone'
  > &
    Pick<ReadBy, 'shippingAddress'>;
  /** Given beside a form that decides on shipping and tax, where the order's own bill is outdated. */
  estimate?: Estimate | undefined;
  /** Shown while the order's own bill lacks shipping and tax. */
  assumed?: AssumedBill | undefined;
  /** A change is pending: the amounts are outdated and shown faded until the new ones arrive. */
  pending?: boolean;
  couponEnd?: ReactNode;
}

/** The rows sum to the total; the only component that shows a bill. Until a destination is known, it is labelled as an estimate. */
export function BillView({ order, estimate, assumed, pending = false, couponEnd }: BillViewProps) {
  const t = useT();
  const guess = order.bill.final || estimate ? undefined : assumed;
  const bill = guess?.bill ?? shownBill(order, estimate);
  const rows = billRows(bill, {
    method: estimate ? estimate.method : (guess?.method ?? order.method),
    ...(estimate ? { later: 'bill.unknown' } : {}),
    assumed: guess !== undefined,
    settled: order,
  });
  return (
    <div aria-busy={pending || undefined}>
      <dl className={cx('flex flex-col gap-2 transition-opacity', pending && 'opacity-55')}>
        {rows.map((row) => (
          <Row
            key={rowKey(row)}
            row={row}
            currency={bill.currency}
            timeZone={order.timeZone}
            readBy={estimate ? { method: estimate.method } : order}
          >
            {(row.kind === 'discount' || row.kind === 'coupon') && couponEnd}
            {guess && <AssumedNote kind={row.kind} {...guess} />}
          </Row>
        ))}
      </dl>
      {!bill.final && !estimate && !guess && (
        <p className="mt-3 text-ink-soft text-sm">{t('bill.estimated')}</p>
      )}
    </div>
  );
}

/** The bill to show: that of the form, or the order's own, of which shipping and tax are outdated beside a form. */
export function shownBill({ bill }: Pick<Order, 'bill'>, estimate: Estimate | undefined): Bill {
  if (!estimate) return bill;
  const goods = bill.subtotal - bill.discount;
  return estimate.bill ?? { ...bill, final: false, shipping: 0, taxLines: [], tax: 0, tip: 0, total: goods };
}

function AssumedNote({
  kind,
  place,
  pickup,
}: { kind: BillRow['kind'] } & Pick<AssumedBill, 'place' | 'pickup'>) {
  const t = useT();
  const text =
    kind === 'tax' && place
      ? t('bill.taxFor', { place })
      : kind === 'shipping' && pickup
        ? t('bill.pickupFree')
        : null;
  return text && <span className="block text-ink-soft text-sm">{text}</span>;
}

interface RowProps {
  row: BillRow;
  currency: string;
  timeZone: string;
  readBy: ReadBy;
  children: ReactNode;
}

function Row({ row, currency, timeZone, readBy, children }: RowProps) {
  const t = useT();
  const locale = useLocale();
  const { kind, label, cents, word, was, note, at, least } = row;
  const sums = isSum(kind);
  const amount = (value: number) => (
    <Money cents={value} currency={currency} readBy={sums ? readBy : undefined} />
  );
  return (
    <div
      className={cx(
        'flex items-baseline justify-between gap-4',
        sums && 'mt-2 border-line border-t pt-4 font-semibold',
        kind === 'refund' && 'mt-2',
      )}
    >
      <dt className="min-w-0">
        <span>{'text' in label ? inLocale(label.text, locale) : t(label.key, label.values)}</span>
        {at !== undefined && (
          <span className="block text-ink-soft text-sm">{formatDate(at, locale, timeZone, 'date')}</span>
        )}
        {children}
        {note && (
          <span className={cx('block text-sm', note.bad ? 'text-clay' : 'text-ink-soft')}>
            {inLocale(note.text, locale)}
          </span>
        )}
      </dt>
      <dd className={cx('shrink-0 text-right', sums && 'text-lg', cents === null && 'text-ink-soft text-sm')}>
        {was !== undefined && (
          <s className="mr-2 text-ink-soft">
            <span className="sr-only">{t('bill.was')} </span>
            <Money cents={was} currency={currency} />
          </s>
        )}
        <span>
          {word
            ? t(word)
            : cents !== null &&
              (least ? t('ui.price.from', { price: formatMoney(cents, locale, currency) }) : amount(cents))}
        </span>
      </dd>
    </div>
  );
}

export function Receipt({ order }: { order: Order }) {
  return (
    <>
      <TicketLines order={order} />
      <div className="mt-4 border-line border-t pt-4">
        <BillView order={order} />
      </div>
    </>
  );
}

function TicketLines({ order: { lineItems, bill } }: { order: Order }) {
  const t = useT();
  return (
    <ul className="flex flex-col gap-2 leading-snug" aria-label={t('bill.lines.title')}>
      {lineItems.map((line) => (
        <li key={line.id} className="flex items-baseline justify-between gap-4">
          <span className="min-w-0">
            {t('ticket.line', { count: line.quantity, product: line.productName })}
            <ChosenText line={line} className="text-ink-soft text-sm" />
          </span>
          <LinePrice line={line} bill={bill} />
        </li>
      ))}
    </ul>
  );
}

export interface BillEdit {
  change: (work: () => Promise<Order>) => Promise<Order>;
  /** Reloads the bill of a page that does not show the cart's own (SPEC §4). */
  reload?: () => Promise<unknown>;
}

/** Changes the bill. Resolves when the new bill is shown; rejects with the `ApiError` of a rejection. */
export async function changeBill({ change, reload }: BillEdit, work: () => Promise<Order>): Promise<Order> {
  const order = await change(work);
  await reload?.();
  return order;
}

export function useBillChange(edit: BillEdit) {
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<Order>): Promise<Order> => {
    setBusy(true);
    try {
      return await changeBill(edit, work);
    } finally {
      setBusy(false);
    }
  };
  return { busy, run };
}
