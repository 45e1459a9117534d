import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { createPayments, type PaymentsDeps, type PaymentsService } from './payments.service.ts';
import { registerWebhooks } from './reconciliation/webhooks.routes.ts';

export interface PaymentsModuleDeps extends PaymentsDeps {
  rateLimits: RateLimitsService;
}

export interface PaymentsServices {
  payments: PaymentsService;
}

export function createPaymentsModule(deps: PaymentsModuleDeps): ServerModule<PaymentsServices> {
  const { payments, metrics } = createPayments(deps);
  return {
    services: { payments },
    metrics,
    registerRoutes: (app) => registerWebhooks(app, { ...deps, payments }),
    maintenance: [
      { run: payments.reconcile, waitsForOthers: true },
      { run: payments.checkDue, waitsForOthers: true },
      { run: payments.attempts.deleteOld },
    ],
  };
}
