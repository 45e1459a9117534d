/** Determines what a buyer may still do with an order by its link. */
import { pickupHorizonDays } from '#contract/rules/slot.ts';
import { dayMs } from '#server/platform/durations.ts';
import type { OrderHead } from '../order/order.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import { waitsForPickup } from '../order/states.ts';

/** Whether an order waits to be picked up and paid at its store. */
export function isReservation({ state, method, payAtStore }: OrderHead): boolean {
  return payAtStore && method === 'pickup' && (state === 'reserved' || state === 'ready');
}

/** Only a reservation: what is paid for, the merchant cancels and refunds. */
export function canCancel(order: OrderHead): boolean {
  return isReservation(order);
}

/** Whether another pickup time can be chosen: of an order with a time, until it is picked up, while its store offers times. */
export function canChangePickup(order: OrderHead, { checkout, stores }: OrderSettings): boolean {
  const { state, method, pickupAt, storeId } = order;
  const store = stores.find(({ id }) => id === storeId);
  const offers = checkout.displayPickupTime && store?.display === true && store.allowPickup;
  return method === 'pickup' && pickupAt !== null && waitsForPickup.includes(state) && offers;
}

/**
 * The latest time (epoch ms) to which a pickup can be moved. A reservation holds its stock without having been paid, so the limit
 * counts from when it was placed, and moving it again and again does not prolong it for ever.
 */
export function latestPickup(order: OrderHead): number {
  return isReservation(order) && order.placedAt !== null ? order.placedAt + pickupHorizonDays * dayMs : Number.POSITIVE_INFINITY;
}
