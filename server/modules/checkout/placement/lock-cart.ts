import { isClean } from '#contract/rules/fields.ts';
import type { Bill } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import {
  type AgreedBill,
  billOf,
  findCart,
  findPlaced,
  freezeLines,
  locationOf,
  type OrderChange,
  type OrderHead,
  type OrderLine,
  type OrderSettings,
  reservedUntil,
  slotOf,
  slotUseOf,
  transitionOrder,
  updateOrder,
} from '#server/modules/orders/index.ts';
import { holdMs } from '#server/modules/payments/index.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import { changeNumbered } from './confirm-order.ts';
import { holdStock, rejectUnavailable, requireStock } from './order-stock.ts';
import type { PlacementDeps, PlacementRequest } from './place-order.ts';
import { limitTable, requireTableCard } from './tables.ts';
import { heldFrom, limitUnpaidHolds, mayHoldUnpaid } from './unpaid-holds.ts';

/** Within this time, a second request to pay without a bill version counts as a repetition of the first, ms. */
const repeatMs = 15 * 60_000;

export interface LockedCart {
  order: OrderHead;
  bill: Bill;
}

/**
 * The cart to place, or the order that this same request has placed before.
 * @throws {AppError} CONFLICT rule.cartEmpty if there is neither
 */
export async function findCartToPlace(
  { now }: PlacementDeps,
  trx: Trx,
  { buyer, billVersion }: PlacementRequest,
): Promise<OrderHead | { placed: string }> {
  const namesBill = billVersion !== undefined && billVersion !== '';
  const placedFor = (bill: string | null) => findPlaced(trx, buyer, bill, now() - repeatMs);
  const [cart, placedAlready] = await Promise.all([findCart(trx, buyer), namesBill ? placedFor(billVersion) : null]);
  const placed = namesBill || cart ? placedAlready : await placedFor(null);
  if (placed) return { placed };
  if (!cart) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
  return cart;
}

/** Whether a cart costs nothing now. Takes no lock: the bill may differ once the cart is locked. */
export async function costsNothing(
  { coupons, orders }: PlacementDeps,
  trx: Trx,
  cart: OrderHead,
  { settings, locale }: PlacementRequest,
): Promise<boolean> {
  const { lines } = await orders.liveLines.of(trx, cart.id);
  const coupon = cart.couponCode === null ? null : await coupons.status(trx, cart.couponCode, cart);
  return billOf(cart, lines, settings, coupon, locale).bill.total === 0;
}

/**
 * Validates the cart, holds its stock and its pickup time, and stores its bill, and `alongside` what else belongs to it. Null if
 * another request has locked the cart since it was read.
 * @throws {AppError} for everything that prevents the cart from being placed
 */
