/**
 * Pays a cart: the bill, an attempt at a provider, and the action that the provider requires of the customer. What the provider
 * answers is settled by `payments/attempts/attempts.ts`.
 */
import type { FieldErrors } from '#contract/errors.ts';
import type { Locale, MessageKey } from '#contract/locales.ts';
import { asksBillingAddress, isBlankAddress } from '#contract/rules/address.ts';
import { isClean } from '#contract/rules/fields.ts';
import { paymentErrors } from '#contract/rules/payment.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Paid } from '#contract/schemas/payment.ts';
import type { Database, Trx } from '#db/database.ts';
import { type ResolvedAddress, readBillingAddress } from '#server/modules/customers/index.ts';
import {
  type Buyer,
  dueVersionOf,
  findByDueVersion,
  isDueVersion,
  type OrderHead,
  type OrderSettings,
  partOf,
  reservedUntil,
  updateOrder,
  withEditableCart,
} from '#server/modules/orders/index.ts';
import {
  type AttemptWanted,
  attemptEnded,
  attemptOf,
  balanceOf,
  findAttempt,
  findPaymentOf,
  gatewayNotSetUp,
  insertPayment,
  latestRefundOf,
  newAttempt,
  type Payables,
  type Payment,
  type PaymentFailure,
  PaymentInProgress,
  type PaymentOutcome,
  type PaymentProvider,
  type PaymentsService,
  type PayRequest,
  type RefundState,
  saveProviderId,
  undecided,
} from '#server/modules/payments/index.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import { translateFieldErrors } from '#server/platform/i18n.ts';
import {
  type Attempt,
  networkOf,
  type RateLimitsService,
} from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { checkoutBuyer } from '../delivery/checkout-cart.ts';
import { unpaidOrderRateLimits } from '../placement/hold-limits.ts';
import {
  type PlacementDeps,
  placedBefore,
  type StartedPayment,
  startPayment,
} from '../placement/place-order.ts';
import { payAtStoreErrors, paymentConfigOf, validateCheckout } from '../placement/validation.ts';

interface PayingDeps extends PlacementDeps {
  payments: PaymentsService;
  payables: Payables;
  rateLimits: RateLimitsService;
}

export type Paying = ReturnType<typeof createPaying>;

export const createPaying = (deps: PayingDeps) => ({
  bill: getBill(deps),
  pay: pay(deps),
  resume: resumePayment(deps),
  cancel: cancelPayment.bind(null, deps),
  endPayment: endPayment.bind(null, deps),
});

const declinedAt = (address: string): Attempt => ['declinedAddress', networkOf(address)];
const unpaidBy = ({ customerId, idHash }: Buyer): Attempt => ['unpaidAttemptsBuyer', customerId ?? idHash];
const unpaidAt = (address: string): Attempt => ['unpaidAttemptsAddress', networkOf(address)];

function findProvider({ payments }: PayingDeps, name: string): PaymentProvider {
  const provider = payments.providers.find(name);
  if (!provider) throw gatewayNotSetUp();
  return provider;
}

/**
 * The order with its bill.
 * @throws {AppError} CONFLICT for an empty cart, which sends the customer back to it
 */
function getBill(deps: PayingDeps) {
  return async (
    session: SessionHandle,
    gatewayName: string,
    payAtStore: boolean,
    locale: Locale,
  ): Promise<Order> => {
    const { db, now, orders, payments } = deps;
    // With the settings come the providers of the moment.
    const settings = await orders.settings();
    // Without any gateway the page says so, and the bill is the same.
    if (!payAtStore && payments.providers.all().length > 0) findProvider(deps, gatewayName);
    const buyer = await checkoutBuyer(session, settings);
    const cart = await orders.findCart(db.read, buyer);
    const lines = cart ? await orders.lines(db.read, cart) : [];
    if (!cart || lines.length === 0) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
    const problems = validateCheckout(cart, { lines, settings, locale, now: now() });
    if (!isClean(problems)) throw validationError(problems);
    const order = await orders.view(db.read, cart, settings, locale, { lines });
    if (cart.shownBill !== order.bill.billVersion) await db.transaction((trx) => orders.showBill(trx, order));
    const { paymentMethod } = translateFieldErrors(
      payAtStoreErrors(cart, order.bill, { lines, settings, locale }),
      locale,
    );
    if (paymentMethod !== undefined) order.payAtStoreProblem = paymentMethod;
    const until = cart.method === 'pickup' ? reservedUntil(cart, now(), settings) : null;
    return until === null ? order : { ...order, reservedUntil: until };
  };
}

