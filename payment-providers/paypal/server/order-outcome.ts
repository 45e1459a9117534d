import type { Order, OrdersCapture } from '@paypal/paypal-server-sdk';
import { type Decisions, failedWith, settledBy } from '#server/modules/payments/providers/decisions.ts';
import {
  type Attempt,
  attemptEnded,
  type PaymentFailure,
  type PaymentOutcome,
} from '#server/modules/payments/providers/provider.ts';
import type { Approval, Approvals } from './approvals.ts';
import type { PayPalClient, PayPalRefusal } from './client.ts';
import { orderAmount } from './order.ts';
import { captureRefusal, declined, merchantNotes } from './refusals.ts';

export interface PayPalContext {
  /** The SDK is loaded with the first call. */
  client(): Promise<PayPalClient>;
  decisions: Decisions;
  approvals: Approvals;
}

/** Records that nothing was charged and, since no capture will be sent any more, nothing ever will be. */
export async function failAttempt(context: PayPalContext, reference: string, failure: PaymentFailure): Promise<PaymentOutcome> {
  const { name, decision } = await context.approvals.decide(reference, 'end', failure);
  if (decision.verdict === 'charge') await context.decisions.fail(name, failure);
  return settledBy(decision) ?? failedWith(failure);
}

export async function failRefused(
  context: PayPalContext,
  reference: string,
  failure: PaymentFailure,
  refusal: PayPalRefusal,
): Promise<PaymentOutcome> {
  const outcome = await failAttempt(context, reference, failure);
  return outcome.state === 'failed' ? { ...outcome, ...merchantNotes(failure, refusal) } : outcome;
}

export async function capture(context: PayPalContext, attempt: Attempt, orderId: string): Promise<PaymentOutcome> {
  const { decision } = await context.approvals.current(attempt.reference);
  // Once a capture may have been sent, its money has to reach the order, whatever is in stock.
  const soldOut = decision === null && attempt.hold !== undefined && !(await attempt.hold());
  if (soldOut) return failAttempt(context, attempt.reference, attemptEnded);
  const approval = await context.approvals.decide(attempt.reference, 'charge');
  const over = settledBy(approval.decision);
  if (over) return over;
  try {
    const order = await (await context.client()).captureOrder(orderId, `${approval.name}:capture`);
    return await outcomeOf(context, attempt, order, false);
  } catch (error) {
    if (error instanceof NotReturned) throw error;
    const refusal = asRefusal(error);
    return refusal ? await notCaptured(context, attempt, approval, orderId, refusal) : { state: 'undecided' };
  }
}

async function notCaptured(
  context: PayPalContext,
  attempt: Attempt,
  approval: Approval,
  orderId: string,
  refusal: PayPalRefusal,
): Promise<PaymentOutcome> {
  const read = captureRefusal(refusal);
  if (read === 'chooseAgain')
    return (await context.approvals.declined(approval))
      ? chooseAgain(orderId)
      : failAttempt(context, attempt.reference, declined);
  if (read !== 'look' && read !== 'unknown') return failRefused(context, attempt.reference, read, refusal);
  const order = await (await context.client()).findOrder(orderId).catch(() => null);
  if (!order) return { state: 'undecided' };
  if (read === 'unknown' && capturesOf(order).length === 0) return failAttempt(context, attempt.reference, declined);
  return outcomeOf(context, attempt, order, false);
}

/** Captures the order if only that is missing and `mayCapture`. */
export async function outcomeOf(
  context: PayPalContext,
  attempt: Attempt,
  order: Order,
  mayCapture: boolean,
): Promise<PaymentOutcome> {
  const [taken] = capturesOf(order);
  switch (taken?.status) {
    case 'COMPLETED':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
      if (!taken.amount) return { state: 'undecided' };
      return agrees(attempt, taken.amount) ? { state: 'succeeded' } : returnCapture(context, attempt, taken);
    case 'DECLINED':
    case 'FAILED':
      return failAttempt(context, attempt.reference, declined);
    case 'PENDING':
      return { state: 'undecided' };
  }
  switch (order.status) {
    case 'APPROVED':
      if (!mayCapture || !order.id) return { state: 'undecided' };
      return agrees(attempt, order.purchaseUnits?.[0]?.amount)
        ? capture(context, attempt, order.id)
        : failAttempt(context, attempt.reference, attemptEnded);
    case 'VOIDED':
      return failAttempt(context, attempt.reference, declined);
    case 'CREATED':
    case 'SAVED':
    case 'PAYER_ACTION_REQUIRED':
      return chooseAgain(order.id ?? '');
    default:
      return { state: 'undecided' };
  }
}

/** @throws {NotReturned} the money is there and belongs to no order */
async function returnCapture(
  context: PayPalContext,
  { reference }: Attempt,
  { id = '', status }: OrdersCapture,
): Promise<PaymentOutcome> {
  if (status === 'REFUNDED') return failAttempt(context, reference, attemptEnded);
  const refund = await (await context.client()).refundCapture(id, {}, `${reference}:other`).catch((error: unknown) => {
    throw new NotReturned(error instanceof Error ? error.message : String(error));
  });
  if (refund.status === 'FAILED' || refund.status === 'CANCELLED') throw new NotReturned(`the refund is ${refund.status}`);
  return failAttempt(context, reference, attemptEnded);
}

/** The next request tries again. */
export class NotReturned extends Error {
  override name = 'NotReturned';

  constructor(why: string) {
    super(`PayPal holds money of another amount than asked for, and does not give it back: ${why}`);
  }
}

export const chooseAgain = (orderId: string): PaymentOutcome => ({ state: 'action', action: { type: 'paypal', token: orderId } });

export const capturesOf = ({ purchaseUnits = [] }: Order): OrdersCapture[] =>
  purchaseUnits.flatMap(({ payments }) => payments?.captures ?? []);

export function agrees(attempt: Attempt, amount: { currencyCode: string; value: string } | undefined): boolean {
  const { currencyCode, value } = orderAmount(attempt);
  return amount?.currencyCode === currencyCode && Number(amount.value) === Number(value);
}

/** By name: importing the class would load the SDK. */
export function asRefusal(error: unknown): PayPalRefusal | null {
  return error instanceof Error && error.name === 'PayPalRefusal' ? (error as PayPalRefusal) : null;
}
