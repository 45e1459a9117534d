/** Turns a cart into an order: to be paid online, at the store, or for nothing. Each step is one transaction. */
import type { FieldErrors } from '#contract/errors.ts';
import type { Locale } from '#contract/locales.ts';
import { isClean } from '#contract/rules/fields.ts';
import type { Bill } from '#contract/schemas/order.ts';
import type { Database, Trx } from '#db/database.ts';
import type { ResolvedAddress } from '#server/modules/customers/index.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { OutboxService } from '#server/modules/notifications/index.ts';
import {
  addOrderWords,
  agreedBill,
  type Buyer,
  billOf,
  type CouponsService,
  enqueuePlacedOrderEmails,
  feedOrder,
  findCart,
  findPlaced,
  freezeLines,
  type Holds,
  locationOf,
  numberOrder,
  type OrderChange,
  type OrderEvents,
  type OrderHead,
  type OrderLine,
  type OrderSettings,
  type OrdersService,
  orderCounter,
  payableOf,
  reservedUntil,
  slotOf,
  slotUseOf,
  transitionOrder,
  updateOrder,
} from '#server/modules/orders/index.ts';
import {
  findPaymentOf,
  holdMs,
  insertPayment,
  newAttempt,
  type Payment,
  PaymentInProgress,
} from '#server/modules/payments/index.ts';
import type { PickupService } from '#server/modules/stores/index.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { heldFrom, limitTable, limitUnpaidHolds, mayHoldUnpaid } from './hold-limits.ts';
import { holdStock, rejectUnavailable, requireStock, type Wanted } from './order-stock.ts';
import { requireTableCard } from './table-cards.ts';

/** Within this time, a second request to pay without a bill version counts as a repetition of the first, ms. */
const repeatMs = 15 * 60_000;

/** On PostgreSQL another tab can change a cart between two reads; then the cart is read again. */
const maxTries = 3;

export interface PlacementDeps {
  db: Database;
  now: () => number;
  orders: OrdersService;
  holds: Holds;
  stock: StockService;
  pickup: PickupService;
  mail: OutboxService;
  coupons: CouponsService;
  orderEvents: OrderEvents;
}

export interface PlacementRequest {
  buyer: Buyer;
  settings: OrderSettings;
  /** The bill the customer saw; left out, the last one that they were given (`OrderHead.shownBill`). */
  billVersion?: string | undefined;
  /** For product names in errors. */
  locale: Locale;
  /** Whether stock is held now, or by `holdForCharge` once the customer has agreed; then it only has to be available. */
  holdsStock: boolean;
  /** The customer's network (`networkOf`): the unpaid holds of one network are limited. */
  network: string;
  /** Counts an order that takes stock and sends an email without an online payment. Throws if the limit is reached. */
  countUnpaid(trx: Trx, order: OrderHead): Promise<void>;
  /** The problems that prevent the order from being placed, by the rules of checkout. */
  problems(order: OrderHead, lines: readonly OrderLine[], bill: Bill): FieldErrors;
}

/** The order that was placed already, or the pending attempt to pay. */
export type StartedPayment = { placed: string } | { payment: Payment };

/**
 * Begins to pay the cart, or joins the pending attempt, or returns the order if it is paid already.
 * @throws {AppError} CONFLICT for an empty cart or a bill other than the one seen; REQUEST_VALIDATION_ERROR for missing input
 */
export async function startPayment(
  deps: PlacementDeps,
  trx: Trx,
  {
    provider,
    billingAddress,
  }: { provider: string; billingAddress: (cart: OrderHead) => ResolvedAddress | null },
  request: PlacementRequest,
): Promise<StartedPayment> {
  for (let tried = 1; tried <= maxTries; tried++) {
    const cart = await findCartToPlace(deps, trx, request);
    if ('placed' in cart) return cart;
    const billing = billingAddress(cart);
    if (cart.state === 'paying') {
      const payment = await findJoinableAttempt(trx, cart, provider, request);
      if (payment) return { payment };
      continue;
    }
    const begun: { payment?: Payment } = {};
    const locked = await lockCartForPayment(deps, trx, request, {
      cart,
      to: 'paying',
      change: { pay_at_store: 0, billing_address: billing && JSON.stringify(billing) },
      alongside: async ({ order, bill }) => {
        if (bill.total === 0) return;
        begun.payment = newAttempt(payableOf(order, bill), provider, deps.now());
        await insertPayment(trx, begun.payment);
      },
    });
    if (locked && begun.payment) return { payment: { ...begun.payment, orderNumber: locked.order.number } };
    if (locked) return { placed: await placeZeroTotal(deps, trx, locked.order, request.settings) };
  }
  throw new PaymentInProgress();
}

