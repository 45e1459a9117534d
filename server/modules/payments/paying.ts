/** Pays a cart: the bill, an attempt at a provider, and the action that the provider requires of the customer. */
import type { FieldErrors } from '#contract/errors.ts';
import type { CheckoutMethod } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import { isClean } from '#contract/rules/fields.ts';
import { paymentErrors } from '#contract/rules/payment.ts';
import type { AddressInput, Order } from '#contract/schemas/order.ts';
import type { Paid } from '#contract/schemas/payment.ts';
import type { PaymentConfig } from '#contract/schemas/payment-config.ts';
import { type ResolvedAddress, readBillingAddress } from '#server/modules/customers/index.ts';
import {
  attemptEnded,
  type Buyer,
  type OrderSettings,
  type Payment,
  payAtStoreErrors,
  reservedUntil,
  unpaidOrderRateLimits,
  validateCheckout,
  withEditableCart,
} from '#server/modules/orders/index.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import { translateFieldErrors } from '#server/platform/i18n.ts';
import { type Attempt, networkOf } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { undecided } from './attempts/payment-settlement.ts';
import { answerShopper, latePaymentFailure, paymentError } from './payment-answers.ts';
import type { PaymentsDeps } from './payments-deps.ts';
import type { PayRequest } from './providers/pay-request.ts';
import { attemptOf, type PaymentOutcome, type PaymentProvider } from './providers/provider.ts';
import { gatewayNotSetUp } from './providers/provider-definition.ts';
import type { PaymentRegistry } from './providers/registry.ts';

const declinedAt = (address: string): Attempt => ['declinedAddress', networkOf(address)];
const unpaidBy = ({ customerId, idHash }: Buyer): Attempt => ['unpaidAttemptsBuyer', customerId ?? idHash];
const unpaidAt = (address: string): Attempt => ['unpaidAttemptsAddress', networkOf(address)];

function findProvider(payments: PaymentRegistry, name: string): PaymentProvider {
  const provider = payments.find(name);
  if (!provider) throw gatewayNotSetUp();
  return provider;
}

/**
 * The order with its bill.
 * @throws {AppError} CONFLICT for an empty cart, which sends the customer back to it
 */
export async function getBill(
  { db, now, orders, checkout, payments }: PaymentsDeps,
  session: SessionHandle,
  gatewayName: string,
  payAtStore: boolean,
  locale: Locale,
): Promise<Order> {
  // Without any gateway the page says so, and the bill is the same.
  if (!payAtStore && payments.all().length > 0) findProvider(payments, gatewayName);
  const settings = await orders.settings();
  const buyer = await checkout.buyerOf(session, settings);
  const cart = await orders.findCart(db.read, buyer);
  const lines = cart ? await orders.lines(db.read, cart) : [];
  if (!cart || lines.length === 0) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
  const problems = validateCheckout(cart, lines, settings, locale);
  if (!isClean(problems)) throw validationError(problems);
  const order = await orders.view(db.read, cart, settings, locale, { lines });
  if (cart.shownBill !== order.bill.billVersion) await db.transaction((trx) => orders.showBill(trx, order));
  const { paymentMethod } = translateFieldErrors(payAtStoreErrors(cart, lines, order.bill, settings, locale), locale);
  if (paymentMethod !== undefined) order.payAtStoreProblem = paymentMethod;
  return cart.method === 'pickup' ? { ...order, reservedUntil: reservedUntil(cart, now(), settings) } : order;
}

/**
 * Pays the cart. A repeated request pays once and gets the same answer. An attempt with another provider, or one that waits for
 * the customer, is ended first.
 * @throws {AppError} of SPEC §8 if the payment fails, with the cart unchanged; CONFLICT billChanged or rule.outOfStockLine if the
 * cart differs from what the customer saw; RATE_LIMITED
 */
export async function pay(
  deps: PaymentsDeps,
  session: SessionHandle,
  providerName: string,
  request: PayRequest,
  locale: Locale,
): Promise<Paid> {
  const { orders, checkout, payments, settlement, attempts } = deps;
  const provider = findProvider(payments, providerName);
  const allowed = async (known: Buyer | null) =>
    attempts.allow([declinedAt(request.address), unpaidAt(request.address), ...(known ? [unpaidBy(known)] : [])]);
  const [settings] = await Promise.all([orders.settings(), session.get().then(allowed)]);
  const buyer = await checkout.buyerOf(session, settings);
  const billing = readBilling(request.billingAddress, settings, request.errors ?? {});
  const config = await checkout.paymentConfig();
  const start = () => startPayment(deps, { provider, buyer, settings, config, billing, request, locale });
  const started = await orders.withExpiredHoldsReleased(() => withEditableCart(settlement, session, start));
  if ('placed' in started) return { orderID: started.placed, action: null };
  const outcome = await askForMoney(deps, provider, started.payment, request.input);
  await recordUnpaid(deps, buyer, outcome, request.address);
  return answerShopper(orders, started.payment, outcome, await settlement.settle(started.payment, outcome));
}

interface PaymentStart {
  provider: PaymentProvider;
  buyer: Buyer;
  settings: OrderSettings;
  config: PaymentConfig;
  billing: ResolvedAddress | null;
  request: PayRequest;
  locale: Locale;
}

