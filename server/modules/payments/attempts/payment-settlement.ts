/**
 * Acts on a provider's answer about an attempt, whether the customer's request, a webhook, reconciliation or a return to the cart
 * asked for it. It is the only path from a payment to an order.
 */
import { walletFlags } from '#contract/payment-providers.ts';
import type { Database, Trx } from '#db/database.ts';
import {
  type Buyer,
  type OrdersService,
  type Payment,
  type PaymentGuard,
  PaymentInProgress,
} from '#server/modules/orders/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { attemptOf, attemptUnknown, type PaymentOutcome, type PaymentProvider } from '../providers/provider.ts';
import type { PaymentRegistry } from '../providers/registry.ts';
import { createRefundSender, type RefundSender } from '../refunds/refund-sender.ts';
import type { FailureAlerts } from './failure-alerts.ts';

export interface SettledAnswer {
  outcome: PaymentOutcome;
  orderID: string | null;
  /** Why the attempt failed without a charge: its stock was gone when the customer agreed. Null otherwise. */
  soldOut: AppError | null;
}

export interface PaymentSettlementDeps {
  db: Database;
  orders: OrdersService;
  payments: PaymentRegistry;
  failureAlerts: FailureAlerts;
}

export type PaymentSettlement = ReturnType<typeof createPaymentSettlement>;

export const undecided = (): PaymentOutcome => ({ state: 'undecided' });

/** The outcome of an attempt whose outcome can no longer be determined. */
export const givenUpWith = (reason: string): PaymentOutcome => ({
  state: 'failed',
  failure: attemptUnknown,
  unknownAttempt: reason,
});

export const notSetUp = ({ provider }: Payment) => `${provider} is no longer set up`;

export function createPaymentSettlement(deps: PaymentSettlementDeps) {
  const { db, orders, payments } = deps;
  const refundSender = createRefundSender({ orders, payments });

  /** Records a provider's answer about an attempt. Returns the id of the order it placed, null if it placed none. */
  async function settle(payment: Payment, outcome: PaymentOutcome): Promise<string | null> {
    switch (outcome.state) {
      case 'undecided':
        return null;
      case 'action':
        if (payment.waitsSince === null) await orders.payments.keepWaiting(payment);
        return null;
      case 'failed':
        await db.transaction((trx) => recordFailure(deps, trx, payment, outcome));
        return null;
      case 'succeeded':
        return completeOrder(orders, refundSender, payment);
    }
  }

  /** Asks the provider (`PaymentProvider.complete`) and settles the outcome: undecided if the provider cannot be reached. */
  async function ask(payment: Payment, shopperActed?: boolean): Promise<SettledAnswer> {
    const { outcome, soldOut } = await completeAtProvider(deps, payment, shopperActed);
    return { outcome, orderID: await settle(payment, outcome), soldOut };
  }

  /**
   * Ends an attempt at its provider, and settles it. Returns the id of its order if it was too late to end it. If the provider is
   * no longer set up, the attempt is given up.
   * @throws {PaymentInProgress} if the provider cannot be reached: the attempt stands
   */
  async function end(payment: Payment): Promise<string | null> {
    const outcome = payments.find(payment.provider)
      ? await askProvider(payments, payment, (provider) => provider.cancel(attemptOf(payment)))
      : givenUpWith(notSetUp(payment));
    if (outcome.state === 'undecided' || outcome.state === 'action') throw new PaymentInProgress();
    return settle(payment, outcome);
  }

  return {
    settle,
    hold: (payment: Payment) => hold(deps, payment),
    ask,
    end,
    ...createPaymentGuard(deps, end),
    ...refundSender,
  };
}

async function recordFailure(
  { orders, failureAlerts }: PaymentSettlementDeps,
  trx: Trx,
  payment: Payment,
  outcome: Extract<PaymentOutcome, { state: 'failed' }>,
): Promise<void> {
  if (!(await orders.placement.fail(trx, payment, outcome.failure))) return;
  await failureAlerts.raise(trx, payment, outcome);
  if (outcome.askAgain) await orders.payments.askAgain(trx, payment);
}

/** Returns the id of the placed order; null if the payment came too late: then it is refunded. */
async function completeOrder(orders: OrdersService, refundSender: RefundSender, payment: Payment): Promise<string | null> {
  const completed = await orders.completeOrder(payment);
  if (!completed?.refund) return completed?.orderID ?? null;
  const due = await orders.refunds.late(completed.refund);
  // Reconciliation tries again later; a refused refund has alerted the merchant.
  if (due) await refundSender.sendRefund(due).catch(() => {});
  return null;
}

function createPaymentGuard(
  { db, orders, payments }: PaymentSettlementDeps,
  end: (payment: Payment) => Promise<string | null>,
): PaymentGuard {
  return {
    async cancelPendingPayment(buyer: Buyer) {
      const cart = await orders.findCart(db.read, buyer);
      const payment = cart?.state === 'paying' ? await orders.payments.pendingOf(cart.id) : null;
      return payment && end(payment);
    },

    onlineMethods(preferredGateway) {
      if (preferredGateway === null) return { paymentOnline: false, ...walletFlags([]), defaultGateWayProviderName: '' };
      const gateway = payments.gatewayFor(preferredGateway);
      const flags = payments.walletFlags();
      const paymentOnline = gateway !== '' || Object.values(flags).includes(true);
      return { paymentOnline, ...flags, defaultGateWayProviderName: gateway };
    },
  };
}

/** Has the provider complete an attempt. Its stock is held before the charge, and released again if the charge is declined. */
async function completeAtProvider(
  deps: PaymentSettlementDeps,
  payment: Payment,
  shopperActed?: boolean,
): Promise<Omit<SettledAnswer, 'orderID'>> {
  const held: { refusal?: AppError | null } = {};
  const holdOnce = async () => {
    held.refusal = await hold(deps, payment);
    return held.refusal === null;
  };
  const attempt = { ...attemptOf(payment), hold: holdOnce };
  const outcome = await askProvider(deps.payments, payment, (provider) => provider.complete(attempt, shopperActed));
  // The customer has to agree again; then it is held again.
  if (held.refusal === null && outcome.state === 'action')
    await deps.db.transaction((trx) => deps.orders.placement.release(trx, payment));
  return { outcome, soldOut: outcome.state === 'failed' ? (held.refusal ?? null) : null };
}

/** Holds the stock of an attempt to which the customer has agreed. Returns null, or the error that names the sold-out items. */
async function hold({ db, orders }: PaymentSettlementDeps, payment: Payment): Promise<AppError | null> {
  try {
    await db.transaction((trx) => orders.placement.hold(trx, payment));
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Undecided if the provider cannot be reached, or is no longer set up. */
async function askProvider(
  payments: PaymentRegistry,
  payment: Payment,
  ask: (provider: PaymentProvider) => Promise<PaymentOutcome>,
): Promise<PaymentOutcome> {
  const provider = payments.find(payment.provider);
  return provider ? ask(provider).catch(undecided) : undecided();
}