/**
 * Places the cart without an online payment: to be paid at the store, unless it costs nothing. Called again it returns the same
 * order.
 */
export async function reserveCart(deps: PlacementDeps, trx: Trx, request: PlacementRequest): Promise<string> {
  for (let tried = 1; tried <= maxTries; tried++) {
    const cart = await findCartToPlace(deps, trx, request);
    if ('placed' in cart) return cart.placed;
    if (cart.state === 'paying') break;
    if (await costsNothing(deps, trx, cart, request)) {
      const locked = await lockCartForPayment(deps, trx, request, {
        cart,
        to: 'paying',
        change: { pay_at_store: 0 },
      });
      if (!locked) continue;
      if (locked.bill.total > 0) throw new AppError('CONFLICT', { errorKey: 'billChanged' });
      return placeZeroTotal(deps, trx, locked.order, request.settings);
    }
    const locked = await lockCartForPayment(deps, trx, request, {
      cart,
      to: 'reserved',
      change: { pay_at_store: 1 },
    });
    if (!locked) continue;
    await confirmOrder(deps, trx, locked.order, { at: deps.now(), settings: request.settings });
    return locked.order.id;
  }
  throw new PaymentInProgress();
}

/**
 * The pending attempt, for a second request to wait on the same answer. Null if it has just ended.
 * @throws {PaymentInProgress} if the request is for another provider, or a new attempt with the same one: the caller has to end
 * the first attempt
 */
async function findJoinableAttempt(
  trx: Trx,
  cart: OrderHead,
  provider: string,
  { billVersion }: PlacementRequest,
): Promise<Payment | null> {
  const payment = await findPaymentOf(trx, cart.id, 'pending');
  if (payment && (payment.provider !== provider || payment.waitsSince !== null))
    throw new PaymentInProgress();
  if (payment && billVersion && billVersion !== cart.bill?.billVersion)
    throw new AppError('CONFLICT', { errorKey: 'billChanged' });
  return payment;
}

interface LockedCart {
  order: OrderHead;
  bill: Bill;
}

interface HeldLines {
  lines: readonly OrderLine[];
  mayHold: () => Promise<boolean>;
}

interface CartLock {
  cart: OrderHead;
  to: 'paying' | 'reserved';
  change: OrderChange;
  /** What else belongs to the lock. */
  alongside?: (locked: LockedCart) => Promise<void>;
}

/**
 * The cart to place, or the order that this same request has placed before.
 * @throws {AppError} CONFLICT rule.cartEmpty if there is neither
 */
async function findCartToPlace(
  { now }: PlacementDeps,
  trx: Trx,
  { buyer, billVersion }: PlacementRequest,
): Promise<OrderHead | { placed: string }> {
  const namesBill = billVersion !== undefined && billVersion !== '';
  const placedFor = (bill: string | null) => findPlaced(trx, buyer, bill, now() - repeatMs);
  const [cart, placedAlready] = await Promise.all([
    findCart(trx, buyer),
    namesBill ? placedFor(billVersion) : null,
  ]);
  const placed = namesBill || cart ? placedAlready : await placedFor(null);
  if (placed) return { placed };
  if (!cart) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
  return cart;
}

/**
 * Instead of an empty cart, the order that the buyer placed minutes ago: the answer to it was lost, and the customer tries again.
 * @throws {AppError} the `error` of any other request
 */
export async function placedBefore(
  { db, now }: PlacementDeps,
  buyer: Buyer,
  error: unknown,
): Promise<string> {
  const isEmpty = error instanceof AppError && error.details.errorKey === 'rule.cartEmpty';
  const placed = isEmpty ? await findPlaced(db.read, buyer, null, now() - repeatMs) : null;
  if (placed === null) throw error;
  return placed;
}

/** Whether a cart costs nothing now. Takes no lock: the bill may differ once the cart is locked. */
async function costsNothing(
  { coupons, orders }: PlacementDeps,
  trx: Trx,
  cart: OrderHead,
  { settings, locale }: PlacementRequest,
): Promise<boolean> {
  const { lines } = await orders.liveLines.of(trx, cart.id);
  const coupon = cart.couponCode === null ? null : await coupons.status(trx, cart.couponCode, cart);
  return billOf(await orders.exempt(trx, cart), lines, settings, coupon, locale).bill.total === 0;
}

/**
 * Validates the cart, holds its stock and its pickup time, and stores its bill. Null if another request has locked the cart since it
 * was read.
 * @throws {AppError} for everything that prevents the cart from being placed
 */
