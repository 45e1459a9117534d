/** Payments: attempts, refunds, disputes, providers and reconciliation of what is paid (`Payable`), whatever it is. */

export type { GivenUpAttempt } from './attempts/attempts.ts';
export { attemptsGivenUp, PaymentInProgress, undecided } from './attempts/attempts.ts';
export {
  acceptDisputes,
  type Dispute,
  disputesOf,
  hasUnansweredDispute,
  openDisputes,
} from './payment/activity.repository.ts';
export { type Balance, balance, balanceOf, dueOf } from './payment/balance.repository.ts';
export type { Paid, Payables } from './payment/payment.ts';
export {
  attemptOf,
  counter,
  holdMs,
  importedReference,
  newAttempt,
  type Payable,
  type Payment,
  shipToOf,
  wayOf,
} from './payment/payment.ts';
export {
  findAttempt,
  findPayment,
  findPaymentById,
  findPaymentOf,
  insertPayment,
  type PaymentReference,
  paymentsOf,
  saveProviderId,
  succeedPending,
  transitionPayment,
} from './payment/payments.repository.ts';
export {
  findRefund,
  latestRefundOf,
  type Refund,
  type RefundState,
  refundsOf,
} from './payment/refunds.repository.ts';
export type { PaymentsService } from './payments.service.ts';
export {
  attemptEnded,
  type PaymentFailure,
  type PaymentOutcome,
  type PaymentProvider,
  RightMissing,
} from './providers/provider.ts';
export { type AttemptWanted, gatewayNotSetUp, type PayRequest } from './providers/provider-definition.ts';
export type { ProviderProblem } from './providers/registry.ts';
export {
  createPaymentRegistry,
  dashboardUrl,
  disputeUrl,
  keyModeProblems,
  keyModes,
  type PaymentKeys,
  type PaymentRegistry,
  type PaymentsEnv,
  type Providers,
  readPaymentKeys,
} from './providers/registry.ts';
export {
  patiently,
  type SettlementEntry,
  type SettlementKind,
  type SettlementState,
  type Settlements,
  settlementKinds,
  settlementStates,
} from './providers/settlement.ts';
export type { MoneyFinding, QueueLimits } from './reconciliation/reconcile.ts';
export type { RefundResult } from './refunds/send-refund.ts';
export { createRefundRetries } from './refunds/send-refund.ts';
export {
  type DueRefund,
  leftToRefund,
  planRefund,
  type RefundPart,
  type RefundRequest,
  refundableRest,
  writeExcess,
  writeHeldRefunds,
  writeLateRefund,
  writeRefund,
  writeRefundOfRest,
} from './refunds/write-refund.ts';
