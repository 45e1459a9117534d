/** Paying online, by whichever provider, and finding out what became of payments whose answer was lost. */
import type { FieldErrors } from '#contract/errors.ts';
import type { CheckoutMethod } from '#contract/limits.ts';
import type { Locale, MessageKey } from '#contract/locales.ts';
import { isClean } from '#contract/rules/fields.ts';
import { paymentErrors } from '#contract/rules/payment.ts';
import type { AddressInput, Order, PaymentConfig } from '#contract/schemas/order.ts';
import type { Paid } from '#contract/schemas/payment.ts';
import type { Database } from '#db/database.ts';
import { type ResolvedAddress, readBillingAddress } from '#server/modules/customers/index.ts';
import {
  attemptEnded,
  type CheckoutService,
  type DueRefund,
  FulfilmentError,
  type OrderHead,
  type OrderSettings,
  type OrdersService,
  type Payment,
  type PaymentState,
  type Refund,
  type RefundRequest,
  type RefundState,
  reservedUntil,
  unpaidOrderRateLimits,
  validateCheckout,
  withEditableCart,
} from '#server/modules/orders/index.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import { type Attempt, networkOf, type RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { createPaymentMonitor } from './payment-monitor.ts';
import { type PaymentSettlement, undecided } from './payment-settlement.ts';
import {
  attemptOf,
  type PaymentFailure,
  type PaymentOutcome,
  type PaymentProvider,
  RefundRefused,
  type Webhook,
} from './provider.ts';
import { createProviderQueues, type QueueLimits } from './provider-queues.ts';
import { type ReconciliationResult, reconcileAll } from './reconcile.ts';
import type { PaymentRegistry } from './registry.ts';

export interface PayRequest {
  /** What the provider is given; it is kept nowhere. */
  input: unknown;
  /** The bill the shopper saw; left out, whatever the bill is now. */
  billVersion?: string | undefined;
  billingAddress?: AddressInput | undefined;
  /** What is wrong with `input` by the rules of its form. */
  errors?: FieldErrors;
  /** Where it came from: too many cards declined there, and no more are tried for a while. */
  address: string;
}

export interface RefundResult {
  refund: Refund;
  given: boolean;
  /** Why the provider never will, in its own words. */
  refused?: string;
}

export interface PaymentsService {
  /** The order with its bill. 409 for an empty cart, which sends the shopper back to it. */
  bill(session: SessionHandle, gatewayName: string, payAtStore: boolean, locale: Locale): Promise<Order>;
  /**
   * Pays the cart. Sent twice it pays once and answers the same. An attempt by another way, or one that
   * waits for the shopper, is ended first.
   * @throws Refusal of SPEC §8 where the payment fails, and the cart is as it was; CONFLICT billChanged or
   * rule.outOfStockLine where the cart is not what the shopper saw; RATE_LIMITED
   */
  pay(session: SessionHandle, providerName: string, request: PayRequest, locale: Locale): Promise<Paid>;
  /**
   * After the shopper did what the provider asked. With `providerId`, of the attempt the provider knows by it.
   * @throws as `pay`
   */
  resume(session: SessionHandle, providerName: string, address: string, providerId?: string): Promise<Paid>;
  /** The shopper gave up. The cart, which is theirs again; the placed order where it was too late. */
  cancel(session: SessionHandle, locale: Locale): Promise<Order>;
  /**
   * False: not from the provider. Throws where what it is about could not be settled, so that it is sent again.
   */
  webhook(providerName: string, webhook: Webhook): Promise<boolean>;
  /**
   * Gives money of an order back, by its number. `given` is false where the provider cannot be reached
   * or does not give it yet: reconciliation tries it again until it does.
   * @throws DeskProblem where it cannot be
   */
  refund(orderNumber: string, wish: RefundRequest): Promise<RefundResult>;
  /**
   * Tries a refund again that was refused, by its id (`RefundProblems.retry`).
   * @throws DeskProblem if there is none
   */
  retryRefund(id: string): Promise<RefundResult>;
  /** Calls an order off (`Desk.cancel`) and gives back what was paid. `refund` is null where nothing was. */
  cancelOrder(orderNumber: string, reason: string): Promise<{ order: OrderHead; refund: RefundResult | null }>;
  /** Settles payments whose answer was lost, gives back what is due and ends holds that ran out. */
  reconcile(): Promise<ReconciliationResult>;
  /** Asks providers about refunds and disputes of payments that are due for it (`Watching.checkDue`). */
  checkDue(): Promise<void>;
  registry: PaymentRegistry;
}

export interface PaymentsDeps {
  db: Database;
  now: () => number;
  orders: OrdersService;
  checkout: CheckoutService;
  payments: PaymentRegistry;
  settlement: PaymentSettlement;
  attempts: RateLimitsService;
  /** How long reconciliation waits for providers; left out, as long as `queueLimits` says. */
  queueLimits?: QueueLimits;
}

