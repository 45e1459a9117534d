/** Shared steps of checkout: identifying the buyer, and changing the cart. */
import type { FieldErrors } from '#contract/errors.ts';
import type { Locale } from '#contract/locales.ts';
import { isClean } from '#contract/rules/fields.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Database, Trx } from '#db/database.ts';
import type { AccountsService } from '#server/modules/customers/index.ts';
import type { StockLevels } from '#server/modules/inventory/index.ts';
import type {
  Buyer,
  Holds,
  OrderHead,
  OrderLine,
  OrderSettings,
  OrdersService,
} from '#server/modules/orders/index.ts';
import { changeCart, type EndPayment, requireEditable } from '#server/modules/orders/index.ts';
import { PaymentInProgress } from '#server/modules/payments/index.ts';
import type { PickupService } from '#server/modules/stores/index.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import type { Geocoder } from './geocoder.ts';

export interface CheckoutDeps {
  db: Database;
  now: () => number;
  orders: OrdersService;
  holds: Holds;
  pickup: PickupService;
  endPayment: EndPayment;
  accounts: AccountsService;
  geocode: Geocoder;
}

/**
 * The buyer at checkout.
 * @throws {AppError} 401 if guests may not check out, which the screens turn into signing in; CONFLICT without a session
 */
export async function checkoutBuyer(session: SessionHandle, { checkout }: OrderSettings): Promise<Buyer> {
  const buyer = await session.get();
  if (!checkout.enabledGuestOrders && !buyer?.customerId)
    throw new AppError('AUTHORIZATION_ERROR', { errorKey: 'rule.loginNeeded' });
  if (!buyer) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
  return buyer;
}

export interface FilledCart {
  cart: OrderHead;
  lines: readonly OrderLine[];
  stock: StockLevels;
}

/**
 * Changes the buyer's cart by the fields that `decide` returns, in one transaction. If the cart is being paid, that payment is
 * ended first. Returns the changed order.
 * @throws {AppError} CONFLICT rule.cartEmpty if the cart is empty
 */
export function changeCheckout(
  deps: CheckoutDeps,
  {
    session,
    buyer,
    settings,
    locale,
  }: { session: SessionHandle; buyer: Buyer; settings: OrderSettings; locale: Locale },
  decide: (trx: Trx, filled: FilledCart) => Promise<Parameters<OrdersService['changeCart']>[2]>,
): Promise<Order> {
  const { orders } = deps;
  const change = async (trx: Trx) => {
    const filled = await filledCart(orders, trx, buyer);
    const fields = await decide(trx, filled);
    const changed = requireEditable(await orders.changeCart(trx, filled.cart.id, fields));
    return orders.view(trx, changed, settings, locale, filled);
  };
  return changeCart(deps, session, change, { sameCart: true });
}

/** A cart that is not empty and not being paid. */
async function filledCart(orders: OrdersService, trx: Trx, buyer: Buyer): Promise<FilledCart> {
  const cart = await orders.findCart(trx, buyer);
  if (cart?.state === 'paying') throw new PaymentInProgress();
  const parts = cart && (await orders.parts(trx, cart));
  if (!cart || !parts || parts.lines.length === 0)
    throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
  return { cart, ...parts };
}

/** @throws {AppError} REQUEST_VALIDATION_ERROR with `errors`, unless there are none */
export function rejectErrors(errors: FieldErrors): void {
  if (!isClean(errors)) throw validationError(errors);
}
