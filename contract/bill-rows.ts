/**
 * A bill as rows, for whoever shows one: the screens and the mails. Nothing is worked out here; every
 * amount is the server's.
 */
import type { CheckoutMethod } from './limits.ts';
import type { LocalText, MessageKey } from './locales.ts';
import type { Bill, Order } from './schemas/order.ts';

export interface BillRow {
  kind: 'subtotal' | 'discount' | 'coupon' | 'shipping' | 'tax' | 'tip' | 'total' | 'refund' | 'afterRefund';
  /** A message with its values, or a text as it is. */
  label: { key: MessageKey; values?: Record<string, string> } | { text: string };
  /** Cents; negative for what is taken off. Null where there is no amount to show. */
  cents: number | null;
  /** Said in place of an amount. */
  word?: MessageKey;
  /** Cents it was before a coupon. */
  was?: number;
  /** When it was, epoch ms. */
  at?: number;
  /** Under the label: what the coupon is, or why it does not hold. */
  note?: { text: LocalText; bad: boolean };
}

export interface BillRowsOptions {
  /** Shipping has no row for an order that is picked up or served. */
  method: CheckoutMethod | null;
  /** Said where shipping or tax is not known yet. */
  later?: MessageKey;
  /** Cents of shipping to show before the bill is final; null: not known. */
  shipping?: number | null;
  /** What was given back, or is about to be. */
  refunds?: Order['refunds'] | undefined;
}

/** Lines → coupon → shipping → tax → tip → total → refunds. The rows above the total sum to it. */
export function billRows(bill: Bill, { method, later = 'bill.later', shipping, refunds = [] }: BillRowsOptions): BillRow[] {
  const shipped = method !== 'pickup' && method !== 'instore';
  const known = bill.final ? bill.shipping : (shipping ?? null);
  return [
    { kind: 'subtotal', label: { key: 'bill.subtotal' }, cents: bill.subtotal },
    ...couponRows(bill),
    ...(shipped ? [shippingRow(known, bill.final ? bill.shippingSaved : 0, later)] : []),
    ...(bill.final
      ? bill.taxLines.map(({ label, amount }): BillRow => ({ kind: 'tax', label: { text: label }, cents: amount }))
      : [{ kind: 'tax', label: { key: 'bill.tax' }, cents: null, word: later } as const]),
    ...(bill.tip > 0 ? [{ kind: 'tip', label: { key: 'bill.tip' }, cents: bill.tip } as const] : []),
    { kind: 'total', label: { key: bill.final ? 'bill.total' : 'bill.estimatedTotal' }, cents: bill.total },
    ...refundRows(bill.total, refunds),
  ];
}

function refundRows(total: number, refunds: NonNullable<Order['refunds']>): BillRow[] {
  if (refunds.length === 0) return [];
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0);
  return [
    ...refunds.map(({ amount, tip, at }): BillRow => {
      return { kind: 'refund', label: { key: tip === amount ? 'bill.refundedTip' : 'bill.refunded' }, cents: -amount, at };
    }),
    { kind: 'afterRefund', label: { key: 'bill.afterRefund' }, cents: total - refunded },
  ];
}

/** What the coupon takes off the goods; one that takes off nothing, or does not hold, has a row all the same. */
function couponRows({ coupon, couponCode, discount }: Bill): BillRow[] {
  const code = coupon?.code ?? couponCode;
  if (discount > 0) {
    const label = code ? ({ key: 'bill.discountCode', values: { code } } as const) : ({ key: 'bill.discount' } as const);
    return [{ kind: 'discount', label, cents: -discount }];
  }
  if (!coupon) return [];
  const holds = coupon.state === 'applied';
  return [
    {
      kind: 'coupon',
      label: { key: 'bill.coupon', values: { code: coupon.code } },
      cents: null,
      ...(holds ? {} : { word: 'bill.couponNot' }),
      note: holds ? { text: coupon.nameContent, bad: false } : { text: { en: coupon.message }, bad: true },
    },
  ];
}

function shippingRow(cents: number | null, saved: number, later: MessageKey): BillRow {
  return {
    kind: 'shipping',
    label: { key: 'bill.shipping' },
    cents,
    ...(cents === null ? { word: later } : cents === 0 ? { word: 'bill.free' as const } : {}),
    ...(saved > 0 ? { was: (cents ?? 0) + saved } : {}),
  };
}