export function createPaymentsService(deps: PaymentsDeps): PaymentsService {
  const queues = createProviderQueues(deps.queueLimits);
  const watching = createPaymentMonitor(deps);
  const { db, now, orders, checkout, payments, settlement, attempts } = deps;

  function providerOf(name: string): PaymentProvider {
    const provider = payments.find(name);
    if (!provider) throw new AppError('NOT_FOUND', { errorKey: 'rule.gatewayNotSetUp' });
    return provider;
  }

  /** Asks for the money; an answer that never came is asked for once more. */
  async function start(provider: PaymentProvider, payment: Payment, input: unknown): Promise<PaymentOutcome> {
    let attempt = { ...attemptOf(payment), hold: async () => (await settlement.hold(payment)) === null };
    const keep = async (providerId: string) => {
      if (attempt.providerId === providerId) return;
      attempt = { ...attempt, providerId };
      await orders.payments.keepProviderId(payment, providerId);
    };
    const outcome = await provider.start(attempt, input, keep).catch(undecided);
    return outcome.state === 'undecided' ? provider.complete(attempt).catch(undecided) : outcome;
  }

  /** Why the shop does not take money by a provider: `paymentConfig` offers the wallets, and one of the gateways that are set up. */
  function notOffered(provider: PaymentProvider, config: PaymentConfig, method: CheckoutMethod | null): FieldErrors {
    const choice = payments.paymentMethodOf(provider);
    const errors = paymentErrors(choice, config, method);
    const isOffered = choice !== 'online' || payments.find(config.defaultGateWayProviderName) === provider;
    return isOffered || !isClean(errors) ? errors : { paymentMethod: 'rule.paymentMethodNotSetUp' };
  }

  async function sendRefund(due: DueRefund, options?: { attending?: boolean }): Promise<RefundResult> {
    try {
      return { refund: due.refund, given: await settlement.sendRefund(due, options) };
    } catch (error) {
      const { refund } = due;
      return error instanceof RefundRefused ? { refund, given: false, refused: error.message } : { refund, given: false };
    }
  }

  /** What became of money that came too late for its order, as its shopper is told. */
  async function lateFailure(payment: Payment): Promise<PaymentFailure> {
    const state = await orders.refunds.lateState(payment);
    return state ? { errorType: 'TRANSACTION_ERROR', errorKey: lateKeys[state] } : attemptEnded;
  }

  /** Counts a card that its bank, or the shopper's own answer to it, has refused. */
  async function noteDecline(outcome: PaymentOutcome, address: string): Promise<void> {
    if (outcome.state !== 'failed') return;
    const { errorType, errorKey } = outcome.failure;
    if (errorType !== 'SYSTEM_ERROR' && errorKey !== attemptEnded.errorKey) await attempts.record(declinedAt(address));
  }

  /** What a shopper is answered who waits for this attempt. */
  async function answer(payment: Payment, outcome: PaymentOutcome, orderID: string | null): Promise<Paid> {
    if (orderID) return { orderID, action: null };
    if (outcome.state === 'action') return { orderID: null, action: outcome.action };
    throw outcome.state === 'succeeded' ? paymentRefusal(await lateFailure(payment)) : refusalOf(outcome);
  }

  /** What was refunded elsewhere meanwhile counts. If the provider gives no answer, it refuses what is too much itself. */
  async function checkBefore(orderId: string): Promise<void> {
    const payment = await orders.payments.succeededOf(orderId);
    if (payment) await watching.check(payment).catch(() => {});
  }

  return {
    registry: payments,
    checkDue: () => watching.checkDue(),

    async bill(session, gatewayName, payAtStore, locale) {
      // Where there is no gateway at all the page says so, and the bill is the same.
      if (!payAtStore && payments.all().length > 0) providerOf(gatewayName);
      const facts = await orders.settings();
      const buyer = await checkout.buyerOf(session, facts);
      const cart = await orders.findCart(db.read, buyer);
      const lines = cart ? await orders.lines(db.read, cart) : [];
      if (!cart || lines.length === 0) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
      const problems = validateCheckout(cart, lines, facts, locale);
      if (!isClean(problems)) throw validationError(problems);
      const order = await orders.view(db.read, cart, facts, locale, { lines });
      return cart.method === 'pickup' ? { ...order, reservedUntil: reservedUntil(cart, now(), facts) } : order;
    },

    async pay(session, providerName, { input, billVersion, billingAddress, errors = {}, address: from }, locale) {
      const provider = providerOf(providerName);
      await attempts.allow(declinedAt(from));
      const facts = await orders.settings();
      const buyer = await checkout.buyerOf(session, facts);
      const address = readBilling(billingAddress, facts, errors);
      const config = await checkout.paymentConfig();
      // Holds nobody paid in time are given back first, so that their goods can be had.
      await orders.expireHolds();
      const started = await withEditableCart(settlement, session, () =>
        db.transaction((trx) =>
          orders.placement.startPayment(trx, provider.name, address, {
            buyer,
            settings: facts,
            locale,
            billVersion,
            holdsStock: provider.holdsAtApproval !== true,
            network: networkOf(from),
            countUnpaid: (within, { contact }) => attempts.countIn(within, unpaidOrderRateLimits(contact?.email, from)),
            problems: (order, lines, { total }) => ({
              ...validateCheckout(order, lines, facts, locale),
              ...(total > 0 ? notOffered(provider, config, order.method) : {}),
            }),
          }),
        ),
      );
      if ('placed' in started) return { orderID: started.placed, action: null };
      const outcome = await start(provider, started.payment, input);
      await noteDecline(outcome, from);
      return answer(started.payment, outcome, await settlement.settle(started.payment, outcome));
    },

    async resume(session, providerName, address, providerId) {
      const provider = providerOf(providerName);
      const buyer = await session.get();
      const payment = buyer && (await orders.payments.latest(buyer, provider.name, providerId ?? null));
      if (!payment) throw new AppError('CONFLICT', { errorKey: attemptEnded.errorKey });
      if (payment.state === 'succeeded') return { orderID: payment.orderId, action: null };
      if (payment.state === 'failed') throw paymentRefusal(payment.failure ?? attemptEnded);
      if (payment.state !== 'pending' && payment.state !== 'lapsed') throw paymentRefusal(await lateFailure(payment));
      const { outcome, orderID, soldOut } = await settlement.ask(payment, true);
      if (soldOut) throw soldOut;
      await noteDecline(outcome, address);
      return answer(payment, outcome, orderID);
    },

    async cancel(session, locale) {
      const [facts, buyer] = await Promise.all([orders.settings(), session.get()]);
      const placed = buyer && (await settlement.cancelPendingPayment(buyer));
      const order = placed ? await orders.findById(db.read, placed) : buyer && (await orders.findCart(db.read, buyer));
      return orders.view(db.read, order, facts, locale);
    },

    async webhook(providerName, webhook) {
      const provider = payments.find(providerName);
      const about = await provider?.parseWebhook(webhook);
      if (!provider || !about) return false;
      const payment =
        (await orders.payments.find(provider.name, about.reference)) ??
        (about.providerId ? await orders.payments.findByProviderId(provider.name, about.providerId) : null);
      if (payment && about.refundKey) await settlement.recheckRefund(payment, about.refundKey);
      if (payment && taken.includes(payment.state)) await watching.check(payment);
      // Nothing of this shop's, or paid: there is nothing left to ask. Of a failed one there may be money after all.
      if (!payment || !['pending', 'lapsed', 'failed'].includes(payment.state)) return true;
      const { outcome } = await settlement.ask(payment, about.shopperActed);
      if (outcome.state === 'undecided') throw new AppError('SYSTEM_ERROR', { errorKey: 'payment.undecided', status: 503 });
      return true;
    },

    async refund(orderNumber, wish) {
      const { id } = await orders.fulfilment.find(orderNumber);
      await checkBefore(id);
      const due = await db.transaction((trx) => orders.refunds.open(trx, id, wish));
      const result = await sendRefund(due, { attending: true });
      if (result.refused === undefined) return result;
      throw new FulfilmentError(`${due.payment.provider} does not refund it: ${result.refused}.`);
    },

    retryRefund: async (id) => sendRefund(await orders.refundProblems.retry(id)),

    async cancelOrder(orderNumber, reason) {
      await checkBefore((await orders.fulfilment.find(orderNumber)).id);
      const { order, refund } = await orders.fulfilment.cancel(orderNumber, reason);
      return { order, refund: refund && (await sendRefund(refund)) };
    },

    reconcile: () => reconcileAll(deps, queues),
  };
}

