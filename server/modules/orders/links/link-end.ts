/** Determines when the links to an order end. */
import type { Order } from '#contract/schemas/order.ts';
import { dayMs } from '#server/platform/durations.ts';
import { isEnded } from '../order/states.ts';

/** How long a link works after its order has ended, ms. */
export const linkLifeMs = 60 * dayMs;

/**
 * When an order ended (epoch ms): when it was picked up, delivered, cancelled or expired, or its last refund if that was later or
 * returned all of its money. Null while it has not ended.
 */
export function endedAt({ state, timeline = [], refunds = [], bill, payment, placedAt }: Order): number | null {
  const refunded = bill.total > 0 && (payment?.refunded ?? 0) >= bill.total;
  if (!isEnded(state) && !refunded) return null;
  const lastRefund = Math.max(0, ...refunds.map(({ at }) => at));
  // Imported orders may have no history.
  const lastState = isEnded(state) ? (timeline.at(-1)?.at ?? placedAt ?? 0) : 0;
  return Math.max(lastState, lastRefund);
}

/** Whether the links to an order have ended. */
export function hasLinkEnded(order: Order, now: number): boolean {
  const ended = endedAt(order);
  return ended !== null && now >= ended + linkLifeMs;
}
