/** Runs the last steps of placing an order: its number, the sale of its stock, and the emails to its buyer and the staff. */
import type { Trx } from '#db/database.ts';
import {
  addOrderWords,
  enqueuePlacedOrderEmails,
  feedOrder,
  numberOrder,
  type OrderChange,
  type OrderHead,
  type OrderSettings,
  orderCounter,
  transitionOrder,
  updateOrder,
} from '#server/modules/orders/index.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import type { PlacementDeps } from './place-order.ts';

/** When an order is placed, and the settings that count then. */
export interface Moment {
  at: number;
  settings: OrderSettings;
}

/** Changes an order and gives it a number: the one from an earlier attempt in the same year, or the next. */
export function changeNumbered(
  trx: Trx,
  { id, number }: OrderHead,
  { at, settings: { numberPrefix, timeZone } }: Moment,
  change: OrderChange,
): Promise<OrderHead | null> {
  const prefix = `${numberPrefix}-${wallClock(at, timeZone).date.slice(0, 4)}-`;
  if (number?.startsWith(prefix)) return updateOrder(trx, id, change);
  return numberOrder(trx, id, { counter: orderCounter, prefix }, change);
}

/** Numbers an order, confirms its use of a coupon, and queues the emails to its buyer, if there is an address, and to the staff. */
export async function confirmOrder(
  { orders, coupons, mail, orderEvents }: PlacementDeps,
  trx: Trx,
  order: OrderHead,
  { at, settings }: Moment,
): Promise<void> {
  if (order.couponCode !== null) await coupons.confirmUse(trx, order.id);
  // The number that the provider was given stays, even for money that arrives in the next year.
  const placed =
    order.state !== 'placed' || order.number === null
      ? await changeNumbered(trx, order, { at, settings }, { placed_at: at })
      : order.placedAt === null
        ? await updateOrder(trx, order.id, { placed_at: at })
        : order;
  await addOrderWords(trx, placed ?? order);
  await feedOrder(trx, placed ?? order, at);
  await enqueuePlacedOrderEmails(trx, mail, order, settings);
  if (settings.hasWebhookReceivers) await orderEvents.record(trx, 'order.placed', order);
  orders.metrics.orderPlaced(trx, order);
}

/** Sells the stock held for an order that is paid, or costs nothing, and confirms the order. */
export async function sellAndConfirm(deps: PlacementDeps, trx: Trx, placed: OrderHead, moment: Moment): Promise<void> {
  await Promise.all([deps.stock.sell(trx, placed.id), confirmOrder(deps, trx, placed, moment)]);
  if (moment.settings.hasWebhookReceivers) await deps.orderEvents.record(trx, 'order.paid', placed);
}

/** Places an order that costs nothing, such as with a coupon for the full amount, without a provider. Returns its id. */
export async function placeZeroTotal(deps: PlacementDeps, trx: Trx, { id }: OrderHead, settings: OrderSettings): Promise<string> {
  const at = deps.now();
  const placed = await transitionOrder(trx, id, { from: 'paying', to: 'placed', at, reason: 'nothing to pay' });
  if (!placed) throw new Error('An order that was just taken out of the cart is not there');
  await sellAndConfirm(deps, trx, placed, { at, settings });
  return id;
}
