/** Payments: providers, settlement, refunds and reconciliation. */
export { dashboardUrl } from './dashboards.ts';
export { createFailureAlerts, type GivenUpAttempt } from './failure-alerts.ts';
export { keyModeProblems, keyModes } from './modes.ts';
export { createPaymentSettlement, type PaymentSettlement } from './payment-settlement.ts';
export { registerPaymentsRoutes } from './payments.routes.ts';
export { createPaymentsService, type PaymentsService, type RefundResult } from './payments.service.ts';
export { attemptOf, noOrigins, type ProviderOrigins } from './provider.ts';
export { type PaymentKeys, readPaymentKeys } from './provider-config.ts';
export type { ProviderProblem } from './provider-error-reporting.ts';
export type { QueueLimits } from './provider-queues.ts';
export { createPaymentRegistry, type PaymentRegistry, type Providers } from './registry.ts';
export { registerWebhooks } from './webhooks.routes.ts';
