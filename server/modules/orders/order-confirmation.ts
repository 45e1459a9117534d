/** The last steps of placing an order: its number, the sale of its stock, and its confirmation by mail. */
import type { Trx } from '#db/database.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import type { OrderHead } from './order.ts';
import { enqueueOrderEmail } from './order-emails.ts';
import type { OrderSettings } from './order-settings.ts';
import { markSold, nextNumber, transitionOrder, updateOrder } from './orders.repository.ts';
import type { PlacementDeps } from './placement-types.ts';

/** The counter of order numbers. */
export const orderCounter = 'orders';

/** The number of an order: the one it got by an earlier attempt of the same year, or the next. */
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

/** Numbers an order, makes its use of a coupon final, and confirms it by mail if there is an address. */
export async function confirmOrder(
  { coupons, mail }: PlacementDeps,
  trx: Trx,
  order: OrderHead,
  at: number,
  settings: OrderSettings,
): Promise<void> {
  await coupons.confirmUse(trx, order.id);
  // The number that the provider was given stays, also for money that arrives in the next year.
  const number = order.state === 'placed' && order.number ? order.number : await orderNumber(trx, order, at, settings);
  await updateOrder(trx, order.id, { order_number: number, placed_at: at });
  await enqueueOrderEmail(trx, mail, order, 'orderConfirmation', `order:${order.id}`);
}

/** Sells the stock held for an order, and confirms the order. */
export async function sellAndConfirm(
  deps: PlacementDeps,
  trx: Trx,
  placed: OrderHead,
  at: number,
  settings: OrderSettings,
): Promise<void> {
  for (const { sku, location } of await deps.stock.sell(trx, placed.id)) await markSold(trx, placed.id, sku, location);
  await confirmOrder(deps, trx, placed, at, settings);
}

/** Places an order that costs nothing, as with a coupon for all of it. No provider is asked. Returns its id. */
export async function placeZeroTotal(deps: PlacementDeps, trx: Trx, { id }: OrderHead, settings: OrderSettings): Promise<string> {
  const at = deps.now();
  const placed = await transitionOrder(trx, id, { from: 'paying', to: 'placed', at, reason: 'nothing to pay' });
  if (!placed) throw new Error('An order that was just taken out of the cart is not there');
  await sellAndConfirm(deps, trx, placed, at, settings);
  return id;
}
