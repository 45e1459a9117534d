import type { Database } from '#db/database.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import type { CheckoutService, OrdersService, PaymentGuard } from '#server/modules/orders/index.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { createFailureAlerts, type GivenUpAttempt } from './failure-alerts.ts';
import { createPaymentSettlement } from './payment-settlement.ts';
import { registerPaymentsRoutes } from './payments.routes.ts';
import { createPaymentsService, type PaymentsService } from './payments.service.ts';
import type { PaymentsEnv } from './payments-env.ts';
import type { ProviderProblem } from './provider-error-reporting.ts';
import type { QueueLimits } from './provider-queues.ts';
import { createPaymentRegistry, type Providers } from './registry.ts';
import { registerWebhooks } from './webhooks.routes.ts';

export interface PaymentsModuleDeps {
  db: Database;
  env: PaymentsEnv;
  now: () => number;
  attempts: RateLimitsService;
  alerts: AlertsService;
  orders: OrdersService;
  checkout: CheckoutService;
  /** Told of payment providers that could not be asked. */
  onPaymentProblem?: (problem: ProviderProblem) => void;
  /** Told of attempts to pay that were ended because their provider no longer knows them. */
  onAttemptGivenUp?: (attempt: GivenUpAttempt) => void;
  /** How long reconciliation waits for payment providers, for tests. */
  queueLimits?: QueueLimits;
  /** Payment providers in the place of those of the configuration, for tests. */
  providers?: Partial<Providers>;
}

export interface PaymentsServices {
  payments: PaymentsService;
}

export interface PaymentsModule extends ServerModule<PaymentsServices> {
  /** What orders ask of payments. */
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
      registerWebhooks(app, { payments });
    },
    maintenance: [
      { run: () => payments.reconcile(), waitsForOthers: true },
      { run: () => payments.checkDue(), waitsForOthers: true },
    ],
  };
}
