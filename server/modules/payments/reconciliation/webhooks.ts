import { AppError } from '#server/platform/errors.ts';
import type { Attempts } from '../attempts/attempts.ts';
import type { PaymentState } from '../attempts/payment.ts';
import type { PaymentChecks } from '../disputes/check-payments.ts';
import type { Webhook } from '../providers/provider.ts';
import type { PaymentRegistry } from '../providers/registry.ts';
import type { RefundSender } from '../refunds/send-refund.ts';
import { reportUnknownMoney, type UnknownMoneyDeps } from './unknown-money.ts';

export interface WebhookDeps extends UnknownMoneyDeps {
  providers: PaymentRegistry;
  attempts: Attempts;
  refunds: RefundSender;
  checks: PaymentChecks;
}

/** States of payments whose money the provider has taken. */
const taken: readonly PaymentState[] = ['succeeded', 'refundDue', 'refunded'];
/** States of payments to ask the provider about. Even a failed one may have taken money. */
const open: readonly PaymentState[] = ['pending', 'lapsed', 'failed'];

/**
 * Settles the attempt or refund that a webhook is about. False if the webhook is not from the provider.
 * @throws {AppError} 503 if it could not be settled, so that the provider sends the webhook again
 */
export async function receiveWebhook(deps: WebhookDeps, providerName: string, webhook: Webhook): Promise<boolean> {
  const { providers, attempts, refunds, checks } = deps;
  const provider = providers.find(providerName);
  const subject = await provider?.parseWebhook(webhook);
  if (!provider || !subject) return false;
  const payment =
    (await attempts.find(provider.name, subject.reference)) ??
    (subject.providerId ? await attempts.findByProviderId(provider.name, subject.providerId) : null);
  if (!payment) await reportUnknownMoney(deps, provider.name, subject);
  if (payment && subject.refundKey) await refunds.recheck(payment, subject.refundKey);
  if (payment && taken.includes(payment.state)) await checks.check(payment);
  if (!payment || !open.includes(payment.state)) return true;
  const { outcome } = await attempts.ask(payment, subject.shopperActed);
  if (outcome.state === 'undecided') throw new AppError('SYSTEM_ERROR', { errorKey: 'payment.undecided', status: 503 });
  return true;
}
