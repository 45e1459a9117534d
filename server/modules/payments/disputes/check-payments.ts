/** Asks providers about refunds and disputes that began there, for as long as there may be some. */
import type { Database } from '#db/database.ts';
import { dayMs } from '#server/platform/durations.ts';
import type { Attempts } from '../attempts/attempts.ts';
import { attemptOf, type Payment } from '../attempts/payment.ts';
import { findPaymentById } from '../attempts/payments.repository.ts';
import { AttemptUnknown } from '../providers/provider.ts';
import type { PaymentRegistry } from '../providers/registry.ts';
import { paymentsToCheck, planCheck } from './activity.repository.ts';
import { type ActivityRecordDeps, recordActivity } from './record-activity.ts';

const atOnce = 20;
/** Providers refund for up to 180 days, and banks open disputes within 120. */
const watchedMs = 180 * dayMs;

export type PaymentChecks = ReturnType<typeof createPaymentChecks>;

export interface PaymentChecksDeps extends ActivityRecordDeps {
  db: Database;
  providers: PaymentRegistry;
  attempts: Attempts;
}

export function createPaymentChecks(deps: PaymentChecksDeps) {
  const { db, now, providers, attempts } = deps;

  /** Asks the provider about a payment and records its report. Throws if the provider does not answer. */
  async function check(payment: Payment): Promise<void> {
    const provider = providers.find(payment.provider);
    if (!provider?.activity) return;
    const activity = await provider.activity(attemptOf(payment)).catch((error: unknown) => {
      // The account or its mode was changed: the provider cannot report on this payment, now or later.
      if (error instanceof AttemptUnknown) return null;
      throw error;
    });
    if (activity) await recordActivity(deps, payment, activity);
  }

  /** Asks once more about an attempt that failed with `askAgain`. Money that was taken after all is refunded. */
  async function askAgain(payment: Payment): Promise<void> {
    const { outcome } = await attempts.ask(payment);
    if (outcome.state === 'undecided') throw new Error(`${payment.provider} did not answer about an attempt that was given up`);
    await db.transaction((trx) => planCheck(trx, payment.id, null));
  }

  /** Schedules the next check of a payment: hourly on its first day, then less and less often, at least weekly, for 180 days. */
  async function planNext({ id, createdAt }: Payment): Promise<void> {
    const pause = Math.min(7 * dayMs, Math.max(60 * 60_000, (now() - createdAt) / 8));
    await db.transaction((trx) => planCheck(trx, id, Math.round(now() + pause)));
  }

  return {
    check,
    /**
     * Checks the payments that are due, and failed attempts that have to be asked about once more. If a provider does not answer,
     * its other payments are skipped.
     * @throws {AggregateError} at the end, with each provider's failure
     */
    async checkDue(): Promise<void> {
      const failures = new Map<string, unknown>();
      for (const id of await paymentsToCheck(db.read, now() - watchedMs, now(), atOnce)) {
        const payment = await findPaymentById(db.read, id);
        if (!payment || failures.has(payment.provider)) continue;
        const failed = payment.state === 'failed';
        await (failed ? askAgain(payment) : check(payment)).catch((error: unknown) => failures.set(payment.provider, error));
        // A failed check is repeated in an hour or more, so that it does not block the others.
        if (!failed || failures.has(payment.provider)) await planNext(payment);
      }
      if (failures.size > 0)
        throw new AggregateError(failures.values(), `Refunds and disputes not checked: ${[...failures.keys()].join(', ')}`);
    },
  };
}
