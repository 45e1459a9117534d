/**
 * What an answer of a provider brings about, whoever asked: the shopper's own request, a webhook,
 * reconciliation, or somebody who wants the cart back. There is no other way from a payment to an order.
 */
import { walletFlags } from '#contract/payment-providers.ts';
import type { Database } from '#db/database.ts';
import {
  type Buyer,
  type DueRefund,
  type OrdersService,
  type Payment,
  type PaymentGuard,
  PaymentInProgress,
} from '#server/modules/orders/index.ts';
import { AppError } from '#server/platform/errors.ts';
import type { FailureAlerts } from './failure-alerts.ts';
import { attemptOf, type PaymentOutcome, type PaymentProvider, RefundPending, RefundRefused } from './provider.ts';
import type { PaymentRegistry } from './registry.ts';

export interface PaymentSettlement extends PaymentGuard {
  /** Holds the stock of an attempt to which the shopper has agreed. Returns null, or the refusal that says what is sold out. */
  hold(payment: Payment): Promise<AppError | null>;
  /** Writes down what a provider said of an attempt. Returns the order it placed, null where it is not placed. */
  settle(payment: Payment, outcome: PaymentOutcome): Promise<string | null>;
  /**
   * Asks the provider what became of an attempt, and settles it. Not known where it cannot be reached.
   * `shopperActed` as `PaymentProvider.complete` has it.
   */
  ask(payment: Payment, shopperActed?: boolean): Promise<Answer>;
  /**
   * Ends an attempt at its provider, and settles it. Returns the order where it was too late to end it.
   * @throws Refusal CONFLICT payment.inProgress where the provider cannot be reached: the attempt stands
   */
  end(payment: Payment): Promise<string | null>;
  /**
   * Has the provider give money back. False where it has to wait, or another request is at it. If the provider
   * refuses, the merchant is alerted, unless they asked for it themselves and are `attending`.
   * @throws RefundRefused where the provider never will; anything else is to be tried again
   */
  sendRefund(due: DueRefund, options?: { attending?: boolean }): Promise<boolean>;
  /**
   * Asks a payment's provider about one refund, after word that it changed: one that is due is finished, one
   * that failed after it was given is reopened. Throws if the provider cannot be reached.
   */
  recheckRefund(payment: Payment, refundId: string): Promise<void>;
}

export interface Answer {
  outcome: PaymentOutcome;
  orderID: string | null;
  /** Why the attempt failed without a charge: its stock was gone when the shopper agreed. Null otherwise. */
  soldOut: AppError | null;
}

export interface PaymentSettlementDeps {
  db: Database;
  orders: OrdersService;
  payments: PaymentRegistry;
  failureAlerts: FailureAlerts;
}

export const undecided = (): PaymentOutcome => ({ state: 'undecided' });

export function createPaymentSettlement({ db, orders, payments, failureAlerts }: PaymentSettlementDeps): PaymentSettlement {
  async function settle(payment: Payment, outcome: PaymentOutcome): Promise<string | null> {
    switch (outcome.state) {
      case 'undecided':
        return null;
      case 'action':
        if (payment.waitsSince === null) await orders.payments.keepWaiting(payment);
        return null;
      case 'failed':
        await db.transaction(async (trx) => {
          if (await orders.placement.fail(trx, payment, outcome.failure)) await failureAlerts.raise(trx, payment, outcome);
        });
        return null;
      case 'succeeded': {
        const completed = await orders.completeOrder(payment);
        if (!completed?.refund) return completed?.orderID ?? null;
        const due = await orders.refunds.late(completed.refund);
        // Reconciliation tries again later; a refusal has alerted the merchant.
        if (due) await sendRefund(due).catch(() => {});
        return null;
      }
    }
  }

  async function askProvider(
    payment: Payment,
    ask: (provider: PaymentProvider) => Promise<PaymentOutcome>,
  ): Promise<PaymentOutcome> {
    const provider = payments.find(payment.provider);
    return provider ? ask(provider).catch(undecided) : undecided();
  }

  async function hold(payment: Payment): Promise<AppError | null> {
    try {
      await db.transaction((trx) => orders.placement.hold(trx, payment));
      return null;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  }

  async function end(payment: Payment): Promise<string | null> {
    const outcome = await askProvider(payment, (provider) => provider.cancel(attemptOf(payment)));
    if (outcome.state === 'undecided' || outcome.state === 'action') throw new PaymentInProgress();
    return settle(payment, outcome);
  }

  async function cancelPendingPayment(buyer: Buyer): Promise<string | null> {
    const cart = await orders.findCart(db.read, buyer);
    const payment = cart?.state === 'paying' ? await orders.payments.pendingOf(cart.id) : null;
    return payment && end(payment);
  }

  function onlineMethods(preferredGateway: string | null): ReturnType<PaymentGuard['onlineMethods']> {
    if (preferredGateway === null) return { paymentOnline: false, ...walletFlags([]), defaultGateWayProviderName: '' };
    const gateway = payments.gatewayFor(preferredGateway);
    const flags = payments.walletFlags();
    const paymentOnline = gateway !== '' || Object.values(flags).includes(true);
    return { paymentOnline, ...flags, defaultGateWayProviderName: gateway };
  }

  async function sendRefund({ refund, payment }: DueRefund, { attending = false } = {}): Promise<boolean> {
    const provider = payments.find(payment.provider);
    if (!provider) throw new Error(`${payment.provider} is not set up, and holds money that is to be refunded`);
    const given = await orders.refunds.alone(refund, async () => {
      try {
        await provider.refund(attemptOf(payment), refund.amount, refund.id);
      } catch (error) {
        if (error instanceof RefundPending) {
          await orders.refunds.waits(refund, error.message);
          return false;
        }
        if (error instanceof RefundRefused) await orders.refunds.refused({ refund, payment }, error.message, { attending });
        throw error;
      }
      await orders.refunds.done(refund);
      return true;
    });
    return given ?? false;
  }

  async function recheckRefund(payment: Payment, refundId: string): Promise<void> {
    const refund = await orders.refunds.find(refundId);
    if (refund?.paymentId !== payment.id) return;
    if (refund.state === 'due') {
      await sendRefund({ refund, payment }).catch((error: unknown) => {
        if (!(error instanceof RefundRefused)) throw error;
      });
    } else if (refund.state === 'done') {
      const failure = await payments.find(payment.provider)?.refundFailure?.(attemptOf(payment), refundId);
      if (failure) await orders.refunds.refused({ refund, payment }, failure);
    }
  }

  return {
    settle,
    hold,
    async ask(payment, shopperActed) {
      let refusal: AppError | null = null;
      const attempt = {
        ...attemptOf(payment),
        async hold() {
          refusal = await hold(payment);
          return refusal === null;
        },
      };
      const outcome = await askProvider(payment, (provider) => provider.complete(attempt, shopperActed));
      return { outcome, orderID: await settle(payment, outcome), soldOut: outcome.state === 'failed' ? refusal : null };
    },
    end,
    cancelPendingPayment,
    onlineMethods,
    sendRefund,
    recheckRefund,
  };
}
