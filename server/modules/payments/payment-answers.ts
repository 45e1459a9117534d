/** What the shopper is told about an attempt to pay. */
import type { MessageKey } from '#contract/locales.ts';
import type { Paid } from '#contract/schemas/payment.ts';
import { attemptEnded, type OrdersService, type Payment, type RefundState } from '#server/modules/orders/index.ts';
import { AppError } from '#server/platform/errors.ts';
import type { PaymentFailure, PaymentOutcome } from './provider.ts';

/**
 * The answer to a shopper who waits for this attempt. `orderID` is the order that the attempt placed, if any.
 * @throws {AppError} of SPEC §8 if the payment failed
 */
export async function answerShopper(
  orders: OrdersService,
  payment: Payment,
  outcome: PaymentOutcome,
  orderID: string | null,
): Promise<Paid> {
  if (orderID) return { orderID, action: null };
  switch (outcome.state) {
    case 'action':
      return { orderID: null, action: outcome.action };
    case 'succeeded':
      throw paymentError(await latePaymentFailure(orders, payment));
    case 'failed':
      throw paymentError(outcome.failure);
    case 'undecided':
      throw paymentError({ errorType: 'SYSTEM_ERROR', errorKey: 'payment.undecided' });
  }
}

const lateKeys = {
  due: 'payment.lateRefundDue',
  done: 'payment.lateRefunded',
  refused: 'payment.lateRefundFailed',
} as const satisfies Record<RefundState, MessageKey>;

/** The failure of a payment that came too late for its order: what became of its refund. */
export async function latePaymentFailure(orders: OrdersService, payment: Payment): Promise<PaymentFailure> {
  const state = await orders.refunds.lateState(payment);
  return state ? { errorType: 'TRANSACTION_ERROR', errorKey: lateKeys[state] } : attemptEnded;
}

/** A gateway that is out of order is a 503: trying again later may help. */
export function paymentError({ errorType, errorKey, errors }: PaymentFailure): AppError {
  return new AppError(errorType, {
    errorKey,
    ...(errors ? { errors } : {}),
    ...(errorType === 'SYSTEM_ERROR' ? { status: 503 } : {}),
  });
}