export async function lockCartForPayment(
  deps: PlacementDeps,
  trx: Trx,
  cart: OrderHead,
  request: PlacementRequest,
  to: 'paying' | 'reserved',
  change: OrderChange,
  alongside: (locked: LockedCart) => Promise<void> = async () => {},
): Promise<LockedCart | null> {
  const { db, now, coupons } = deps;
  const at = now();
  // First, so that nothing of the cart can change after this.
  const order = await transitionOrder(trx, cart.id, {
    from: 'cart',
    to,
    at,
    reason: to === 'paying' ? 'payment began' : 'reserved',
    change: { ...change, language: request.locale, held_from: heldFrom(request.network) },
  });
  if (!order) return null;
  const { lines, stock } = await deps.orders.liveLines.of(trx, order.id);
  const network = heldFrom(request.network);
  const orders = await limitUnpaidHolds(trx, db, request.buyer, network);
  if (lines.length === 0) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
  // Locked in this order everywhere: order, coupon, pickup slot, stock.
  const coupon = await coupons.lockedStatus(trx, order);
  const { bill, shippingMethod, deliveryMinutes } = billOf(order, lines, request.settings, coupon, request.locale);
  rejectUnplaceable(order, bill, shippingMethod !== null, request, request.problems(order, lines, bill));
  await requireTableCard(trx, order, request.settings);
  await rejectUnavailable(trx, { order, lines, locale: request.locale }, request.settings, at);
  if (to === 'reserved') await limitTable(trx, db, order, request.settings, at);
  const applied = bill.coupon?.state === 'applied' ? bill.coupon : null;
  if (applied) await coupons.reserveUse(trx, order, applied.code);
  await reserveSlot(deps, trx, order, lines, request.settings);
  const mayHold = () => mayHoldUnpaid(trx, { buyer: request.buyer, network, orders }, lines, stock, locationOf(order) ?? '');
  await holdOrRequire(deps, trx, { order, bill }, lines, request, to, mayHold);
  const agreed: AgreedBill = {
    ...bill,
    coupon: applied,
    shippingMethod: shippingMethod?.id ?? null,
    ...(deliveryMinutes === undefined ? {} : { deliveryMinutes }),
  };
  const stored = {
    bill: JSON.stringify(agreed),
    bill_version: bill.billVersion,
    total_cents: bill.total,
    ...(to === 'reserved' ? { reservation_hours: request.settings.reservationHours } : {}),
  };
  await freezeLines(trx, order.id, lines);
  await alongside({ order, bill });
  // Numbered before its provider is asked, so that the provider's records carry the number.
  const changed =
    to === 'paying' && bill.total > 0
      ? await changeNumbered(trx, order, at, request.settings, stored)
      : await updateOrder(trx, order.id, stored);
  if (to === 'reserved' || bill.total === 0) await request.countUnpaid(trx, order);
  return { order: { ...order, number: changed?.number ?? null }, bill };
}

/**
 * Holds the stock of an order. More than unpaid orders may hold only has to be in stock: an online payment takes it with the charge,
 * and is refunded if it is gone by then.
 * @throws {AppError} REQUEST_VALIDATION_ERROR for a reservation of so much, CONFLICT rule.outOfStockLine
 */
async function holdOrRequire(
  deps: PlacementDeps,
  trx: Trx,
  { order, bill }: LockedCart,
  lines: readonly OrderLine[],
  { settings, locale, holdsStock }: PlacementRequest,
  to: 'paying' | 'reserved',
  mayHold: () => Promise<boolean>,
): Promise<void> {
  const at = deps.now();
  // Free orders are placed at once; the staff see those of a table.
  const isCounted = bill.total > 0 && !(to === 'reserved' && order.method === 'instore');
  if (isCounted && !(holdsStock && (await mayHold()))) {
    await requireStock(deps.stock, trx, { order, lines, locale });
    if (to === 'reserved') throw validationError({ paymentMethod: 'rule.unpaidTooMuch' });
    return;
  }
  const until = to === 'paying' ? at + holdMs : reservedUntil(order, at, settings);
  await holdStock(deps.stock, trx, { order, lines, locale }, until, settings.hasWebhookReceivers);
}

function rejectUnplaceable(
  { method, shownBill }: OrderHead,
  bill: Bill,
  canShip: boolean,
  { billVersion }: PlacementRequest,
  problems: ReturnType<PlacementRequest['problems']>,
): void {
  if (!isClean(problems)) throw validationError(problems);
  if (method === 'shipping' && !canShip) throw validationError({ shippingMethod: 'rule.shippingMethodNone' });
  // The merchant's tax table lacks the province: no order is better than a wrongly taxed one.
  if (!bill.final) throw new AppError('CONFLICT', { errorKey: 'rule.taxUnknown' });
  // A call of the SPEC that names no bill agrees to the last one that its buyer was given.
  if ((billVersion || shownBill) !== bill.billVersion) throw new AppError('CONFLICT', { errorKey: 'billChanged' });
}

async function reserveSlot(
  { pickup }: PlacementDeps,
  trx: Trx,
  order: OrderHead,
  lines: readonly OrderLine[],
  settings: OrderSettings,
): Promise<void> {
  const slot = slotOf(order);
  const store = slot && settings.stores.find(({ id }) => id === slot.storeId);
  if (!slot || !store) return;
  const errors = await pickup.reserve(trx, store, { orderId: order.id, at: slot.at }, slotUseOf(lines, store.id, settings));
  if (!isClean(errors)) throw validationError(errors);
}
