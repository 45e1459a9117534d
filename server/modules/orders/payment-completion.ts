/**
 * The only function that places a paid order, whichever of the browser, a webhook or reconciliation reports the payment first.
 */
import type { Trx } from '#db/database.ts';
import { lockCartCopies, resolveCartCopy } from './cart/cart-copies.repository.ts';
import { locationOf, type OrderHead, slotOf } from './order/order.ts';
import { frozenLinesOf } from './order/order-lines.repository.ts';
import { returnToCart } from './order/order-release.ts';
import type { OrderSettings } from './order/order-settings.ts';
import { findOrder, placeHeldOrder, transitionOrder } from './order/orders.repository.ts';
import { sellAndConfirm } from './order-confirmation.ts';
import { createOrderStock } from './order-stock.ts';
import type { Payment } from './payment.ts';
import { attemptEnded } from './payment-vocabulary.ts';
import { findPayment, succeedPending, transitionPayment } from './payments.repository.ts';
import type { CompletedOrder, PlacementDeps } from './placement-types.ts';

/**
 * Places the order of a payment that succeeded. Called again it returns the same order. A payment for stock that is gone, or for
 * an order that is paid already, has to be refunded; null once it has been refunded, or if there is no such attempt.
 */
export async function completePayment(
  deps: PlacementDeps,
  trx: Trx,
  provider: string,
  reference: string,
  settings: OrderSettings,
): Promise<CompletedOrder | null> {
  const at = deps.now();
  // Asked together: the second finds what the first has changed.
  const [pending, held] = await Promise.all([
    succeedPending(trx, provider, reference, at),
    placeHeldOrder(trx, provider, reference, at),
  ]);
  if (held) {
    const [, completed] = await Promise.all([held.record(), confirmPaid(deps, trx, provider, held.order, at, settings)]);
    return completed;
  }
  const found = await findPayment(trx, provider, reference);
  if (!found) return null;
  const payment: Payment = pending === null ? found : { ...found, state: 'pending' };
  const done: CompletedOrder = { orderID: payment.orderId, refund: null };
  if (pending === null && !(await transitionPayment(trx, payment.id, ['pending', 'lapsed', 'failed'], 'succeeded', at))) {
    const current = await findPayment(trx, provider, reference);
    if (current?.state === 'refundDue') return { orderID: null, refund: current };
    return current?.state === 'succeeded' ? done : null;
  }
  const placed = await placePaidOrder(deps, trx, payment, at);
  if (!placed) {
    await transitionPayment(trx, payment.id, ['succeeded'], 'refundDue', at, attemptEnded);
    await deps.refunds.openLate(trx, payment);
    deps.metrics.paymentEnded(trx, provider, 'late');
    return { orderID: null, refund: payment };
  }
  return confirmPaid(deps, trx, provider, placed, at, settings);
}

async function confirmPaid(
  deps: PlacementDeps,
  trx: Trx,
  provider: string,
  placed: OrderHead,
  at: number,
  settings: OrderSettings,
): Promise<CompletedOrder> {
  await sellAndConfirm(deps, trx, placed, at, settings);
  deps.metrics.paymentEnded(trx, provider, 'succeeded');
  return { orderID: placed.id, refund: null };
}

/** Null if the order can no longer be placed: the payment had failed before, or the stock is gone. */
async function placePaidOrder(deps: PlacementDeps, trx: Trx, payment: Payment, at: number): Promise<OrderHead | null> {
  const { orderId, provider, state } = payment;
  if (state === 'pending' && !(await createOrderStock(deps).holdForPaid(trx, orderId, at))) {
    await returnToCart(deps, trx, orderId, 'sold out before it was paid');
    return null;
  }
  if (state === 'failed') return null;
  const placed = await transitionOrder(trx, orderId, { from: 'paying', to: 'placed', at, reason: `paid by ${provider}` });
  return placed ?? placeExpiredOrder(deps, trx, payment, at);
}

/**
 * Places an order whose hold had expired before its payment arrived. Null if its stock or the last use of its coupon is gone, or
 * if the cart that replaced it has been bought or is being paid.
 */
async function placeExpiredOrder(
  { coupons, stock, pickup }: PlacementDeps,
  trx: Trx,
  payment: Payment,
  at: number,
): Promise<OrderHead | null> {
  const expired = await findOrder(trx, payment.orderId);
  const location = expired && locationOf(expired);
  if (!expired || !location || expired.state !== 'lapsed') return null;
  const copies = await lockCartCopies(trx, expired);
  if (copies.some(({ state }) => state !== 'cart' && state !== 'lapsed')) return null;
  const code = expired.bill?.coupon?.code;
  if (code !== undefined && !(await coupons.reserveUseAgain(trx, expired, code))) return null;
  const short = await stock.hold(trx, expired.id, await frozenLinesOf(trx, expired.id), location, null);
  if (short.length > 0) {
    await coupons.releaseUse(trx, expired.id);
    await stock.release(trx, expired.id);
    return null;
  }
  const slot = slotOf(expired);
  if (slot) await pickup.forceReserve(trx, slot.storeId, slot.at);
  const reason = `paid late by ${payment.provider}`;
  const order = await transitionOrder(trx, expired.id, { from: 'lapsed', to: 'placed', at, reason });
  // Rolls back the hold just taken; reconciliation asks about the payment again.
  if (!order) throw new Error('An expired order changed while it was being placed');
  for (const copy of copies) if (copy.state === 'cart') await resolveCartCopy(trx, copy, order);
  return order;
}
