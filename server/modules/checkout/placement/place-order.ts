/** Turns a cart into an order: to be paid online, at the store, or for nothing. Each step is one transaction. */
import type { FieldErrors } from '#contract/errors.ts';
import type { Locale } from '#contract/locales.ts';
import type { Bill } from '#contract/schemas/order.ts';
import type { Database, Trx } from '#db/database.ts';
import type { ResolvedAddress } from '#server/modules/customers/index.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { OutboxService } from '#server/modules/notifications/index.ts';
import {
  type Buyer,
  type CouponsService,
  type OrderHead,
  type OrderLine,
  type OrderSettings,
  type OrdersService,
  payableOf,
} from '#server/modules/orders/index.ts';
import { findPaymentOf, insertPayment, newAttempt, type Payment, PaymentInProgress } from '#server/modules/payments/index.ts';
import type { PickupService } from '#server/modules/stores/index.ts';
import type { WebhookEvents } from '#server/modules/webhooks/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { confirmOrder, placeZeroTotal } from './confirm-order.ts';
import { costsNothing, findCartToPlace, lockCartForPayment } from './lock-cart.ts';

/** On PostgreSQL another tab can change a cart between two reads; then the cart is read again. */
const maxTries = 3;

export interface PlacementDeps {
  db: Database;
  now: () => number;
  orders: OrdersService;
  stock: StockService;
  pickup: PickupService;
  mail: OutboxService;
  coupons: CouponsService;
  webhookEvents: WebhookEvents;
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
      begun.payment = newAttempt(payableOf(order, bill), provider, deps.now());
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
export async function reserveCart(deps: PlacementDeps, trx: Trx, request: PlacementRequest): Promise<string> {
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
