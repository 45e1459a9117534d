/** Turns a cart into an order, step by step, each step in one transaction. */
import type { Trx } from '#db/database.ts';
import type { ResolvedAddress } from '#server/modules/customers/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { costsNothing, findCartToPlace, lockCartForPayment } from './cart-lock.ts';
import type { OrderHead } from './order/order.ts';
import { expirePayment, expireReservation, returnToCart } from './order/order-release.ts';
import type { OrderSettings } from './order/order-settings.ts';
import { confirmOrder, placeZeroTotal } from './order-confirmation.ts';
import { createOrderStock } from './order-stock.ts';
import { newAttempt, type Payment } from './payment.ts';
import { completePayment } from './payment-completion.ts';
import { PaymentInProgress } from './payment-guard.ts';
import type { PaymentFailure } from './payment-vocabulary.ts';
import { findPaymentOf, insertPayment, transitionPayment } from './payments.repository.ts';
import type { CompletedOrder, PlacementDeps, PlacementRequest, StartedPayment } from './placement-types.ts';

export type { CompletedOrder, PlacementRequest, StartedPayment } from './placement-types.ts';

/** On PostgreSQL another tab can change a cart between two reads; then the cart is read again. */
const maxTries = 3;

export type Placement = ReturnType<typeof createPlacement>;

export function createPlacement(deps: PlacementDeps) {
  const { now } = deps;
  const orderStock = createOrderStock(deps);

  return {
    startPayment: (trx: Trx, provider: string, billingAddress: ResolvedAddress | null, request: PlacementRequest) =>
      startPayment(deps, trx, provider, billingAddress, request),

    reserve: (trx: Trx, request: PlacementRequest) => reserveCart(deps, trx, request),

    complete: (trx: Trx, provider: string, reference: string, settings: OrderSettings): Promise<CompletedOrder | null> =>
      completePayment(deps, trx, provider, reference, settings),

    /**
     * Holds the stock of an attempt to which the customer has agreed, just before it is charged. Does nothing for an attempt that
     * is over, or whose stock is held.
     * @throws {AppError} CONFLICT rule.outOfStockLine if it is sold out
     */
    hold: (trx: Trx, payment: Payment): Promise<void> => orderStock.holdForCharge(trx, payment, now()),

    /** Releases what `hold` has held for an attempt that was not charged and goes on. */
    release: (trx: Trx, payment: Payment): Promise<void> => orderStock.releaseUncharged(trx, payment, now()),

    /** Ends a failed attempt: the order is a cart again, unchanged. Returns false if the attempt had ended before. */
    async fail(trx: Trx, payment: Payment, failure: PaymentFailure): Promise<boolean> {
      if (!(await transitionPayment(trx, payment.id, ['pending', 'lapsed'], 'failed', now(), failure))) return false;
      await returnToCart(deps, trx, payment.orderId, 'payment failed');
      deps.metrics.paymentEnded(trx, payment.provider, 'failed');
      return true;
    },

    /**
     * Ends an order whose hold has expired, and releases what it holds. Returns false if it has ended already, or is a
     * reservation whose store has not been open for as long as promised.
     */
    async expire(trx: Trx, orderId: string, settings: OrderSettings): Promise<boolean> {
      return (await expirePayment(deps, trx, orderId)) || (await expireReservation(deps, trx, orderId, settings));
    },
  };
}

/**
 * Begins to pay the cart, or joins the pending attempt, or returns the order if it is paid already.
 * @throws {AppError} CONFLICT for an empty cart or a bill other than the one seen; REQUEST_VALIDATION_ERROR for missing input
 */
async function startPayment(
  deps: PlacementDeps,
  trx: Trx,
  provider: string,
  billingAddress: ResolvedAddress | null,
  request: PlacementRequest,
): Promise<StartedPayment> {
  const change = { pay_at_store: 0, billing_address: billingAddress && JSON.stringify(billingAddress) } as const;
  for (let tried = 1; tried <= maxTries; tried++) {
    const cart = await findCartToPlace(deps, trx, request);
    if ('placed' in cart) return cart;
    if (cart.state === 'paying') {
      const payment = await findJoinableAttempt(trx, cart, provider, request);
      if (payment) return { payment };
      continue;
    }
    const begun: { payment?: Payment } = {};
    const locked = await lockCartForPayment(deps, trx, cart, request, 'paying', change, async ({ order, bill }) => {
      if (bill.total === 0) return;
      begun.payment = newAttempt(order, bill, provider, deps.now());
      await insertPayment(trx, begun.payment);
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
async function reserveCart(deps: PlacementDeps, trx: Trx, request: PlacementRequest): Promise<string> {
  for (let tried = 1; tried <= maxTries; tried++) {
    const cart = await findCartToPlace(deps, trx, request);
    if ('placed' in cart) return cart.placed;
    if (cart.state === 'paying') break;
    if (await costsNothing(deps, trx, cart, request)) {
      const locked = await lockCartForPayment(deps, trx, cart, request, 'paying', { pay_at_store: 0 });
      if (!locked) continue;
      if (locked.bill.total > 0) throw new AppError('CONFLICT', { errorKey: 'billChanged' });
      return placeZeroTotal(deps, trx, locked.order, request.settings);
    }
    const locked = await lockCartForPayment(deps, trx, cart, request, 'reserved', { pay_at_store: 1 });
    if (!locked) continue;
    await confirmOrder(deps, trx, locked.order, deps.now(), request.settings);
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
  if (payment && (payment.provider !== provider || payment.waitsSince !== null)) throw new PaymentInProgress();
  if (payment && billVersion && billVersion !== cart.bill?.billVersion)
    throw new AppError('CONFLICT', { errorKey: 'billChanged' });
  return payment;
}
