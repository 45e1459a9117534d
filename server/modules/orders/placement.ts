/**
 * How a cart becomes an order, step by step, each step one transaction. Everything that places an
 * order goes through `complete`, whoever brings the news: the browser, a webhook or reconciliation.
 */
import { randomUUID } from 'node:crypto';
import type { FieldErrors } from '#contract/errors.ts';
import type { Locale } from '#contract/locales.ts';
import { isClean } from '#contract/rules/fields.ts';
import { slotErrors } from '#contract/rules/slot.ts';
import type { Bill } from '#contract/schemas/order.ts';
import type { Database, Trx } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { OutboxService } from '#server/modules/notifications/index.ts';
import type { PickupService } from '#server/modules/stores/index.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { billOf } from './billing.ts';
import { copyAsCart, lockCartCopies, resolveCartCopy } from './cart-copies.repository.ts';
import type { CouponsService } from './coupons/coupons.service.ts';
import {
  type AgreedBill,
  type Buyer,
  locationOf,
  type OrderHead,
  type OrderLine,
  type ResolvedAddress,
  slotOf,
} from './order.ts';
import { enqueueOrderEmail } from './order-emails.ts';
import type { OrderSettings } from './order-settings.ts';
import { createOrderStock, holdMs } from './order-stock.ts';
import {
  findCart,
  findOrder,
  findPlaced,
  freezeLines,
  frozenLinesOf,
  liveLinesOf,
  markSold,
  nextNumber,
  type OrderChange,
  transitionOrder,
  updateOrder,
} from './orders.repository.ts';
import { begunPayment, type Payment } from './payment.ts';
import { PaymentInProgress } from './payment-guard.ts';
import { attemptEnded, type PaymentFailure } from './payment-vocabulary.ts';
import { findPayment, findPaymentOf, insertPayment, transitionPayment } from './payments.repository.ts';
import type { Refunds } from './refunds.ts';
import { heldFrom, limitUnpaidHolds } from './unpaid-holds.ts';

/** What counts order numbers. */
export const orderCounter = 'orders';
const hourMs = 60 * 60_000;
/** A second request to pay that names no bill is taken for the first one, sent again, for so long. */
const repeatMs = 15 * 60_000;
/** On PostgreSQL another tab can change a cart between two looks at it; then what it has made of it is looked at. */
const attempts = 3;

export interface PlacementDeps {
  db: Database;
  now: () => number;
  stock: StockService;
  pickup: PickupService;
  mail: OutboxService;
  coupons: CouponsService;
  refunds: Refunds;
}

export interface PlacementRequest {
  buyer: Buyer;
  facts: OrderSettings;
  /** The bill the shopper saw; left out, whatever the bill is now. */
  billVersion?: string | undefined;
  /** For the names of products in refusals. */
  locale: Locale;
  /** Whether stock is held now, or by `hold` once the shopper has agreed; then it only has to be there. */
  holdsStock: boolean;
  /** Where the shopper calls from (`networkOf`): one network may hold only so much unpaid. */
  network: string;
  /** Counts an order that takes stock and sends a mail without an online payment. Throws to refuse it. */
  countUnpaid(trx: Trx, order: OrderHead): Promise<void>;
  /** What keeps the order from being placed, from the checkout's rules. */
  problems(order: OrderHead, lines: readonly OrderLine[], bill: Bill): FieldErrors;
}

export type StartedPayment = { placed: string } | { payment: Payment };

/** The order that was placed, or the money that came too late for it and is to be given back. */
export type CompletedOrder = { orderID: string; refund: null } | { orderID: null; refund: Payment };

export type Placement = ReturnType<typeof createPlacement>;

