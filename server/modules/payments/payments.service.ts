/** Payments of anything that is paid, as far as `Payables` tells of it. */
import type { Database } from '#db/database.ts';
import type { RunChange } from '#server/modules/changes/index.ts';
import type { ConnectionsService } from '#server/modules/connections/index.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import type { Tracer } from '#server/platform/telemetry/tracer.ts';
import {
  createAttemptMetrics,
  createAttempts,
  createFailureAlerts,
  type GivenUpAttempt,
} from './attempts/attempts.ts';
import { createPaymentChecks } from './disputes/check-payments.ts';
import type { Payables } from './payment/payment.ts';
import type { Webhook } from './providers/provider.ts';
import { registerProviderTests } from './providers/provider-tests.ts';
import {
  createPaymentRegistry,
  type PaymentKeys,
  type PaymentsEnv,
  type ProviderProblem,
  type Providers,
} from './providers/registry.ts';
import {
  compareMoney,
  createProviderQueues,
  type QueueLimits,
  reconcileAll,
} from './reconciliation/reconcile.ts';
import { receiveWebhook } from './reconciliation/webhooks.routes.ts';
import { createRefundRetries, createRefundSender, type RefundResult } from './refunds/send-refund.ts';

export interface PaymentsDeps {
  db: Database;
  env: PaymentsEnv;
  connections: ConnectionsService<PaymentKeys>;
  now: () => number;
  alerts: AlertsService;
  payables: Payables;
  /** Called with payment providers that could not be reached. */
  onPaymentProblem?: (problem: ProviderProblem) => void;
  /** Called with attempts that were ended because their provider no longer knows them. */
  onAttemptGivenUp?: (attempt: GivenUpAttempt) => void;
  /** How long reconciliation waits for payment providers, for tests. */
  queueLimits?: QueueLimits;
  /** Payment providers in place of the configured ones, for tests. */
  providers?: Partial<Providers>;
  tracer?: Tracer;
}

export type PaymentsService = ReturnType<typeof createPayments>['payments'];

export function createPayments(given: PaymentsDeps) {
  const providers = createPaymentRegistry(given, given.providers);
  // Whoever asks for the settings of orders, or for connections, has the providers of the moment.
  const { current, follow } = given.connections;
  follow(providers.use);
  registerProviderTests(given.connections, providers, given.now);
  const metrics = createAttemptMetrics(given);
  const refunds = createRefundSender({ ...given, providers });
  const retries = createRefundRetries(given);
  const attempts = createAttempts({
    ...given,
    providers,
    refunds,
    metrics,
    failureAlerts: createFailureAlerts(given),
  });
  const checks = createPaymentChecks({ ...given, providers, attempts });
  const queues = createProviderQueues(given.queueLimits);
  const deps = { ...given, providers, attempts, refunds, checks };
  return {
    metrics: metrics.sources,
    payments: {
      providers,
      attempts,
      refunds: {
        ...refunds,
        ...retries,
        /** Has a refused refund, by its id, sent again as a new one. @throws {OperationError} if there is none */
        retry: async (run: RunChange, id: string): Promise<RefundResult> =>
          refunds.trySending(await run((change) => retries.replace(change, id))),
      },
      /** Asks a payment's provider about refunds and disputes, and records its report. Throws if the provider does not answer. */
      check: checks.check,
      async checkDue() {
        await current();
        return checks.checkDue();
      },
      async webhook(provider: string, webhook: Webhook): Promise<boolean> {
        await current();
        return receiveWebhook(deps, provider, webhook);
      },
      /** Settles attempts whose answer was lost, sends refunds that are due, and ends expired holds. */
      async reconcile() {
        await current();
        return reconcileAll(deps, queues);
      },
      /** Compares what providers have taken since a time (epoch ms) with the orders. */
      async compareMoney(since: number) {
        await current();
        return compareMoney(deps, since);
      },
    },
  };
}
