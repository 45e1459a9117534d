/**
 * Writes refunds: money of a payment is set aside in one transaction with the refund's row, so that parallel requests never refund
 * more than was paid. `send-refund.ts` sends them.
 */
import { randomUUID } from 'node:crypto';
import { formatMerchantMoney } from '#contract/money.ts';
import type { Trx } from '#db/database.ts';
import { OperationError } from '#server/platform/errors.ts';
import type { Payment } from '../attempts/payment.ts';
import { findPaymentOf, reserveForRefund } from '../attempts/payments.repository.ts';
import { disputedCents } from '../disputes/activity.repository.ts';
import { insertRefund, type Refund } from './refunds.repository.ts';

export interface RefundRequest {
  /** Cents; left out: all that is left of the tip, or of the whole payment. */
  amount?: number | undefined;
  /** Refunds from the tip; otherwise from everything except the tip, unless `amount` is left out. */
  tip?: boolean | undefined;
  /** For the merchant's records. */
  reason: string;
  /** For the buyer, in the email; '' for nothing. */
  note?: string | undefined;
}

export interface DueRefund {
  refund: Refund;
  payment: Payment;
}

type Words = Pick<RefundRequest, 'reason' | 'note'>;
/** Cents, `tip` included in `amount`. */
type Money = Pick<Refund, 'amount' | 'tip'>;

export const lateRefundId = (payment: Payment) => `late-${payment.id}`;

/**
 * Sets money of an order's payment aside for a refund; `at` is epoch ms.
 * @throws {OperationError} if the order was not paid online, or not enough is left
 */
export async function writeRefund(trx: Trx, orderId: string, request: RefundRequest, at: number): Promise<DueRefund> {
  const { amount, tip = false, ...words } = request;
  const payment = await findPaymentOf(trx, orderId, 'succeeded');
  if (!payment) throw new OperationError('error.refund.notPaidOnline');
  const left = refundableAmount(payment);
  const wanted = tip
    ? { amount: amount ?? left.tip, tip: amount ?? left.tip }
    : amount === undefined
      ? { amount: left.goods + left.tip, tip: left.tip }
      : { amount, tip: 0 };
  return setAside(trx, payment, wanted, words, at);
}

/** Like `writeRefund` for all that is left; null if nothing is left, or nothing was paid online. */
export async function writeRefundOfRest(trx: Trx, orderId: string, reason: string, at: number): Promise<DueRefund | null> {
  const payment = await findPaymentOf(trx, orderId, 'succeeded');
  if (!payment) return null;
  const { goods, tip } = refundableAmount(payment);
  // The bank returns disputed money.
  const rest = goods + tip - (await disputedCents(trx, payment.id));
  if (rest <= 0) return null;
  return setAside(trx, payment, { amount: rest, tip: Math.max(rest - goods, Math.min(tip, rest)) }, { reason }, at);
}

/** Sets aside the whole of a payment that arrived too late for its order. Idempotent. */
export async function writeLateRefund(trx: Trx, payment: Payment, at: number): Promise<void> {
  const refund = refundOf(payment, lateRefundId(payment), payment, { reason: 'paid too late' }, at);
  if (await insertRefund(trx, refund)) await reserveForRefund(trx, payment.id, payment.amount, payment.tip);
}

async function setAside(trx: Trx, payment: Payment, { amount, tip }: Money, words: Words, at: number): Promise<DueRefund> {
  const { currency, provider } = payment;
  const left = refundableAmount(payment);
  const disputed = await disputedCents(trx, payment.id);
  if (disputed > 0 && amount > left.goods + left.tip - disputed)
    throw new OperationError('error.refund.disputed', { amount: formatMerchantMoney(disputed, currency), provider });
  if (amount <= 0 || !(await reserveForRefund(trx, payment.id, amount, tip)))
    throw new OperationError('error.refund.tooMuch', {
      amount: formatMerchantMoney(left.goods, currency),
      tip: formatMerchantMoney(left.tip, currency),
    });
  const refund = refundOf(payment, randomUUID(), { amount, tip }, words, at);
  await insertRefund(trx, refund);
  return { refund, payment };
}

function refundOf(payment: Payment, id: string, { amount, tip }: Money, { reason, note = '' }: Words, at: number): Refund {
  const { id: paymentId, orderId, currency } = payment;
  const fresh = { state: 'due', providerNote: null, needsAttention: false, createdAt: at } as const;
  return { id, paymentId, orderId, amount, tip, currency, reason, customerNote: note, ...fresh };
}

function refundableAmount({ amount, tip, refunded, refundedTip }: Payment): { goods: number; tip: number } {
  return { goods: amount - tip - (refunded - refundedTip), tip: tip - refundedTip };
}
