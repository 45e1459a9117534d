/**
 * Reserves money of a payment for a refund, in one transaction with the refund's row, so that parallel requests never refund more
 * than was paid.
 */
import { randomUUID } from 'node:crypto';
import { formatMerchantMoney } from '#contract/money.ts';
import type { Trx } from '#db/database.ts';
import { FulfilmentError } from './fulfilment/fulfilment-error.ts';
import type { Payment } from './payment.ts';
import { findPaymentOf, reserveForRefund } from './payments.repository.ts';
import { disputedCents } from './provider-activity.repository.ts';
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

/** The id of the refund of a payment that arrived too late for its order. */
export const lateRefundId = (payment: Payment) => `late-${payment.id}`;

export function createRefundReservations({ now }: { now: () => number }) {
  function refundOf(payment: Payment, id: string, amount: number, tip: number, { reason, note = '' }: Words): Refund {
    const { id: paymentId, orderId, currency } = payment;
    const fresh = { state: 'due', providerNote: null, needsAttention: false, createdAt: now() } as const;
    return { id, paymentId, orderId, amount, tip, currency, reason, customerNote: note, ...fresh };
  }

  async function reserve(trx: Trx, payment: Payment, amount: number, tip: number, words: Words): Promise<DueRefund> {
    const { currency, provider } = payment;
    const left = refundableAmount(payment);
    const disputed = await disputedCents(trx, payment.id);
    if (disputed > 0 && amount > left.goods + left.tip - disputed)
      throw new FulfilmentError(
        `${formatMerchantMoney(disputed, currency)} of it is disputed at ${provider} and cannot be refunded as well.`,
      );
    if (amount <= 0 || !(await reserveForRefund(trx, payment.id, amount, tip)))
      throw new FulfilmentError(
        `The amount is more than can be refunded: ${formatMerchantMoney(left.goods, currency)} and ${formatMerchantMoney(left.tip, currency)} of the tip.`,
      );
    const refund = refundOf(payment, randomUUID(), amount, tip, words);
    await insertRefund(trx, refund);
    return { refund, payment };
  }

  return {
    /**
     * Reserves money of an order's payment for a refund.
     * @throws {FulfilmentError} if the order was not paid online, or not enough is left
     */
    async open(trx: Trx, orderId: string, { amount, tip = false, ...words }: RefundRequest): Promise<DueRefund> {
      const payment = await findPaymentOf(trx, orderId, 'succeeded');
      if (!payment) throw new FulfilmentError('The order was not paid online, so there is nothing to refund.');
      const left = refundableAmount(payment);
      if (tip) {
        const wanted = amount ?? left.tip;
        return reserve(trx, payment, wanted, wanted, words);
      }
      if (amount === undefined) return reserve(trx, payment, left.goods + left.tip, left.tip, words);
      return reserve(trx, payment, amount, 0, words);
    },

    /** Like `open` for all that is left; null if nothing is left, or nothing was paid online. */
    async openRest(trx: Trx, orderId: string, reason: string): Promise<DueRefund | null> {
      const payment = await findPaymentOf(trx, orderId, 'succeeded');
      if (!payment) return null;
      const { goods, tip } = refundableAmount(payment);
      // The bank returns disputed money.
      const rest = goods + tip - (await disputedCents(trx, payment.id));
      return rest <= 0 ? null : reserve(trx, payment, rest, Math.max(rest - goods, Math.min(tip, rest)), { reason });
    },

    /** Reserves the whole of a payment that arrived too late for its order. Idempotent. */
    async openLate(trx: Trx, payment: Payment): Promise<void> {
      const refund = refundOf(payment, lateRefundId(payment), payment.amount, payment.tip, { reason: 'paid too late' });
      if (await insertRefund(trx, refund)) await reserveForRefund(trx, payment.id, payment.amount, payment.tip);
    },
  };
}

/** The refundable amounts in cents. */
function refundableAmount({ amount, tip, refunded, refundedTip }: Payment): { goods: number; tip: number } {
  return { goods: amount - tip - (refunded - refundedTip), tip: tip - refundedTip };
}
