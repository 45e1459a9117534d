/** Payments: providers, settlement, refunds and reconciliation. */
export type { GivenUpAttempt } from './failure-alerts.ts';
export { keyModeProblems } from './modes.ts';
export type { PaymentsService } from './payments.service.ts';
export type { RefundResult } from './payments-deps.ts';
export type { PaymentsEnv } from './payments-env.ts';
export { attemptOf } from './provider.ts';
export type { ProviderProblem } from './provider-error-reporting.ts';
export type { QueueLimits } from './provider-queues.ts';
export {
  dashboardUrl,
  keyModes,
  type PaymentKeys,
  type PaymentRegistry,
  type Providers,
  readPaymentKeys,
} from './registry.ts';
