import type { Database } from '#db/database.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import type { CheckoutService, OrdersService, PaymentGuard } from '#server/modules/orders/index.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import type { Tracer } from '#server/platform/telemetry/tracer.ts';
import { createFailureAlerts, type GivenUpAttempt } from './attempts/failure-alerts.ts';
import { createPaymentSettlement } from './attempts/payment-settlement.ts';
import { registerPaymentsRoutes } from './payments.routes.ts';
import { createPaymentsService, type PaymentsService } from './payments.service.ts';
import type { PaymentsEnv } from './providers/payments-env.ts';
import type { ProviderProblem } from './providers/provider-error-reporting.ts';
import { createPaymentRegistry, type Providers } from './providers/registry.ts';
import type { QueueLimits } from './reconciliation/provider-queues.ts';
import { registerWebhooks } from './reconciliation/webhooks.routes.ts';

export interface PaymentsModuleDeps {
  db: Database;
  env: PaymentsEnv;
  now: () => number;
  attempts: RateLimitsService;
  alerts: AlertsService;
  orders: OrdersService;
  checkout: CheckoutService;
  /** Called with payment providers that could not be reached. */
  onPaymentProblem?: (problem: ProviderProblem) => void;
  /** Called with attempts that were ended because their provider no longer knows them. */
  onAttemptGivenUp?: (attempt: GivenUpAttempt) => void;
  /** How long reconciliation waits for payment providers, for tests. */
  queueLimits?: QueueLimits;
  /** Payment providers in place of the configured ones, for tests. */
  providers?: Partial<Providers>;
  /** Traces the calls to providers. */
  tracer?: Tracer;
}

export interface PaymentsServices {
  payments: PaymentsService;
}

export interface PaymentsModule extends ServerModule<PaymentsServices> {
  /** The interface that orders need from payments. */
  guard: PaymentGuard;
}

export function createPaymentsModule(deps: PaymentsModuleDeps): PaymentsModule {
  const registry = createPaymentRegistry(deps, deps.providers);
  const settlement = createPaymentSettlement({ ...deps, payments: registry, failureAlerts: createFailureAlerts(deps) });
  const payments = createPaymentsService({ ...deps, payments: registry, settlement });
  return {
    services: { payments },
    guard: settlement,
    registerRoutes(app) {
      registerPaymentsRoutes(app, { ...deps, payments });
      registerWebhooks(app, { ...deps, payments });
    },
    maintenance: [
      { run: () => payments.reconcile(), waitsForOthers: true },
      { run: () => payments.checkDue(), waitsForOthers: true },
      { run: () => payments.deleteOldAttempts() },
    ],
  };
}
