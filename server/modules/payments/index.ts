/** Payments: providers, settlement, refunds and reconciliation. */
export { createFailureAlerts, type GivenUpAttempt } from './failure-alerts.ts';
export { keyModeProblems } from './modes.ts';
export { createPaymentSettlement, type PaymentSettlement } from './payment-settlement.ts';
export { registerPaymentsRoutes } from './payments.routes.ts';
export { createPaymentsService, type PaymentsService, type RefundResult } from './payments.service.ts';
export { attemptOf, noOrigins, type ProviderOrigins } from './provider.ts';
export type { ProviderProblem } from './provider-error-reporting.ts';
export type { QueueLimits } from './provider-queues.ts';
export {
  createPaymentRegistry,
  dashboardUrl,
  keyModes,
  type PaymentKeys,
  type PaymentRegistry,
  type Providers,
  readPaymentKeys,
} from './registry.ts';
export { registerWebhooks } from './webhooks.routes.ts';
