/** Runs the last steps of placing an order: its number, the sale of its stock, and the emails to its buyer and the staff. */
import type { Trx } from '#db/database.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import type { OrderHead } from './order.ts';
import { enqueuePlacedOrderEmails } from './order-emails.ts';
import { markSold } from './order-lines.repository.ts';
import type { OrderSettings } from './order-settings.ts';
import { recordOrderEvent } from './order-webhooks.ts';
import { nextNumber, transitionOrder, updateOrder } from './orders.repository.ts';
import type { PlacementDeps } from './placement-types.ts';

/** The name of the counter of order numbers. */
export const orderCounter = 'orders';

/** The number of an order: the one from an earlier attempt in the same year, or the next. */
export async function orderNumber(
  trx: Trx,
  { number }: OrderHead,
  at: number,
  { numberPrefix, timeZone }: OrderSettings,
): Promise<string> {
  const series = `${numberPrefix}-${wallClock(at, timeZone).date.slice(0, 4)}-`;
  if (number?.startsWith(series)) return number;
  return series + String(await nextNumber(trx, orderCounter)).padStart(6, '0');
}

/** Numbers an order, confirms its use of a coupon, and queues the emails to its buyer, if there is an address, and to the staff. */
export async function confirmOrder(
  { coupons, mail, webhookEvents, metrics }: PlacementDeps,
  trx: Trx,
  order: OrderHead,
  at: number,
  settings: OrderSettings,
): Promise<void> {
  if (order.couponCode !== null) await coupons.confirmUse(trx, order.id);
  // The number that the provider was given stays, even for money that arrives in the next year.
  const number = order.state === 'placed' && order.number ? order.number : await orderNumber(trx, order, at, settings);
  if (number !== order.number || order.placedAt === null)
    await updateOrder(trx, order.id, { order_number: number, placed_at: at });
  await enqueuePlacedOrderEmails(trx, mail, order, settings);
  if (settings.hasWebhookReceivers) await recordOrderEvent(trx, webhookEvents, 'order.placed', order);
  metrics.orderPlaced(trx, order);
}

/** Sells the stock held for an order that is paid, or costs nothing, and confirms the order. */
export async function sellAndConfirm(
  deps: PlacementDeps,
  trx: Trx,
  placed: OrderHead,
  at: number,
  settings: OrderSettings,
): Promise<void> {
  await Promise.all([
    deps.stock.sell(trx, placed.id).then((sold) => markSold(trx, placed.id, sold)),
    confirmOrder(deps, trx, placed, at, settings),
  ]);
  if (settings.hasWebhookReceivers) await recordOrderEvent(trx, deps.webhookEvents, 'order.paid', placed);
}

/** Places an order that costs nothing, such as with a coupon for the full amount, without a provider. Returns its id. */
export async function placeZeroTotal(deps: PlacementDeps, trx: Trx, { id }: OrderHead, settings: OrderSettings): Promise<string> {
  const at = deps.now();
  const placed = await transitionOrder(trx, id, { from: 'paying', to: 'placed', at, reason: 'nothing to pay' });
  if (!placed) throw new Error('An order that was just taken out of the cart is not there');
  await sellAndConfirm(deps, trx, placed, at, settings);
  return id;
}
