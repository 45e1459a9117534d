/** Alerts the merchant to failed attempts that no customer can do anything about. */

import { formatMerchantMoney } from '#contract/formatters.ts';
import type { Trx } from '#db/database.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import type { PaymentOutcome } from '../providers/provider.ts';
import type { Payment } from './payment.ts';

/**
 * An attempt that was ended because its provider no longer knows it. If money was taken, only the provider's dashboard shows it.
 */
export interface GivenUpAttempt {
  provider: string;
  /** The shop's reference, and the provider's own id, which finds the attempt in its dashboard; null if it never gave one. */
  reference: string;
  providerId: string | null;
  orderId: string;
  /** Cents of `currency`. */
  amount: number;
  currency: string;
  reason: string;
}

export interface FailureAlertsDeps {
  now: () => number;
  alerts: AlertsService;
  /** Called with attempts that were ended because their provider no longer knows them. */
  onAttemptGivenUp?: ((attempt: GivenUpAttempt) => void) | undefined;
}

export type FailureAlerts = ReturnType<typeof createFailureAlerts>;

export function createFailureAlerts({ now, alerts, onAttemptGivenUp }: FailureAlertsDeps) {
  async function paymentsRefused(trx: Trx, { provider }: Payment, reason: string): Promise<void> {
    // One email per provider and day, however many payments it refuses.
    const reference = `${provider}:${new Date(now()).toISOString().slice(0, 10)}`;
    await alerts.raise(trx, { kind: 'paymentsRefused', values: { provider, reason }, reference });
  }

  async function attemptGivenUp(trx: Trx, payment: Payment, reason: string): Promise<void> {
    onAttemptGivenUp?.(givenUp(payment, reason));
    const { provider, providerId, reference, orderId, orderNumber, currency } = payment;
    const amount = formatMerchantMoney(payment.amount, currency);
    const values = { provider, amount, order: orderNumber ?? orderId, payment: providerId ?? reference, reason };
    await alerts.raise(trx, { kind: 'attemptGivenUp', values, reference: `${provider}:${reference}` });
  }

  return {
    /** Alerts the merchant if an attempt has failed for a reason that only they can fix. Call it once per attempt. */
    async raise(
      trx: Trx,
      payment: Payment,
      { merchantProblem, unknownAttempt }: Extract<PaymentOutcome, { state: 'failed' }>,
    ): Promise<void> {
      if (merchantProblem) await paymentsRefused(trx, payment, merchantProblem);
      if (unknownAttempt) await attemptGivenUp(trx, payment, unknownAttempt);
    },
  };
}

export function givenUp(payment: Payment, reason: string): GivenUpAttempt {
  const { provider, reference, providerId, orderId, amount, currency } = payment;
  return { provider, reference, providerId, orderId, amount, currency, reason };
}