/**
 * Pays the cart, or what is due of a placed order. A repeated request pays once and gets the same answer. An attempt with another provider, or one that waits for
 * the customer, is ended first.
 * @throws {AppError} of SPEC §8 if the payment fails, with the cart unchanged; CONFLICT billChanged or rule.outOfStockLine if the
 * cart differs from what the customer saw; RATE_LIMITED
 */
function pay(deps: PayingDeps) {
  return async (
    session: SessionHandle,
    providerName: string,
    request: PayRequest,
    locale: Locale,
  ): Promise<Paid> => {
    const { db, orders, payments, rateLimits } = deps;
    const { address, billVersion } = request;
    const provider = findProvider(deps, providerName);
    const buyer = await session.get();
    const limits = [declinedAt(address), unpaidAt(address), ...(buyer ? [unpaidBy(buyer)] : [])];
    const [settings] = await Promise.all([orders.settings(), rateLimits.allow(limits)]);
    const startDue = async (version: string) => {
      readBilling(request, settings, await findByDueVersion(db.read, version));
      return startDuePayment(deps, provider.name, version, (order) =>
        notOffered(deps, provider, settings, order),
      );
    };
    const startCart = async () => {
      const owner = await checkoutBuyer(session, settings);
      const start = { provider, buyer: owner, settings, request, locale };
      const end = (paying: Buyer) => endPayment(deps, paying);
      const begun = deps.holds.withExpiredHoldsReleased(() =>
        withEditableCart(end, session, () => startAttempt(deps, start)),
      );
      return begun.catch(async (error: unknown) => ({ placed: await placedBefore(deps, owner, error) }));
    };
    const started = await (isDueVersion(billVersion) ? startDue(billVersion) : startCart());
    if ('placed' in started) return { orderID: started.placed, action: null };
    const outcome = await askForMoney(deps, provider, started.payment, request.input);
    await recordUnpaid(deps, buyer, outcome, address);
    return answerShopper(
      deps,
      started.payment,
      outcome,
      await payments.attempts.settle(started.payment, outcome),
    );
  };
}

interface PaymentStart {
  provider: PaymentProvider;
  buyer: Buyer;
  settings: OrderSettings;
  request: PayRequest;
  locale: Locale;
}

function startAttempt(deps: PayingDeps, start: PaymentStart) {
  const { db, now, rateLimits } = deps;
  const { provider, buyer, settings, request, locale } = start;
  const { billVersion, address } = request;
  return db.transaction((trx) =>
    startPayment(
      deps,
      trx,
      { provider: provider.name, billingAddress: (cart) => readBilling(request, settings, cart) },
      {
        buyer,
        settings,
        locale,
        billVersion,
        holdsStock: provider.holdsAtApproval !== true,
        network: networkOf(address),
        countUnpaid: (within, { contact }) =>
          rateLimits.countIn(within, unpaidOrderRateLimits(contact?.email, address)),
        problems: (order, lines, { total }) => ({
          ...validateCheckout(order, { lines, settings, locale, now: now() }),
          ...(total > 0 ? notOffered(deps, provider, settings, order) : {}),
        }),
      },
    ),
  );
}

/** Why the shop does not accept a provider: `paymentConfig` offers the wallets, and one of the gateways that are set up. */
function notOffered(
  { payments: { providers } }: PayingDeps,
  provider: PaymentProvider,
  settings: OrderSettings,
  { method }: OrderHead,
): FieldErrors {
  const config = paymentConfigOf(settings, providers);
  const choice = providers.paymentMethodOf(provider);
  const errors = paymentErrors(choice, config, method);
  const isOffered = choice !== 'online' || providers.find(config.defaultGateWayProviderName) === provider;
  return isOffered || !isClean(errors) ? errors : { paymentMethod: 'rule.paymentMethodNotSetUp' };
}

/** Requests the charge; after a lost answer it requests the outcome once more. */
async function askForMoney(
  { db, payables }: PayingDeps,
  provider: PaymentProvider,
  payment: Payment,
  input: unknown,
): Promise<PaymentOutcome> {
  let attempt = { ...attemptOf(payment), hold: async () => (await payables.hold(payment)) === null };
  const keep = async (providerId: string) => {
    if (attempt.providerId === providerId) return;
    attempt = { ...attempt, providerId };
    await db.transaction((trx) => saveProviderId(trx, payment.id, providerId));
  };
  const outcome = await provider.start(attempt, input, keep).catch(undecided);
  return outcome.state === 'undecided' ? provider.complete(attempt).catch(undecided) : outcome;
}