function startPayment({ db, orders, payments, attempts }: PaymentsDeps, start: PaymentStart) {
  const { provider, buyer, settings, config, billing, request, locale } = start;
  const { billVersion, address } = request;
  return db.transaction((trx) =>
    orders.placement.startPayment(trx, provider.name, billing, {
      buyer,
      settings,
      locale,
      billVersion,
      holdsStock: provider.holdsAtApproval !== true,
      network: networkOf(address),
      countUnpaid: (within, { contact }) => attempts.countIn(within, unpaidOrderRateLimits(contact?.email, address)),
      problems: (order, lines, { total }) => ({
        ...validateCheckout(order, lines, settings, locale),
        ...(total > 0 ? notOffered(payments, provider, config, order.method) : {}),
      }),
    }),
  );
}

/** Why the shop does not accept a provider: `paymentConfig` offers the wallets, and one of the gateways that are set up. */
function notOffered(
  payments: PaymentRegistry,
  provider: PaymentProvider,
  config: PaymentConfig,
  method: CheckoutMethod | null,
): FieldErrors {
  const choice = payments.paymentMethodOf(provider);
  const errors = paymentErrors(choice, config, method);
  const isOffered = choice !== 'online' || payments.find(config.defaultGateWayProviderName) === provider;
  return isOffered || !isClean(errors) ? errors : { paymentMethod: 'rule.paymentMethodNotSetUp' };
}

/** Requests the charge; after a lost answer it requests the outcome once more. */
async function askForMoney(
  { orders, settlement }: PaymentsDeps,
  provider: PaymentProvider,
  payment: Payment,
  input: unknown,
): Promise<PaymentOutcome> {
  let attempt = { ...attemptOf(payment), hold: async () => (await settlement.hold(payment)) === null };
  const keep = async (providerId: string) => {
    if (attempt.providerId === providerId) return;
    attempt = { ...attempt, providerId };
    await orders.payments.keepProviderId(payment, providerId);
  };
  const outcome = await provider.start(attempt, input, keep).catch(undecided);
  return outcome.state === 'undecided' ? provider.complete(attempt).catch(undecided) : outcome;
}

/**
 * Counts an attempt that has taken nothing so far, and separately a card that its bank declined, or whose owner did not pass the
 * bank's challenge.
 */
async function recordUnpaid({ attempts }: PaymentsDeps, buyer: Buyer, outcome: PaymentOutcome, address: string): Promise<void> {
  if (outcome.state === 'succeeded') return;
  const failure = outcome.state === 'failed' ? outcome.failure : attemptEnded;
  const declined = failure.errorType !== 'SYSTEM_ERROR' && failure.errorKey !== attemptEnded.errorKey;
  await attempts.record([unpaidBy(buyer), unpaidAt(address), ...(declined ? [declinedAt(address)] : [])]);
}

/** Null if no address was given: the provider's own form may have collected it. */
function readBilling(input: AddressInput | undefined, settings: OrderSettings, errors: FieldErrors): ResolvedAddress | null {
  const read = input ? readBillingAddress(input, settings.countries) : null;
  const all = { ...errors, ...(read && 'errors' in read ? read.errors : {}) };
  if (!isClean(all) || (read && 'errors' in read)) throw validationError(all);
  return read?.address ?? null;
}

/**
 * Continues after the customer completed the provider's action. With `providerId`, the attempt with that id at the provider.
 * @throws {AppError} as `pay`
 */
export async function resumePayment(
  deps: PaymentsDeps,
  session: SessionHandle,
  providerName: string,
  address: string,
  providerId?: string,
): Promise<Paid> {
  const { db, orders, payments, settlement, attempts } = deps;
  const provider = findProvider(payments, providerName);
  const buyer = await session.get();
  const payment = buyer && (await orders.payments.latest(buyer, provider.name, providerId ?? null));
  if (!payment) throw new AppError('CONFLICT', { errorKey: attemptEnded.errorKey });
  if (payment.state === 'succeeded') return { orderID: payment.orderId, action: null };
  if (payment.state === 'failed') throw paymentError(payment.failure ?? attemptEnded);
  if (payment.state !== 'pending' && payment.state !== 'lapsed') throw paymentError(await latePaymentFailure(orders, payment));
  // Not by network: whoever has approved a payment may finish it.
  await attempts.allow([unpaidBy(buyer)]);
  const { outcome, orderID, soldOut } = await settlement.ask(payment, true);
  if (soldOut) throw soldOut;
  await recordUnpaid(deps, buyer, outcome, address);
  if (orderID) await db.transaction((trx) => attempts.undo(trx, [unpaidBy(buyer), unpaidAt(address)]));
  return answerShopper(orders, payment, outcome, orderID);
}

/** Cancels the payment. Returns the cart, which can be changed again, or the placed order if it was too late. */
export async function cancelPayment(
  { db, orders, settlement }: PaymentsDeps,
  session: SessionHandle,
  locale: Locale,
): Promise<Order> {
  const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
  const placed = buyer && (await settlement.cancelPendingPayment(buyer));
  const order = placed ? await orders.findById(db.read, placed) : buyer && (await orders.findCart(db.read, buyer));
  return orders.view(db.read, order, settings, locale);
}
