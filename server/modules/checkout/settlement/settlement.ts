/**
 * What becomes of an order as its payment is charged, declined or refunded: the port that payments call (`Payables`). Only this
 * places a paid order, whichever of the browser, a webhook or reconciliation reports the payment first.
 */
import type { Trx } from '#db/database.ts';
import {
  askAboutStock,
  enqueuePaymentReceipt,
  enqueueRefundEmail,
  enqueueUncollectedEmail,
  feedOrder,
  findOrder,
  frozenLinesOf,
  locationOf,
  lockCartCopies,
  type OrderHead,
  type OrderSettings,
  placeHeldOrder,
  recordReceived,
  resolveCartCopy,
  returnToCart,
  slotOf,
  slotUseOf,
  transitionOrder,
  unitsOf,
  updateOrder,
} from '#server/modules/orders/index.ts';
import {
  attemptEnded,
  balanceOf,
  findPayment,
  type Paid,
  type Payables,
  type Payment,
  type PaymentReference,
  succeedPending,
  transitionPayment,
  writeLateRefund,
} from '#server/modules/payments/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { holdForCharge, holdForPaid, releaseUncharged } from '../placement/order-stock.ts';
import { type Moment, type PlacementDeps, sellAndConfirm } from '../placement/place-order.ts';

export function createSettlement(deps: PlacementDeps): Payables {
  const { db, now, orders, holds, stock, mail, orderEvents } = deps;
  return {
    async hold(payment) {
      try {
        await db.transaction((trx) => holdForCharge(stock, trx, payment, now()));
        return null;
      } catch (error) {
        if (error instanceof AppError) return error;
        throw error;
      }
    },
    release: (payment) => db.transaction((trx) => releaseUncharged(stock, trx, payment, now())),
    async waits(trx, { orderId }, until) {
      // What is still due of a reservation is paid without its hold.
      if ((await findOrder(trx, orderId))?.state === 'paying') await stock.shorten(trx, orderId, until);
    },
    async paid(payment) {
      const settings = await orders.settings();
      return db.transaction((trx) => completePayment(deps, trx, payment, settings));
    },
    failed: (trx, { orderId }) => returnToCart(deps, trx, orderId, 'payment failed'),
    expire: holds.expirePayment,
    expireAll: holds.expireHolds,
    async refunded(trx, refund, by) {
      await orderEvents.recordRefund(trx, refund);
      // The email of a cancellation says what is handed back.
      const isTold =
        by === 'shop' || (by === 'counter' && (await findOrder(trx, refund.orderId))?.state !== 'cancelled');
      if (isTold) await enqueueRefundEmail(trx, mail, refund);
    },
    refundFailed: (trx, refund) => enqueueRefundEmail(trx, mail, refund, 'refundFailed'),
    async uncollected(trx, { id, orderId, amount }) {
      const order = await updateOrder(trx, orderId, { updated_at: now() });
      if (!order || order.placedAt === null) return;
      await feedOrder(trx, order, order.updatedAt);
      await enqueueUncollectedEmail(trx, mail, order, { id, amount });
    },
    askAboutStock: (trx, orderId) => askAboutStock(trx, orderId, now()),
  };
}

/**
 * Places the order of a payment that succeeded, or pays what is still due of a placed one. Called again it returns the same order. A
 * payment for stock that is gone, or of more than is due, has to be refunded; null once it has been refunded, or if there is no such
 * attempt.
 */
async function completePayment(
  deps: PlacementDeps,
  trx: Trx,
  { provider, reference }: PaymentReference,
  settings: OrderSettings,
): Promise<Paid | null> {
  const at = deps.now();
  const pending = await succeedPending(trx, provider, reference, at);
  const held = await placeHeldOrder(trx, provider, reference, at);
  if (held) {
    await sellAndConfirm(deps, trx, held, { at, settings });
    return { orderID: held.id, refund: null, isNew: true };
  }
  const found = await findPayment(trx, provider, reference);
  if (!found) return null;
  const payment: Payment = pending === null ? found : { ...found, state: 'pending' };
  if (
    pending === null &&
    !(await transitionPayment(trx, payment.id, ['pending', 'lapsed', 'failed'], 'succeeded', at))
  ) {
    const current = await findPayment(trx, provider, reference);
    if (current?.state === 'refundDue') return { orderID: null, refund: current, isNew: false };
    return current?.state === 'succeeded' ? { orderID: payment.orderId, refund: null, isNew: false } : null;
  }
  const placed = await placePaidOrder(deps, trx, payment, { at, settings });
  if (!placed) return keepWhatIsDue(deps, trx, payment, at);
  await sellAndConfirm(deps, trx, placed, { at, settings });
  return { orderID: placed.id, refund: null, isNew: true };
}

