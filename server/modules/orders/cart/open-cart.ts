import type { Locale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Database, Trx } from '#db/database.ts';
import { PaymentInProgress } from '#server/modules/payments/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { transactOnce } from '#server/platform/request-keys/request-keys.ts';
import type { EnsuredSession, SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import type { Holds } from '../holds/holds.ts';
import type { Buyer, OrderHead } from '../order/order.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import type { OrdersService } from '../order/orders.service.ts';
import { findGuestCart, mergeCarts } from './cart.repository.ts';

/**
 * Ends the attempt to pay the buyer's cart, if one is pending. Returns the id of the order that it placed if it was too late to end
 * it, otherwise null. Checkout implements it.
 * @throws {PaymentInProgress} if the provider cannot be reached: the attempt stands
 */
export type EndPayment = (buyer: Buyer) => Promise<string | null>;

/** What the lines of a cart are read by, and the language of its answer. */
export interface CartTerms {
  settings: OrderSettings;
  locale: Locale;
}

export interface CartDeps {
  db: Database;
  orders: OrdersService;
  holds: Holds;
  endPayment: EndPayment;
}

/** The cart after a change of its row, which is not made while it is being paid: then null. @throws {PaymentInProgress} for null */
export function requireEditable(changed: OrderHead | null): OrderHead {
  if (!changed) throw new PaymentInProgress();
  return changed;
}

/** How often a change of a cart is tried while other requests start new payments. */
const maxTries = 3;

/**
 * Runs `work`, which changes the session's cart. If the cart is being paid, that payment is ended first: the customer has
 * returned to the cart. If the payment succeeded meanwhile, `work` finds no cart; with `sameCart` it is not run again.
 * @throws {AppError} CONFLICT payment.alreadyPlaced with `sameCart`, if the payment succeeded meanwhile
 * @throws {PaymentInProgress} if the payment cannot be ended
 */
export async function withEditableCart<T>(
  endPayment: EndPayment,
  session: SessionHandle,
  work: () => Promise<T>,
  { sameCart = false }: { sameCart?: boolean } = {},
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      const buyer = error instanceof PaymentInProgress && tried < maxTries ? await session.get() : null;
      if (!buyer) throw error;
      const placed = await endPayment(buyer);
      if (placed !== null && sameCart) throw new AppError('CONFLICT', { errorKey: 'payment.alreadyPlaced' });
    }
  }
}

/**
 * The session's cart, with its row locked and its version incremented. Starts a cart if there is none.
 * @throws {PaymentInProgress} if the cart is being paid
 */
export async function openCart(
  deps: CartDeps,
  trx: Trx,
  buyer: EnsuredSession,
  terms: CartTerms,
): Promise<OrderHead> {
  if (buyer.customerId !== null) await mergeGuestCart(deps, trx, buyer, terms);
  return requireEditable(await lockOrStartCart(deps, trx, buyer, terms));
}

/** Null if the cart is being paid. */
async function lockOrStartCart(
  { orders }: CartDeps,
  trx: Trx,
  buyer: Buyer & { isNew?: boolean },
  { settings, locale }: CartTerms,
): Promise<OrderHead | null> {
  const own = buyer.isNew ? null : await orders.lockCart(trx, buyer);
  // No cart is started while the buyer's is being paid. One that was started meanwhile is theirs.
  return own ?? (await orders.startCart(trx, buyer, settings, locale)) ?? (await orders.lockCart(trx, buyer));
}

/**
 * Changes the session's cart in a transaction, and stores the bill that its buyer is given with the answer. A payment that the
 * cart is in is ended first; `sameCart` as in `withEditableCart`.
 */
export function changeCart(
  { db, orders, endPayment }: CartDeps,
  session: SessionHandle,
  work: (trx: Trx) => Promise<Order>,
  options: { sameCart?: boolean } = {},
): Promise<Order> {
  const change = () => transactOnce(db, async (trx) => orders.showBill(trx, await work(trx)));
  return withEditableCart(endPayment, session, change, options);
}

/** Locks a cart, increments its version and changes its note. @throws {PaymentInProgress} if the cart is being paid */
export async function lockCart(
  { orders }: CartDeps,
  trx: Trx,
  cart: OrderHead,
  change?: { customer_comment: string },
): Promise<OrderHead> {
  return requireEditable(await orders.changeCart(trx, cart.id, change));
}

/**
 * Moves what a customer's session collected as a guest into the customer's cart: no line is lost or duplicated, no line exceeds
 * the limit. A cart that is being paid is merged the next time.
 */
export async function mergeGuestCart(
  deps: CartDeps,
  trx: Trx,
  buyer: Buyer,
  terms: CartTerms,
): Promise<void> {
  const { orders } = deps;
  const guest = await findGuestCart(trx, buyer.idHash);
  // The update first serialises two requests that merge the same cart.
  if (guest === null || (await orders.changeCart(trx, guest)) === null) return;
  const cart = await lockOrStartCart(deps, trx, buyer, terms);
  if (cart) await mergeCarts(trx, guest, cart.id);
}
