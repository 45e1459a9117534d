/** Payments: providers, settlement, refunds and reconciliation. */
export type { GivenUpAttempt } from './attempts/failure-alerts.ts';
export type { PaymentsService } from './payments.service.ts';
export type { RefundResult } from './payments-deps.ts';
export { keyModeProblems } from './providers/modes.ts';
export type { PaymentsEnv } from './providers/payments-env.ts';
export { attemptOf } from './providers/provider.ts';
export type { ProviderProblem } from './providers/provider-error-reporting.ts';
export {
  dashboardUrl,
  keyModes,
  type PaymentKeys,
  type PaymentRegistry,
  type Providers,
  readPaymentKeys,
} from './providers/registry.ts';
export type { QueueLimits } from './reconciliation/provider-queues.ts';