/**
 * Counts an attempt that has taken nothing so far, and separately a card that its bank declined, or whose owner did not pass the
 * bank's challenge.
 */
async function recordUnpaid(
  { rateLimits }: PayingDeps,
  buyer: Buyer | null,
  outcome: PaymentOutcome,
  address: string,
): Promise<void> {
  if (outcome.state === 'succeeded') return;
  const failure = outcome.state === 'failed' ? outcome.failure : attemptEnded;
  const declined = failure.errorType !== 'SYSTEM_ERROR' && failure.errorKey !== attemptEnded.errorKey;
  await rateLimits.record([
    ...(buyer ? [unpaidBy(buyer)] : []),
    unpaidAt(address),
    ...(declined ? [declinedAt(address)] : []),
  ]);
}

/** Null if no address was given: the provider's own form may have collected it. At a table an empty one is none. */
function readBilling(
  { billingAddress: input, errors = {} }: PayRequest,
  settings: OrderSettings,
  order: OrderHead | null,
): ResolvedAddress | null {
  const isNone = !input || (!asksBillingAddress(order?.method ?? null) && isBlankAddress(input));
  const read = isNone ? null : readBillingAddress(input, settings.countries);
  const all = { ...errors, ...(read && 'errors' in read ? read.errors : {}) };
  if (!isClean(all) || (read && 'errors' in read)) throw validationError(all);
  return read?.address ?? null;
}

/**
 * Continues after the customer completed the provider's action.
 * @throws {AppError} as `pay`
 */
function resumePayment(deps: PayingDeps) {
  return async (
    session: SessionHandle,
    providerName: string,
    address: string,
    { dueVersion, providerId }: AttemptWanted,
  ): Promise<Paid> => {
    const { db, payments, rateLimits } = deps;
    const provider = findProvider(deps, providerName);
    const buyer = await session.get();
    const order = dueVersion === undefined ? null : await findByDueVersion(db.read, dueVersion);
    const paid = dueVersion === undefined ? buyer : order && { orderId: order.id };
    const payment = paid && (await findAttempt(db.read, paid, provider.name, providerId ?? null));
    if (!payment) throw new AppError('CONFLICT', { errorKey: attemptEnded.errorKey });
    if (payment.state === 'succeeded') return { orderID: payment.orderId, action: null };
    if (payment.state === 'failed') throw paymentError(payment.failure ?? attemptEnded);
    if (payment.state !== 'pending' && payment.state !== 'lapsed')
      throw paymentError(await latePaymentFailure(deps, payment));
    // Not by network: whoever has approved a payment may finish it.
    const limits = buyer ? [unpaidBy(buyer)] : [];
    await rateLimits.allow(limits);
    const { outcome, orderID, soldOut } = await payments.attempts.ask(payment, true);
    if (soldOut) throw soldOut;
    await recordUnpaid(deps, buyer, outcome, address);
    if (orderID) await db.transaction((trx) => rateLimits.undo(trx, [...limits, unpaidAt(address)]));
    return answerShopper(deps, payment, outcome, orderID);
  };
}

/**
 * Cancels the payment. Returns the cart, which can be changed again, or the placed order if it was too late, or if what is due of it
 * was being paid.
 */
async function cancelPayment(
  deps: PayingDeps,
  session: SessionHandle,
  locale: Locale,
  billVersion?: string,
): Promise<Order> {
  const { db, orders, payments } = deps;
  const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
  if (isDueVersion(billVersion)) {
    const order = await findByDueVersion(db.read, billVersion);
    const payment = order && (await findPaymentOf(db.read, order.id, 'pending'));
    if (payment) await payments.attempts.end(payment);
    return orders.dueOrder(billVersion, buyer, locale);
  }
  const placed = buyer && (await endPayment(deps, buyer));
  const order = placed
    ? await orders.findById(db.read, placed)
    : buyer && (await orders.findCart(db.read, buyer));
  return orders.view(db.read, order, settings, locale);
}

/** See `EndPayment` of carts. */
async function endPayment({ db, orders, payments }: PayingDeps, buyer: Buyer): Promise<string | null> {
  const cart = await orders.findCart(db.read, buyer);
  const payment = cart?.state === 'paying' ? await findPaymentOf(db.read, cart.id, 'pending') : null;
  return payment && payments.attempts.end(payment);
}

