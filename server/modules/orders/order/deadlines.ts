/** Determines when a reservation expires. Stores count their opening hours; this says from when and how many. */
import { closingAfter } from '#server/modules/stores/index.ts';
import { hourMs } from '#server/platform/time-zone.ts';
import type { OrderHead } from './order.ts';
import type { OrderSettings } from './order-settings.ts';

type Stores = Pick<OrderSettings, 'stores' | 'removedStores'>;

/**
 * When a reservation placed `at` expires (epoch ms): at a closing time of its store, once the store has been open for the
 * shop's `reservationHours` after the pickup time, or after `at` without one. Null: never, as what a table ordered is eaten, and stays
 * unpaid until staff end it.
 */
export function reservedUntil(
  order: Pick<OrderHead, 'pickupAt' | 'storeId' | 'method'>,
  at: number,
  { reservationHours, stores, removedStores }: Stores & Pick<OrderSettings, 'reservationHours'>,
): number | null {
  if (order.method === 'instore') return null;
  const from = Math.max(order.pickupAt ?? at, at);
  const store = [...stores, ...removedStores].find(({ id }) => id === order.storeId);
  return store ? closingAfter(store, from, reservationHours) : from + reservationHours * hourMs;
}

/**
 * When a placed reservation expires (epoch ms): at `heldUntil`, which its buyer was told, or later if its store has been open for
 * less time since then than promised, because its hours have changed. Null: never.
 */
export function currentDeadline(
  order: Pick<OrderHead, 'pickupAt' | 'storeId' | 'method' | 'placedAt' | 'reservationHours'>,
  heldUntil: number,
  settings: Stores,
): number | null {
  const { placedAt, reservationHours } = order;
  if (placedAt === null || reservationHours === null) return heldUntil;
  const until = reservedUntil(order, placedAt, { ...settings, reservationHours });
  return until === null ? null : Math.max(heldUntil, until);
}
