import type { CheckoutMethod } from './limits.ts';
import type { LocalText, MessageKey } from './locales.ts';
import type { Bill, Order } from './schemas/order.ts';

export interface BillRow {
  kind:
    | 'subtotal'
    | 'discount'
    | 'coupon'
    | 'shipping'
    | 'serviceCharge'
    | 'tax'
    | 'taxNumber'
    | 'exempt'
    | 'tip'
    | 'total'
    | 'refund'
    | 'afterRefund';
  /** Or a literal text. */
  label: { key: MessageKey; values?: Record<string, string> } | { text: LocalText };
  /** Negative for a deduction, null if there is no amount to show. */
  cents: number | null;
  /** In place of an amount. */
  word?: MessageKey;
  /** Before a coupon was applied. */
  was?: number;
  at?: number;
  /** The coupon's name, or why it does not apply. */
  note?: { text: LocalText; bad: boolean };
  /** Another destination or method may cost more. */
  least?: true;
}

/** Tells the rows of a bill apart. */
export const rowKey = ({ kind, label, at }: BillRow): string =>
  `${kind} ${JSON.stringify(label)} ${at ?? ''}`;

/** What a coupon for certain items takes off a line, cents; 0 for any other. */
export const shareOf = ({ coupon }: Pick<Bill, 'coupon'>, line: string): number =>
  coupon?.shares?.find((share) => share.line === line)?.amount ?? 0;

/** Whether a row says what the order comes to. */
export const isSum = (kind: BillRow['kind']): boolean => kind === 'total' || kind === 'afterRefund';

type Settled = Pick<Order, 'refunds' | 'paid' | 'due'>;

export interface BillRowsOptions {
  /** Picked up or served orders have no shipping row. */
  method: CheckoutMethod | null;
  /** Shown while shipping or tax is unknown. */
  later?: MessageKey;
  /** For the shop's default destination, before the customer has named one. */
  assumed?: boolean;
  /** Of a placed order: what was refunded, and what it comes to then. */
  settled?: Settled | undefined;
}

export function billRows(
  bill: Bill,
  { method, later = 'bill.later', assumed = false, settled = {} }: BillRowsOptions,
): BillRow[] {
  const shipped = method !== 'pickup' && method !== 'instore';
  const known = bill.final ? bill.shipping : null;
  return [
    { kind: 'subtotal', label: { key: 'bill.subtotal' }, cents: bill.subtotal },
    ...couponRows(bill),
    ...(shipped ? [shippingRow(known, bill.final ? bill.shippingSaved : 0, later, assumed)] : []),
    ...(bill.serviceCharge
      ? [
          {
            kind: 'serviceCharge',
            label: { text: bill.serviceCharge.nameContent },
            cents: bill.serviceCharge.amount,
          } as const,
        ]
      : []),
    ...(bill.final
      ? bill.taxLines.map(
          ({ label, amount }): BillRow => ({ kind: 'tax', label: { text: { en: label } }, cents: amount }),
        )
      : [{ kind: 'tax', label: { key: 'bill.tax' }, cents: null, word: later } as const]),
    // The law asks for the number beside the tax.
    ...(bill.taxNumbers ?? []).map(({ tax, number }): BillRow => {
      return { kind: 'taxNumber', label: { key: 'bill.taxNumber', values: { tax, number } }, cents: null };
    }),
    // And for the buyer's where the tax is missing.
    ...(bill.taxExemptions ?? []).map(({ number }): BillRow => {
      return { kind: 'exempt', label: { key: 'bill.exempt', values: { number } }, cents: null };
    }),
    ...(bill.tip > 0 ? [{ kind: 'tip', label: { key: 'bill.tip' }, cents: bill.tip } as const] : []),
    {
      kind: 'total',
      label: { key: bill.final && !assumed ? 'bill.total' : 'bill.estimatedTotal' },
      cents: bill.total,
    },
    ...refundRows(bill.total, settled),
  ];
}

/**
 * What the order comes to after refunds is what was paid and kept, with what is still due: a refund that corrects a payment lowers
 * nothing, and of a cancelled order nothing is due.
 */
function refundRows(total: number, { refunds = [], paid, due }: Settled): BillRow[] {
  if (refunds.length === 0) return [];
  const after = paid === undefined || due === undefined ? total : paid + due;
  return [
    ...refunds.map(({ amount, tip, at }): BillRow => {
      return {
        kind: 'refund',
        label: { key: tip === amount ? 'bill.refundedTip' : 'bill.refunded' },
        cents: -amount,
        at,
      };
    }),
    ...(after === total
      ? []
      : [{ kind: 'afterRefund', label: { key: 'bill.afterRefund' }, cents: after } as const]),
  ];
}

/** A coupon that takes nothing off or does not apply has a row as well. */
function couponRows({ coupon, couponCode, discount }: Bill): BillRow[] {
  const code = coupon?.code ?? couponCode;
  if (discount > 0) {
    const label = code
      ? ({ key: 'bill.discountCode', values: { code } } as const)
      : ({ key: 'bill.discount' } as const);
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

function shippingRow(cents: number | null, saved: number, later: MessageKey, assumed: boolean): BillRow {
  return {
    kind: 'shipping',
    label: { key: 'bill.shipping' },
    cents,
    ...(cents === null ? { word: later } : cents === 0 ? { word: 'bill.free' as const } : {}),
    ...(saved > 0 ? { was: (cents ?? 0) + saved } : {}),
    ...(assumed && cents ? { least: true as const } : {}),
  };
}