export function createPlacement({ db, now, stock, pickup, mail, coupons, refunds }: PlacementDeps) {
  const orderStock = createOrderStock({ stock });

  /** The cart to place, or the order this same request has placed before. */
  async function cartToPlace(trx: Trx, { buyer, billVersion }: PlacementRequest): Promise<OrderHead | { placed: string }> {
    const cart = await findCart(trx, db.engine, buyer);
    const same = billVersion !== undefined && billVersion !== '';
    if (same || !cart) {
      const placed = await findPlaced(trx, buyer, same ? billVersion : null, now() - repeatMs);
      if (placed) return { placed };
    }
    if (!cart) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
    return cart;
  }

  /**
   * Takes the cart out of the shopper's hands: checked, its goods and its time held, its bill written
   * down. Null where another request has taken it since it was read.
   */
  async function leaveCart(
    trx: Trx,
    cart: OrderHead,
    request: PlacementRequest,
    to: 'paying' | 'reserved',
    change: OrderChange,
  ): Promise<{ order: OrderHead; bill: Bill } | null> {
    const { facts, billVersion } = request;
    const at = now();
    // First of all, so that nothing of the cart can change from here on.
    const order = await transitionOrder(trx, cart.id, {
      from: 'cart',
      to,
      at,
      reason: to === 'paying' ? 'payment began' : 'reserved',
      change: { ...change, language: request.locale, held_from: heldFrom(request.network) },
    });
    if (!order) return null;
    await limitUnpaidHolds(trx, db, request.buyer, heldFrom(request.network));
    const lines = await liveLinesOf(trx, db.engine, order.id);
    if (lines.length === 0) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
    // Locked in this order everywhere: order, coupon, time, goods.
    const coupon = await coupons.locked(trx, order);
    const { bill, shippingMethod } = billOf(order, lines, facts, coupon, request.locale);
    const problems = request.problems(order, lines, bill);
    if (!isClean(problems)) throw validationError(problems);
    if (order.method === 'shipping' && !shippingMethod) throw validationError({ shippingMethod: 'rule.shippingMethodNone' });
    // The merchant has left a province out of the tax table: better no order than one that is taxed wrongly.
    if (!bill.final) throw new AppError('CONFLICT', { errorKey: 'rule.taxUnknown' });
    if (billVersion && billVersion !== bill.billVersion) throw new AppError('CONFLICT', { errorKey: 'billChanged' });
    const applied = bill.coupon?.state === 'applied' ? bill.coupon : null;
    if (applied) await coupons.take(trx, order, applied.code);
    await holdSlot(trx, order, facts);
    const until = to === 'paying' ? at + holdMs : reservedUntil(order, at, facts);
    if (request.holdsStock || bill.total === 0) await orderStock.hold(trx, order, lines, until, request.locale);
    else await orderStock.require(trx, order, lines, request.locale);
    await freezeLines(trx, order.id, lines);
    const agreed: AgreedBill = { ...bill, coupon: applied, shippingMethod: shippingMethod?.id ?? null };
    await updateOrder(trx, order.id, { bill: JSON.stringify(agreed), bill_version: bill.billVersion, total_cents: bill.total });
    if (to === 'reserved' || bill.total === 0) await request.countUnpaid(trx, order);
    return { order, bill };
  }

  /** The attempt to pay that is under way, for a second request to wait on the same answer. Null where it has just ended. */
  async function joinable(
    trx: Trx,
    cart: OrderHead,
    provider: string,
    { billVersion }: PlacementRequest,
  ): Promise<Payment | null> {
    const payment = await findPaymentOf(trx, cart.id, 'pending');
    // Another way to pay is wanted now, or the same one anew: the first has to be ended by whoever asks.
    if (payment && (payment.provider !== provider || payment.waitsSince !== null)) throw new PaymentInProgress();
    if (payment && billVersion && billVersion !== cart.bill?.billVersion)
      throw new AppError('CONFLICT', { errorKey: 'billChanged' });
    return payment;
  }

  /** A new attempt. The order gets its number now, so that the provider's records carry it. */
  async function newPayment(trx: Trx, order: OrderHead, bill: Bill, provider: string, facts: OrderSettings): Promise<Payment> {
    const at = now();
    const number = await numberOf(trx, order, at, facts);
    if (number !== order.number) await updateOrder(trx, order.id, { order_number: number });
    const payment = begunPayment({ ...order, number }, bill, provider, at);
    await insertPayment(trx, payment);
    return payment;
  }

  /** Makes an order that is being paid the shopper's cart again, as it was. */
  async function backToCart(trx: Trx, orderId: string, reason: string): Promise<void> {
    const change = { bill: null, bill_version: null, total_cents: 0 };
    const order = await transitionOrder(trx, orderId, { from: 'paying', to: 'cart', at: now(), reason, change });
    if (order) await giveBack(trx, order);
  }

  async function holdSlot(trx: Trx, order: OrderHead, facts: OrderSettings): Promise<void> {
    const slot = slotOf(order);
    const store = slot && facts.stores.find(({ id }) => id === slot.storeId);
    if (!slot || !store) return;
    const reason = await pickup.unavailableReason(trx, store, slot.at);
    if (reason) throw validationError(slotErrors(reason));
    if (!(await pickup.reserve(trx, store, slot.at))) throw validationError(slotErrors('full'));
  }

  async function giveBack(trx: Trx, order: OrderHead): Promise<void> {
    await coupons.giveBack(trx, order.id);
    await stock.release(trx, order.id);
    const slot = slotOf(order);
    if (slot) await pickup.release(trx, slot.storeId, slot.at);
  }

  /** The number of an order: the one it got by an earlier attempt of the same year, or the next. */
  async function numberOf(trx: Trx, { number }: OrderHead, at: number, facts: OrderSettings): Promise<string> {
    const series = `${facts.numberPrefix}-${wallClock(at, facts.timeZone).date.slice(0, 4)}-`;
    if (number?.startsWith(series)) return number;
    return series + String(await nextNumber(trx, orderCounter)).padStart(6, '0');
  }

  /** Numbers an order, and has it confirmed by mail where there is an address. */
  async function acknowledge(trx: Trx, order: OrderHead, at: number, facts: OrderSettings): Promise<void> {
    await coupons.confirm(trx, order.id);
    // What the provider was told stays, also for money that arrives in the next year.
    const number = order.state === 'placed' && order.number ? order.number : await numberOf(trx, order, at, facts);
    await updateOrder(trx, order.id, { order_number: number, placed_at: at });
    await enqueueOrderEmail(trx, mail, order, 'orderConfirmation', `order:${order.id}`);
  }

  /** The goods held for an order are sold, and it is acknowledged. */
  async function finish(trx: Trx, placed: OrderHead, at: number, facts: OrderSettings): Promise<void> {
    for (const { sku, location } of await stock.sell(trx, placed.id)) await markSold(trx, placed.id, sku, location);
    await acknowledge(trx, placed, at, facts);
  }

  /** Places an order that costs nothing, as with a coupon for all of it: there is nothing to ask a provider for. */
  async function placeFree(trx: Trx, { id }: OrderHead, facts: OrderSettings): Promise<string> {
    const at = now();
    const placed = await transitionOrder(trx, id, { from: 'paying', to: 'placed', at, reason: 'nothing to pay' });
    if (!placed) throw new Error('An order that was just taken out of the cart is not there');
    await finish(trx, placed, at, facts);
    return id;
  }

  /** Whether a cart costs nothing as it now is. Nothing is locked: its bill may be another once it has left. */
  async function costsNothing(trx: Trx, cart: OrderHead, { facts, locale }: PlacementRequest): Promise<boolean> {
    const lines = await liveLinesOf(trx, db.engine, cart.id);
    const coupon = cart.couponCode === null ? null : await coupons.standing(trx, cart.couponCode, cart);
    return billOf(cart, lines, facts, coupon, locale).bill.total === 0;
  }

  return {
    /**
     * Begins to pay the cart, or joins an attempt that is under way, or finds that it is paid already.
     * @throws Refusal CONFLICT for an empty cart or another bill than the one seen; REQUEST_VALIDATION_ERROR for what is missing
     */
    async begin(
      trx: Trx,
      provider: string,
      billingAddress: ResolvedAddress | null,
      request: PlacementRequest,
    ): Promise<StartedPayment> {
      const change = { pay_at_store: 0, billing_address: billingAddress && JSON.stringify(billingAddress) } as const;
      for (let attempt = 1; attempt <= attempts; attempt++) {
        const cart = await cartToPlace(trx, request);
        if ('placed' in cart) return cart;
        if (cart.state === 'paying') {
          const payment = await joinable(trx, cart, provider, request);
          if (payment) return { payment };
          continue;
        }
        const left = await leaveCart(trx, cart, request, 'paying', change);
        if (left?.bill.total === 0) return { placed: await placeFree(trx, left.order, request.facts) };
        if (left) return { payment: await newPayment(trx, left.order, left.bill, provider, request.facts) };
      }
      throw new PaymentInProgress();
    },

    /** Places the cart without paying online: to be paid at the store, if it costs anything. Asking again finds the same order. */
    async reserve(trx: Trx, request: PlacementRequest): Promise<string> {
      for (let attempt = 1; attempt <= attempts; attempt++) {
        const cart = await cartToPlace(trx, request);
        if ('placed' in cart) return cart.placed;
        if (cart.state === 'paying') break;
        if (await costsNothing(trx, cart, request)) {
          const left = await leaveCart(trx, cart, request, 'paying', { pay_at_store: 0 });
          if (!left) continue;
          if (left.bill.total > 0) throw new AppError('CONFLICT', { errorKey: 'billChanged' });
          return placeFree(trx, left.order, request.facts);
        }
        const left = await leaveCart(trx, cart, request, 'reserved', { pay_at_store: 1 });
        if (!left) continue;
        const at = now();
        await acknowledge(trx, left.order, at, request.facts);
        return left.order.id;
      }
      throw new PaymentInProgress();
    },

    /**
     * The one way in which a paid order is placed. Whoever comes second with the same news finds the
     * same order. Money for goods that are gone, or for an order paid already, is to be refunded; null once
     * it has been, or where there is no such attempt.
     */
    async complete(trx: Trx, provider: string, reference: string, facts: OrderSettings): Promise<CompletedOrder | null> {
      const payment = await findPayment(trx, provider, reference);
      if (!payment) return null;
      const at = now();
      const done: CompletedOrder = { orderID: payment.orderId, refund: null };
      if (!(await transitionPayment(trx, payment.id, ['pending', 'lapsed', 'failed'], 'succeeded', at))) {
        const current = await findPayment(trx, provider, reference);
        if (current?.state === 'refundDue') return { orderID: null, refund: current };
        return current?.state === 'succeeded' ? done : null;
      }
      const reason = `paid by ${provider}`;
      const soldOut = payment.state === 'pending' && !(await orderStock.holdForPaid(trx, payment.orderId, at));
      if (soldOut) await backToCart(trx, payment.orderId, 'sold out before it was paid');
      const placed =
        payment.state === 'failed' || soldOut
          ? null
          : ((await transitionOrder(trx, payment.orderId, { from: 'paying', to: 'placed', at, reason })) ??
            (await revive(trx, payment, at)));
      if (!placed) {
        await transitionPayment(trx, payment.id, ['succeeded'], 'refundDue', at, attemptEnded);
        await refunds.openLate(trx, payment);
        return { orderID: null, refund: payment };
      }
      await finish(trx, placed, at, facts);
      return done;
    },

    /**
     * Holds the stock of an attempt to which the shopper has agreed, just before it is charged. An attempt that is over, or
     * whose stock is held, stays as it is.
     * @throws Refusal CONFLICT rule.outOfStockLine if it is sold out
     */
    hold: (trx: Trx, payment: Payment): Promise<void> => orderStock.holdForCharge(trx, payment, now()),

    /** Ends a failed attempt: the cart is the shopper's again, as it was. False if the attempt had ended before. */
    async fail(trx: Trx, payment: Payment, failure: PaymentFailure): Promise<boolean> {
      const at = now();
      if (!(await transitionPayment(trx, payment.id, ['pending', 'lapsed'], 'failed', at, failure))) return false;
      await backToCart(trx, payment.orderId, 'payment failed');
      return true;
    },

    /**
     * Ends an order whose hold ran out: goods and time are given back. Where it was being paid its session
     * gets a cart like it, and the lapsed order stays as it was, for money that may still arrive. Where it
     * was reserved and never fetched, its buyer is told.
     */
    async lapse(trx: Trx, orderId: string): Promise<boolean> {
      return (await lapsePayment(trx, orderId)) || (await lapseReservation(trx, orderId));
    },
  };

  async function lapsePayment(trx: Trx, orderId: string): Promise<boolean> {
    const at = now();
    const order = await transitionOrder(trx, orderId, { from: 'paying', to: 'lapsed', at, reason: 'hold ran out' });
    if (!order) return false;
    const payment = await findPaymentOf(trx, orderId, 'pending');
    if (payment) await transitionPayment(trx, payment.id, ['pending'], 'lapsed', at);
    await giveBack(trx, order);
    await copyAsCart(trx, order, randomUUID(), at);
    return true;
  }

  async function lapseReservation(trx: Trx, orderId: string): Promise<boolean> {
    const move = { to: 'lapsed', at: now(), reason: 'not fetched in time' } as const;
    const order =
      (await transitionOrder(trx, orderId, { from: 'reserved', ...move })) ??
      (await transitionOrder(trx, orderId, { from: 'ready', ...move }));
    if (!order) return false;
    await giveBack(trx, order);
    await enqueueOrderEmail(trx, mail, order, 'reservationLapsed');
    return true;
  }

  /**
   * Places an order whose hold had lapsed before its money came; null where its goods are gone, or its coupon's
   * last use, or where the cart that took its place has been bought or is being paid.
   */
  async function revive(trx: Trx, payment: Payment, at: number): Promise<OrderHead | null> {
    const lapsed = await findOrder(trx, payment.orderId);
    const location = lapsed && locationOf(lapsed);
    if (!lapsed || !location || lapsed.state !== 'lapsed') return null;
    const copies = await lockCartCopies(trx, lapsed);
    if (copies.some(({ state }) => state !== 'cart' && state !== 'lapsed')) return null;
    const code = lapsed.bill?.coupon?.code;
    if (code !== undefined && !(await coupons.takeAgain(trx, lapsed, code))) return null;
    const short = await stock.hold(trx, lapsed.id, await frozenLinesOf(trx, lapsed.id), location, null);
    if (short.length > 0) {
      await coupons.giveBack(trx, lapsed.id);
      await stock.release(trx, lapsed.id);
      return null;
    }
    const slot = slotOf(lapsed);
    if (slot) await pickup.forceReserve(trx, slot.storeId, slot.at);
    const order = await transitionOrder(trx, lapsed.id, {
      from: 'lapsed',
      to: 'placed',
      at,
      reason: `paid late by ${payment.provider}`,
    });
    // Undoes the hold just taken; the sweep will bring the news again.
    if (!order) throw new Error('A lapsed order changed while it was being placed');
    for (const copy of copies) if (copy.state === 'cart') await resolveCartCopy(trx, copy, order);
    return order;
  }
}

/** Until when (epoch ms) a reservation placed `at` is held: the shop's limit after its pickup time, or after `at` without one. */
export function reservedUntil(order: OrderHead, at: number, facts: OrderSettings): number {
  return Math.max(order.pickupAt ?? at, at) + facts.reservationHours * hourMs;
}
