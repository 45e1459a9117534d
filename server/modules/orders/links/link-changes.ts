/** What the buyer can change about an order by its link. */
import { slotErrors } from '#contract/rules/slot.ts';
import type { OrderByLink } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import { FulfilmentError } from '../fulfilment/fulfilment-error.ts';
import { reservedUntil } from '../fulfilment/reservation-deadline.ts';
import { type OrderHead, slotOf } from '../order/order.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import { findOrder } from '../order/orders.repository.ts';
import { ended, hashOf, type LinkCall, type OrderLinksDeps, present, readByLink } from './link-access.ts';
import { canCancel, canChangePickup, isReservation, latestPickup } from './link-actions.ts';
import { changePickupTime, findOrderLink } from './order-links.repository.ts';

/** Runs a change in a transaction in which the link works, and returns the order after it. */
export async function changeByLink(
  deps: OrderLinksDeps,
  call: LinkCall,
  run: (trx: Trx, order: OrderHead, settings: OrderSettings) => Promise<void>,
): Promise<OrderByLink> {
  const { db, orders } = deps;
  const { orderId } = await readByLink(deps, call);
  const settings = await orders.settings();
  await db.transaction(async (trx) => {
    const link = await findOrderLink(trx, hashOf(call.token));
    const order = await findOrder(trx, orderId);
    if (!link || link.revoked_at !== null || !order) throw ended();
    await run(trx, order, settings);
  });
  const changed = await orders.customers.forMail(orderId, call.locale);
  if (!changed) throw ended();
  return present(deps, orderId, changed.order);
}

/** Cancels a reservation, unless it is cancelled already. @throws {AppError} CONFLICT if it can no longer be cancelled */
export async function cancelReservation({ orders }: OrderLinksDeps, trx: Trx, order: OrderHead): Promise<void> {
  if (order.state === 'cancelled') return;
  if (!canCancel(order)) throw changedMeanwhile();
  await orders.fulfilment.cancelIn(trx, order.number ?? '', 'by the customer').catch((error: unknown) => {
    throw error instanceof FulfilmentError ? changedMeanwhile() : error;
  });
}

/** Reserves the new time, releases the old one, and holds a reservation for as long after it as promised. */
export async function movePickup(
  { pickup, stock, now }: OrderLinksDeps,
  trx: Trx,
  order: OrderHead,
  at: number,
  settings: OrderSettings,
): Promise<void> {
  const slot = slotOf(order);
  const store = settings.stores.find(({ id }) => id === slot?.storeId);
  if (slot && slot.at === at) return;
  if (!slot || !store || !canChangePickup(order, settings)) throw changedMeanwhile();
  // First, so that nothing else of the order can change after this.
  const moved = await changePickupTime(trx, order, at, now());
  if (!moved) throw changedMeanwhile();
  const reason = at > latestPickup(order) ? 'tooFar' : await pickup.unavailableReason(trx, store, at);
  if (reason) throw validationError(slotErrors(reason));
  if (!(await pickup.reserve(trx, store, at))) throw validationError(slotErrors('full'));
  await pickup.release(trx, slot.storeId, slot.at);
  if (isReservation(moved) && moved.placedAt !== null) {
    const reservationHours = moved.reservationHours ?? settings.reservationHours;
    await stock.holdUntil(trx, moved.id, reservedUntil(moved, moved.placedAt, { ...settings, reservationHours }));
  }
}

function changedMeanwhile(): AppError {
  return new AppError('CONFLICT', { errorKey: 'error.orderChanged' });
}