/** Payments whose money the provider has taken. */
const taken: readonly PaymentState[] = ['succeeded', 'refundDue', 'refunded'];

const declinedAt = (address: string): Attempt[] => [['declinedAddress', networkOf(address)]];

/** Null where none was given: the provider's own form may have asked for it. */
function readBilling(input: AddressInput | undefined, facts: OrderSettings, errors: FieldErrors): ResolvedAddress | null {
  const read = input ? readBillingAddress(input, facts.countries) : null;
  const all = { ...errors, ...(read && 'errors' in read ? read.errors : {}) };
  if (!isClean(all) || (read && 'errors' in read)) throw validationError(all);
  return read?.address ?? null;
}

const lateKeys = {
  due: 'payment.lateRefundDue',
  done: 'payment.lateRefunded',
  refused: 'payment.lateRefundFailed',
} as const satisfies Record<RefundState, MessageKey>;

function refusalOf(outcome: PaymentOutcome): AppError {
  if (outcome.state === 'failed') return paymentRefusal(outcome.failure);
  return paymentRefusal({ errorType: 'SYSTEM_ERROR', errorKey: 'payment.undecided' });
}

/** A gateway that is out of order is a 503: trying again later may help. */
function paymentRefusal({ errorType, errorKey, errors }: PaymentFailure): AppError {
  return new AppError(errorType, {
    errorKey,
    ...(errors ? { errors } : {}),
    ...(errorType === 'SYSTEM_ERROR' ? { status: 503 } : {}),
  });
}