async function lockCartForPayment(
  deps: PlacementDeps,
  trx: Trx,
  request: PlacementRequest,
  { cart, to, change, alongside }: CartLock,
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
  const billing = billOf(
    await deps.orders.exempt(trx, order),
    lines,
    request.settings,
    coupon,
    request.locale,
  );
  const { bill } = billing;
  rejectUnplaceable(order, billing, request, request.problems(order, lines, bill));
  await requireTableCard(trx, order, request.settings);
  await rejectUnavailable(trx, { order, lines, locale: request.locale }, request.settings, at);
  if (to === 'reserved') await limitTable(trx, db, order, { at, settings: request.settings });
  const applied = bill.coupon?.state === 'applied' ? bill.coupon : null;
  if (applied) await coupons.reserveUse(trx, order, applied.code);
  await reserveSlot(deps, trx, { order, lines }, request.settings);
  const mayHold = () =>
    mayHoldUnpaid(trx, { buyer: request.buyer, network, orders }, lines, {
      stock,
      location: locationOf(order) ?? '',
    });
  await holdOrRequire(deps, trx, { order, bill, lines, to, mayHold }, request);
  const stored = {
    bill: JSON.stringify(agreedBill(billing, { settings: request.settings, at })),
    bill_version: bill.billVersion,
    total_cents: bill.total,
    ...(to === 'reserved' ? { reservation_hours: request.settings.reservationHours } : {}),
  };
  await freezeLines(trx, order.id, lines);
  await alongside?.({ order, bill });
  // Numbered before its provider is asked, so that the provider's records carry the number.
  const changed =
    to === 'paying' && bill.total > 0
      ? await changeNumbered(trx, order, { at, settings: request.settings }, stored)
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
  { order, bill, lines, to, mayHold }: LockedCart & Pick<CartLock, 'to'> & HeldLines,
  { settings, locale, holdsStock }: PlacementRequest,
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
  await holdStock(
    deps.stock,
    trx,
    { order, lines, locale },
    { until, isWatched: settings.hasWebhookReceivers },
  );
}

function rejectUnplaceable(
  { method, shownBill }: OrderHead,
  { bill, shippingMethod }: Pick<ReturnType<typeof billOf>, 'bill' | 'shippingMethod'>,
  { billVersion }: PlacementRequest,
  problems: ReturnType<PlacementRequest['problems']>,
): void {
  if (!isClean(problems)) throw validationError(problems);
  if (method === 'shipping' && shippingMethod === null)
    throw validationError({ shippingMethod: 'rule.shippingMethodNone' });
  // The merchant's tax table lacks the province: no order is better than a wrongly taxed one.
  if (!bill.final) throw new AppError('CONFLICT', { errorKey: 'rule.taxUnknown' });
  // A call of the SPEC that names no bill agrees to the last one that its buyer was given.
  if ((billVersion || shownBill) !== bill.billVersion)
    throw new AppError('CONFLICT', { errorKey: 'billChanged' });
}

async function reserveSlot(
  { pickup }: PlacementDeps,
  trx: Trx,
  { order, lines }: Pick<Wanted, 'order' | 'lines'>,
  settings: OrderSettings,
): Promise<void> {
  const slot = slotOf(order);
  const store = slot && settings.stores.find(({ id }) => id === slot.storeId);
  if (!slot || !store) return;
  const errors = await pickup.reserve(
    trx,
    store,
    { orderId: order.id, at: slot.at },
    slotUseOf(lines, store.id, settings),
  );
  if (!isClean(errors)) throw validationError(errors);
}

/** When an order is placed, and the settings that count then. */
export interface Moment {
  at: number;
  settings: OrderSettings;
}

/** Changes an order and gives it a number: the one from an earlier attempt in the same year, or the next. */
function changeNumbered(
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
export async function sellAndConfirm(
  deps: PlacementDeps,
  trx: Trx,
  placed: OrderHead,
  moment: Moment,
): Promise<void> {
  await Promise.all([deps.stock.sell(trx, placed.id), confirmOrder(deps, trx, placed, moment)]);
  if (moment.settings.hasWebhookReceivers) await deps.orderEvents.record(trx, 'order.paid', placed);
}

/** Places an order that costs nothing, such as with a coupon for the full amount, without a provider. Returns its id. */
async function placeZeroTotal(
  deps: PlacementDeps,
  trx: Trx,
  { id }: OrderHead,
  settings: OrderSettings,
): Promise<string> {
  const at = deps.now();
  const placed = await transitionOrder(trx, id, {
    from: 'paying',
    to: 'placed',
    at,
    reason: 'nothing to pay',
  });
  if (!placed) throw new Error('An order that was just taken out of the cart is not there');
  await sellAndConfirm(deps, trx, placed, { at, settings });
  return id;
}