/**
 * The answer to a customer who waits for this attempt. `orderID` is the order that the attempt placed, if any.
 * @throws {AppError} of SPEC §8 if the payment failed
 */
async function answerShopper(
  deps: PayingDeps,
  payment: Payment,
  outcome: PaymentOutcome,
  orderID: string | null,
): Promise<Paid> {
  if (orderID) return { orderID, action: null };
  switch (outcome.state) {
    case 'action':
      return { orderID: null, action: outcome.action };
    case 'succeeded':
      throw paymentError(await latePaymentFailure(deps, payment));
    case 'failed':
      throw paymentError(outcome.failure);
    case 'undecided':
      throw paymentError({ errorType: 'SYSTEM_ERROR', errorKey: 'payment.undecided' });
  }
}

const lateKeys = {
  due: 'payment.lateRefundDue',
  held: 'payment.lateRefundDue',
  done: 'payment.lateRefunded',
  refused: 'payment.lateRefundFailed',
} as const satisfies Record<RefundState, MessageKey>;

/** The failure of a payment that arrived too late for its order, with the state of its refund. */
async function latePaymentFailure({ db }: PayingDeps, payment: Payment): Promise<PaymentFailure> {
  const state = (await latestRefundOf(db.read, payment.id))?.state;
  return state ? { errorType: 'TRANSACTION_ERROR', errorKey: lateKeys[state] } : attemptEnded;
}

/** A gateway outage is a 503: a later retry may succeed. */
function paymentError({ errorType, errorKey, errors }: PaymentFailure): AppError {
  return new AppError(errorType, {
    errorKey,
    ...(errors ? { errors } : {}),
    ...(errorType === 'SYSTEM_ERROR' ? { status: 503 } : {}),
  });
}

/** Begins to pay online what is due of a placed order. What the provider answers is settled like any other attempt. */
interface DueDeps {
  db: Database;
  now: () => number;
  payments: PaymentsService;
}

/** Another attempt may begin between ending one and beginning the next. */
const maxTries = 3;

/**
 * Begins to pay what is due, or joins the pending attempt, or returns the order if nothing is due any more. An attempt with another
 * provider, or for another amount, or one that waits for the customer, is ended first.
 * @throws {AppError} CONFLICT if the order was cancelled or its bill changed, billChanged if another amount is due;
 * REQUEST_VALIDATION_ERROR for `problems`
 */
async function startDuePayment(
  { db, now, payments }: DueDeps,
  provider: string,
  dueVersion: string,
  problems: (order: OrderHead) => FieldErrors,
): Promise<StartedPayment> {
  for (let tried = 1; tried <= maxTries; tried++) {
    const started = await db.transaction((trx) =>
      beginOrJoin(trx, { provider, dueVersion }, problems, now()),
    );
    if (!('other' in started)) return started;
    await payments.attempts.end(started.other);
  }
  throw new PaymentInProgress();
}

async function beginOrJoin(
  trx: Trx,
  { provider, dueVersion }: { provider: string; dueVersion: string },
  problems: (order: OrderHead) => FieldErrors,
  at: number,
): Promise<StartedPayment | { other: Payment }> {
  const found = await findByDueVersion(trx, dueVersion);
  // Locks the order: another tab may begin to pay, and staff may take money or cancel it.
  const order = found && (await updateOrder(trx, found.id, { updated_at: at }));
  if (!order || order.state === 'cancelled' || order.state === 'lapsed')
    throw new AppError('CONFLICT', { errorKey: 'error.orderChanged' });
  const balance = await balanceOf(trx, order.id);
  if (balance.due === 0) return { placed: order.id };
  if (dueVersionOf(order, balance) !== dueVersion)
    throw new AppError('CONFLICT', { errorKey: 'billChanged' });
  const errors = problems(order);
  if (!isClean(errors)) throw validationError(errors);
  const pending = await findPaymentOf(trx, order.id, 'pending');
  if (pending?.provider === provider && pending.waitsSince === null && pending.amount === balance.due)
    return { payment: pending };
  if (pending) return { other: pending };
  // Providers may take an invoice's number only once.
  const number = `${order.number}-${balance.payments.length + 1}`;
  const payment = { ...newAttempt(partOf(order, balance.due, balance), provider, at), number };
  await insertPayment(trx, payment);
  return { payment };
}
