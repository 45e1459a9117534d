/** Ends what an order holds (coupon use, stock, pickup slot), because it is not paid, not placed or not picked up. */
import { randomUUID } from 'node:crypto';
import type { Database, Trx } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { OutboxService } from '#server/modules/notifications/index.ts';
import { balanceOf, findPaymentOf, transitionPayment } from '#server/modules/payments/index.ts';
import type { PickupService } from '#server/modules/stores/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { enqueueOrderEmail } from '../emails/order-emails.ts';
import { currentDeadline } from '../order/deadlines.ts';
import { type OrderHead, slotOf } from '../order/order.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import type { OrderEvents } from '../order/order-webhooks.ts';
import { findOrder, transitionOrder, updateOrder } from '../order/orders.repository.ts';
import { copyAsCart } from './cart-copies.repository.ts';

export interface HeldByOrders {
  now: () => number;
  coupons: { releaseUse(trx: Trx, orderId: string): Promise<void> };
  stock: StockService;
  pickup: PickupService;
}

interface HoldsDeps extends HeldByOrders {
  db: Database;
  mail: OutboxService;
  orderEvents: OrderEvents;
  settings: () => Promise<OrderSettings>;
}

export type Holds = ReturnType<typeof createHolds>;

export function createHolds(deps: HoldsDeps) {
  const { db, stock, settings } = deps;

  async function expire(orderId: string): Promise<boolean> {
    const current = await settings();
    return db.transaction(
      async (trx) =>
        (await expirePayment(deps, trx, orderId)) || (await expireReservation(deps, trx, orderId, current)),
    );
  }

  async function expireHolds(except: ReadonlySet<string> = new Set()): Promise<number> {
    let expired = 0;
    for (const id of await stock.expiredHolds()) if (!except.has(id) && (await expire(id))) expired += 1;
    return expired;
  }

  return {
    /** Ends an order that is being paid, and releases what it holds. Returns false if it is not being paid. */
    expirePayment: (orderId: string): Promise<boolean> =>
      db.transaction((trx) => expirePayment(deps, trx, orderId)),

    /** Ends orders whose hold has expired, except those in `except`. Returns how many. */
    expireHolds,

    /**
     * Runs `work`, which holds stock. If it is rejected, expired holds are released, and if there were any, it runs once more: what
     * they held may have been all that was missing.
     */
    async withExpiredHoldsReleased<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof AppError) || (await expireHolds()) === 0) throw error;
        return work();
      }
    },
  };
}

async function releaseOrder(
  { coupons, stock, pickup }: HeldByOrders,
  trx: Trx,
  order: OrderHead,
): Promise<void> {
  // In the order in which placing locks them.
  await coupons.releaseUse(trx, order.id);
  await stock.release(trx, order.id);
  const slot = slotOf(order);
  if (slot) await pickup.release(trx, slot.storeId, { orderId: order.id, at: slot.at });
}

/** Makes an order that is being paid a cart again, unchanged. */
export async function returnToCart(
  deps: HeldByOrders,
  trx: Trx,
  orderId: string,
  reason: string,
): Promise<void> {
  // Its version stays: the bill that the buyer knows.
  const change = { bill: null, total_cents: 0 };
  const order = await transitionOrder(trx, orderId, {
    from: 'paying',
    to: 'cart',
    at: deps.now(),
    reason,
    change,
  });
  if (order) await releaseOrder(deps, trx, order);
}

/**
 * Ends an order whose payment did not arrive before its hold expired. The session gets a copy as its cart; the order itself stays
 * unchanged, for money that may still arrive. Returns false if it is not being paid.
 */
async function expirePayment(deps: HoldsDeps, trx: Trx, orderId: string): Promise<boolean> {
  const at = deps.now();
  const order = await transitionOrder(trx, orderId, {
    from: 'paying',
    to: 'lapsed',
    at,
    reason: 'hold ran out',
  });
  if (!order) return false;
  const payment = await findPaymentOf(trx, orderId, 'pending');
  if (payment) await transitionPayment(trx, payment.id, ['pending'], 'lapsed', at);
  await releaseOrder(deps, trx, order);
  await copyAsCart(trx, order, randomUUID(), at);
  return true;
}

/**
 * Ends a reservation that was not picked up in time, and emails its buyer. Returns false if the order is not an open reservation,
 * is held longer because its store's hours have changed, or was paid in part.
 */
async function expireReservation(
  deps: HoldsDeps,
  trx: Trx,
  orderId: string,
  settings: OrderSettings,
): Promise<boolean> {
  if (await holdLonger(deps, trx, orderId, settings)) return false;
  // Locks the order: staff may be taking a payment for it.
  await updateOrder(trx, orderId, { updated_at: deps.now() });
  if ((await balanceOf(trx, orderId)).paid > 0) return false;
  const move = { to: 'lapsed', at: deps.now(), reason: 'not collected in time' } as const;
  const order =
    (await transitionOrder(trx, orderId, { from: 'reserved', ...move })) ??
    (await transitionOrder(trx, orderId, { from: 'ready', ...move }));
  if (!order) return false;
  await releaseOrder(deps, trx, order);
  await enqueueOrderEmail(trx, deps.mail, order, { kind: 'reservationLapsed' });
  await deps.orderEvents.record(trx, 'order.cancelled', order);
  return true;
}

/** Prolongs the hold of a reservation whose store has not been open for as long as promised, or that never ends. Returns whether it did. */
async function holdLonger(
  { stock, now }: HoldsDeps,
  trx: Trx,
  orderId: string,
  settings: OrderSettings,
): Promise<boolean> {
  const order = await findOrder(trx, orderId);
  const heldUntil = await stock.heldUntil(trx, orderId);
  if (!order || heldUntil === null) return false;
  const until = currentDeadline(order, heldUntil, settings);
  if (until !== null && until <= now()) return false;
  await stock.holdUntil(trx, orderId, until);
  return true;
}
