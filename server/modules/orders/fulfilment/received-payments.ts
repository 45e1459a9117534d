/** Money that staff take for an order at the counter, and what follows once more of an order was paid. */
import { formatMerchantMoney } from '#contract/formatters.ts';
import type { CounterKind } from '#contract/limits.ts';
import type { Bill } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import {
  type Balance,
  balanceOf,
  counter,
  insertPayment,
  newAttempt,
  type Payable,
  shipToOf,
} from '#server/modules/payments/index.ts';
import { OperationError } from '#server/platform/errors.ts';
import type { OrderHead } from '../order/order.ts';
import type { OrderEvents } from '../order/order-webhooks.ts';
import { feedOrder } from '../order/orders.repository.ts';

/** What is paid of an order: all of a bill, or `total` of it. */
export function payableOf(order: OrderHead, { total: amount, tip, currency }: Pick<Bill, 'total' | 'tip' | 'currency'>): Payable {
  const { id: orderId, number: orderNumber, language: locale, contact } = order;
  return { orderId, orderNumber, amount, tip, currency, locale, contact, shipTo: shipToOf(order) };
}

/** A part of an order's bill, in cents. The tip is what is paid last. */
export function partOf(order: OrderHead, amount: number, { due, tip: paidTip }: Balance): Payable {
  const tipDue = Math.min(due, Math.max(0, (order.bill?.tip ?? 0) - paidTip));
  return payableOf(order, {
    total: amount,
    tip: Math.min(tipDue, Math.max(0, amount - (due - tipDue))),
    currency: order.currency,
  });
}

/**
 * Writes a payment that staff took for an order whose row the caller has locked: `amount` cents, all that is due if it is left out.
 * @throws {OperationError} if that much is not due
 */
export async function takePayment(
  trx: Trx,
  order: OrderHead,
  { kind, amount }: { kind: CounterKind; amount?: number | undefined },
  at: number,
): Promise<{ taken: number; due: number }> {
  const before = await balanceOf(trx, order.id);
  const { due } = before;
  const taken = amount ?? due;
  const number = order.number ?? '';
  if (order.placedAt === null || due === 0) throw new OperationError('error.order.nothingDue', { number });
  if (taken > due) throw new OperationError('error.order.lessDue', { amount: formatMerchantMoney(due, order.currency), number });
  await insertPayment(trx, { ...newAttempt(partOf(order, taken, before), counter, at), kind, state: 'succeeded' });
  return { taken, due: due - taken };
}

/** More of an order was paid: a reservation no longer expires, and receivers of events hear when nothing is due any more. */
export async function recordReceived(
  { stock, orderEvents }: { stock: StockService; orderEvents: OrderEvents },
  trx: Trx,
  order: OrderHead,
): Promise<void> {
  await stock.holdUntil(trx, order.id, null);
  await feedOrder(trx, order, order.updatedAt);
  if ((await balanceOf(trx, order.id)).due === 0) await orderEvents.record(trx, 'order.paid', order);
}