/** Of a payment that places no order, a placed order keeps what is due. The rest, or all of it, is refunded. */
async function keepWhatIsDue(deps: PlacementDeps, trx: Trx, payment: Payment, at: number): Promise<Paid> {
  const { id, orderId, amount, state } = payment;
  // Locks the order: another payment may arrive at the same time.
  const order = await updateOrder(trx, orderId, { updated_at: at });
  // The customer was told that a failed attempt took nothing.
  const back =
    order && state !== 'failed' ? Math.min(amount, (await balanceOf(trx, orderId)).excess) : amount;
  if (!order || back === amount) {
    await transitionPayment(trx, id, ['succeeded'], 'refundDue', at, attemptEnded);
    await writeLateRefund(trx, payment, amount, at);
    return { orderID: null, refund: payment, isNew: true };
  }
  if (back > 0) await writeLateRefund(trx, payment, back, at);
  await recordReceived(deps, trx, order);
  await enqueuePaymentReceipt(trx, deps.mail, order, { id, amount: amount - back });
  return { orderID: orderId, refund: back > 0 ? payment : null, isNew: true };
}

/** Null if the order can no longer be placed: the payment had failed before, or the stock is gone. */
async function placePaidOrder(
  deps: PlacementDeps,
  trx: Trx,
  payment: Payment,
  { at, settings }: Moment,
): Promise<OrderHead | null> {
  const { orderId, provider, state } = payment;
  if (state === 'pending' && !(await holdForPaid(deps.stock, trx, orderId, at))) {
    await returnToCart(deps, trx, orderId, 'sold out before it was paid');
    return null;
  }
  if (state === 'failed') return null;
  const placed = await transitionOrder(trx, orderId, {
    from: 'paying',
    to: 'placed',
    at,
    reason: `paid by ${provider}`,
  });
  return placed ?? placeExpiredOrder(deps, trx, payment, { at, settings });
}

/**
 * Places an order whose hold had expired before its payment arrived. Null if its stock or the last use of its coupon is gone, or
 * if the cart that replaced it has been bought or is being paid.
 */
async function placeExpiredOrder(
  { coupons, stock, pickup }: PlacementDeps,
  trx: Trx,
  payment: Payment,
  { at, settings }: Moment,
): Promise<OrderHead | null> {
  const expired = await findOrder(trx, payment.orderId);
  const location = expired && locationOf(expired);
  // A reservation that expired was placed before, without a payment.
  if (!expired || !location || expired.state !== 'lapsed' || expired.placedAt !== null) return null;
  const copies = await lockCartCopies(trx, expired);
  if (copies.some(({ state }) => state !== 'cart' && state !== 'lapsed')) return null;
  const code = expired.bill?.coupon?.code;
  if (code !== undefined && !(await coupons.reserveUseAgain(trx, expired, code))) return null;
  const lines = await frozenLinesOf(trx, expired.id);
  const short = await stock.hold(trx, expired.id, unitsOf(lines), { location, until: null });
  if (short.length > 0) {
    await coupons.releaseUse(trx, expired.id);
    await stock.release(trx, expired.id);
    return null;
  }
  const slot = slotOf(expired);
  if (slot) {
    const use = slotUseOf(lines, slot.storeId, settings);
    await pickup.forceReserve(trx, slot.storeId, { orderId: expired.id, at: slot.at }, use);
  }
  const reason = `paid late by ${payment.provider}`;
  const order = await transitionOrder(trx, expired.id, { from: 'lapsed', to: 'placed', at, reason });
  // Rolls back the hold just taken; reconciliation asks about the payment again.
  if (!order) throw new Error('An expired order changed while it was being placed');
  for (const copy of copies) if (copy.state === 'cart') await resolveCartCopy(trx, copy, order);
  return order;
}
