/** Online payments with any provider: paying, webhooks, refunds and reconciliation. */
import type { Locale } from '#contract/locales.ts';
import type { PaymentState } from '#server/modules/orders/index.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { createPaymentMonitor, type PaymentMonitor } from './disputes/payment-monitor.ts';
import { cancelPayment, getBill, pay, resumePayment } from './paying.ts';
import type { PaymentsDeps } from './payments-deps.ts';
import { forgetDecisions } from './providers/decisions.ts';
import type { PayRequest } from './providers/pay-request.ts';
import type { Webhook } from './providers/provider.ts';
import { createProviderQueues } from './reconciliation/provider-queues.ts';
import { reconcileAll } from './reconciliation/reconcile.ts';
import { compareMoney, reportUnknownMoney } from './reconciliation/unknown-money.ts';
import { createRefunding } from './refunds/refunding.ts';

export type PaymentsService = ReturnType<typeof createPaymentsService>;

export function createPaymentsService(deps: PaymentsDeps) {
  const { payments } = deps;
  const queues = createProviderQueues(deps.queueLimits);
  const monitor = createPaymentMonitor(deps);

  return {
    registry: payments,

    bill: (session: SessionHandle, gatewayName: string, payAtStore: boolean, locale: Locale) =>
      getBill(deps, session, gatewayName, payAtStore, locale),
    pay: (session: SessionHandle, providerName: string, request: PayRequest, locale: Locale) =>
      pay(deps, session, providerName, request, locale),
    resume: (session: SessionHandle, providerName: string, address: string, providerId?: string) =>
      resumePayment(deps, session, providerName, address, providerId),
    cancel: (session: SessionHandle, locale: Locale) => cancelPayment(deps, session, locale),

    webhook: (providerName: string, webhook: Webhook) => handleWebhook(deps, monitor, providerName, webhook),

    ...createRefunding(deps, monitor),

    /** Settles payments whose answer was lost, sends refunds that are due, and ends expired holds. */
    reconcile: () => reconcileAll(deps, queues),

    /** Compares what providers have taken since a time (epoch ms) with the orders. */
    compareMoney: (since: number) => compareMoney(deps, since),

    /** Deletes old attempts that failed and took nothing, some at a time. */
    deleteOldAttempts: () =>
      deps.db.transaction(async (trx) => forgetDecisions(trx, await deps.orders.payments.deleteFailed(trx, 500))),

    /** Asks providers about refunds and disputes of payments whose check is due (`PaymentMonitor.checkDue`). */
    checkDue: () => monitor.checkDue(),
  };
}

/** States of payments whose money the provider has taken. */
const taken: readonly PaymentState[] = ['succeeded', 'refundDue', 'refunded'];
/** States of payments to ask the provider about. Even a failed one may have taken money. */
const open: readonly PaymentState[] = ['pending', 'lapsed', 'failed'];

/**
 * Settles the attempt or refund that a webhook is about. False if the webhook is not from the provider.
 * @throws {AppError} 503 if it could not be settled, so that the provider sends the webhook again
 */
async function handleWebhook(
  deps: PaymentsDeps,
  monitor: PaymentMonitor,
  providerName: string,
  webhook: Webhook,
): Promise<boolean> {
  const { orders, payments, settlement } = deps;
  const provider = payments.find(providerName);
  const subject = await provider?.parseWebhook(webhook);
  if (!provider || !subject) return false;
  const payment =
    (await orders.payments.find(provider.name, subject.reference)) ??
    (subject.providerId ? await orders.payments.findByProviderId(provider.name, subject.providerId) : null);
  if (!payment) await reportUnknownMoney(deps, provider.name, subject);
  if (payment && subject.refundKey) await settlement.recheckRefund(payment, subject.refundKey);
  if (payment && taken.includes(payment.state)) await monitor.check(payment);
  if (!payment || !open.includes(payment.state)) return true;
  const { outcome } = await settlement.ask(payment, subject.shopperActed);
  if (outcome.state === 'undecided') throw new AppError('SYSTEM_ERROR', { errorKey: 'payment.undecided', status: 503 });
  return true;
}
