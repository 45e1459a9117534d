/** Determines when a reservation expires. Stores count their opening hours; this says from when and how many. */
import { closingAfter } from '#server/modules/stores/index.ts';
import { hourMs } from '#server/platform/durations.ts';
import type { OrderHead } from '../order/order.ts';
import type { OrderSettings } from '../order/order-settings.ts';

type Stores = Pick<OrderSettings, 'stores' | 'removedStores'>;

/**
 * When a reservation placed `at` expires (epoch ms): at a closing time of its store, once the store has been open for the
 * shop's `reservationHours` after the pickup time, or after `at` without one.
 */
export function reservedUntil(
  order: Pick<OrderHead, 'pickupAt' | 'storeId'>,
  at: number,
  { reservationHours, stores, removedStores }: Stores & Pick<OrderSettings, 'reservationHours'>,
): number {
  const from = Math.max(order.pickupAt ?? at, at);
  const store = [...stores, ...removedStores].find(({ id }) => id === order.storeId);
  return store ? closingAfter(store, from, reservationHours) : from + reservationHours * hourMs;
}

/**
 * When a placed reservation expires (epoch ms): at `heldUntil`, which its buyer was told, or later if its store has been open for
 * less time since then than promised, because its hours have changed.
 */
export function currentDeadline(
  order: Pick<OrderHead, 'pickupAt' | 'storeId' | 'placedAt' | 'reservationHours'>,
  heldUntil: number,
  settings: Stores,
): number {
  const { placedAt, reservationHours } = order;
  if (placedAt === null || reservationHours === null) return heldUntil;
  return Math.max(heldUntil, reservedUntil(order, placedAt, { ...settings, reservationHours }));
}
