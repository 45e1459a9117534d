/** Finds, starts, locks and merges the cart of a session. */
import type { Locale } from '#contract/locales.ts';
import type { Database, Trx } from '#db/database.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { Buyer, OrderHead } from '../order.ts';
import type { OrderSettings } from '../order-settings.ts';
import type { OrdersService } from '../orders.service.ts';
import { type PaymentGuard, PaymentInProgress } from '../payment-guard.ts';
import { findGuestCart, mergeCarts } from './cart.repository.ts';

export interface CartDeps {
  db: Database;
  orders: OrdersService;
  stock: StockService;
  payments: PaymentGuard;
}

/** The session's cart, with its row locked and its version incremented. Starts a cart if there is none. */
export async function openCart(
  deps: CartDeps,
  trx: Trx,
  buyer: Buyer,
  settings: OrderSettings,
  locale: Locale,
): Promise<OrderHead> {
  if (buyer.customerId !== null) await mergeGuestCart(deps, trx, buyer, settings, locale);
  return lockCart(deps, trx, await findOrStartCart(deps, trx, buyer, settings, locale));
}

export async function findOrStartCart(
  { orders }: CartDeps,
  trx: Trx,
  buyer: Buyer,
  settings: OrderSettings,
  locale: Locale,
): Promise<OrderHead> {
  return (await orders.findCart(trx, buyer)) ?? (await orders.startCart(trx, buyer, settings, locale));
}

/** Locks a cart, increments its version and changes its note. @throws {PaymentInProgress} if the cart is being paid */
export async function lockCart(
  { orders }: CartDeps,
  trx: Trx,
  cart: OrderHead,
  change?: { customer_comment: string },
): Promise<OrderHead> {
  const version = await orders.changeCart(trx, cart.id, change);
  if (version === null) throw new PaymentInProgress();
  return { ...cart, version };
}

/**
 * Moves what a customer's session collected as a guest into the customer's cart: no line is lost or duplicated, no line exceeds
 * the limit. A cart that is being paid is merged the next time.
 */
export async function mergeGuestCart(
  deps: CartDeps,
  trx: Trx,
  buyer: Buyer,
  settings: OrderSettings,
  locale: Locale,
): Promise<void> {
  const { orders } = deps;
  const guest = await findGuestCart(trx, buyer.idHash);
  // The update first serialises two requests that merge the same cart.
  if (guest === null || (await orders.changeCart(trx, guest)) === null) return;
  const cart = await findOrStartCart(deps, trx, buyer, settings, locale);
  if (cart.state === 'cart' && (await orders.changeCart(trx, cart.id)) !== null) await mergeCarts(trx, guest, cart.id);
}
