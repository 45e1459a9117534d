/** Builds the answers to the customer about an attempt to pay. */
import type { MessageKey } from '#contract/locales.ts';
import type { Paid } from '#contract/schemas/payment.ts';
import { attemptEnded, type OrdersService, type Payment, type RefundState } from '#server/modules/orders/index.ts';
import { AppError } from '#server/platform/errors.ts';
import type { PaymentFailure, PaymentOutcome } from './providers/provider.ts';

/**
 * The answer to a customer who waits for this attempt. `orderID` is the order that the attempt placed, if any.
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

/** The failure of a payment that arrived too late for its order, with the state of its refund. */
export async function latePaymentFailure(orders: OrdersService, payment: Payment): Promise<PaymentFailure> {
  const state = await orders.refunds.lateState(payment);
  return state ? { errorType: 'TRANSACTION_ERROR', errorKey: lateKeys[state] } : attemptEnded;
}

/** A gateway outage is a 503: a later retry may succeed. */
export function paymentError({ errorType, errorKey, errors }: PaymentFailure): AppError {
  return new AppError(errorType, {
    errorKey,
    ...(errors ? { errors } : {}),
    ...(errorType === 'SYSTEM_ERROR' ? { status: 503 } : {}),
  });
}
