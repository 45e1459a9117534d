/**
 * Has providers send refunds, and records what becomes of them. A refund is written first (`write-refund.ts`), and sent until its
 * provider has answered; reconciliation does so again every minute. One that a provider refuses or delays, the merchant has tried
 * again or settles.
 */
import { randomUUID } from 'node:crypto';
import { formatMerchantMoney } from '#contract/formatters.ts';
import type { Database, Trx } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import { OperationError } from '#server/platform/errors.ts';
import { dayMs, hourMs } from '#server/platform/time-zone.ts';
import { planCheck } from '../payment/activity.repository.ts';
import { attemptOf, counter, type Payables, type Payment } from '../payment/payment.ts';
import {
  findPaymentById,
  releaseFromRefund,
  reserveForRefund,
  transitionPayment,
} from '../payment/payments.repository.ts';
import {
  claimRefund,
  clearAttention,
  endRefund,
  findRefund,
  insertRefund,
  lateRefundId,
  noteRefund,
  type Refund,
  refundsDue,
  refundsNeedingAttention,
  refundsOf,
  releaseRefund,
} from '../payment/refunds.repository.ts';
import { reportMissingRight } from '../providers/missing-right.ts';
import { RefundPending, RefundRefused, RightMissing } from '../providers/provider.ts';
import type { PaymentRegistry } from '../providers/registry.ts';
import type { DueRefund } from './write-refund.ts';

/**
 * How long one process may take to ask the provider, ms; after that another process takes over, since the first may have died.
 * Much longer than a provider's few calls of 10 s, and than the clock difference of two machines.
 */
const claimMs = 10 * 60_000;

export interface RefundResult extends DueRefund {
  /** Whether the provider has sent the money. */
  given: boolean;
  /** The provider's reason if it will never send it. */
  refused?: string;
}

export interface RefundSenderDeps {
  db: Database;
  now: () => number;
  providers: PaymentRegistry;
  payables: Payables;
  alerts: AlertsService;
}

export type RefundSender = ReturnType<typeof createRefundSender>;

export function createRefundSender(deps: RefundSenderDeps) {
  const { db } = deps;
  const send = (due: DueRefund, options: { attending?: boolean } = {}) => sendRefund(deps, due, options);

  return {
    /**
     * Has the provider send a refund; one of money that staff took is only recorded. Returns false if the refund has to wait, or
     * another request is sending it. If the provider refuses, the merchant is alerted, unless they requested the refund themselves and are `attending`.
     * @throws {RefundRefused} if the provider never will; any other error means that it is retried
     */
    send,

    /** Like `send`, with the result as data. `given` is false if the refund waits or is retried. */
    async trySending(due: DueRefund, options?: { attending?: boolean }): Promise<RefundResult> {
      try {
        return { ...due, given: await send(due, options) };
      } catch (error) {
        return {
          ...due,
          given: false,
          ...(error instanceof RefundRefused ? { refused: error.message } : {}),
        };
      }
    },

    find: (id: string): Promise<Refund | null> => findRefund(db.read, id),
    /** The refunds of an order that are not refused, oldest first. */
    of: (orderId: string): Promise<Refund[]> => refundsOf(db.read, orderId),

    async due(): Promise<DueRefund[]> {
      const all: DueRefund[] = [];
      for (const refund of await refundsDue(db.read)) {
        const payment = await findPaymentById(db.read, refund.paymentId);
        if (payment) all.push({ refund, payment });
      }
      return all;
    },

    /** The refund of what arrived too late of a payment; null if it has been sent, or refused. */
    async late(payment: Payment): Promise<DueRefund | null> {
      const refund = await findRefund(db.read, lateRefundId(payment));
      return refund?.state === 'due' ? { refund, payment } : null;
    },

    /**
     * Finishes a due refund after a webhook about it; one that was sent is checked with its payment. Throws if the provider cannot
     * be reached.
     */
    async recheck(payment: Payment, refundId: string): Promise<void> {
      const refund = await findRefund(db.read, refundId);
      if (refund?.paymentId !== payment.id) return;
      if (refund.state !== 'due') return;
      await send({ refund, payment }).catch((error: unknown) => {
        if (!(error instanceof RefundRefused)) throw error;
      });
    },
  };
}

async function sendRefund(
  deps: RefundSenderDeps,
  { refund, payment }: DueRefund,
  { attending = false }: { attending?: boolean },
): Promise<boolean> {
  const { db, now, providers } = deps;
  const provider = providers.find(payment.provider);
  if (!provider && payment.provider !== counter)
    throw new Error(`${payment.provider} is not set up, and holds money that is to be refunded`);
  const at = now();
  const until = at + claimMs;
  if (!(await db.transaction((trx) => claimRefund(trx, refund.id, at, until)))) return false;
  try {
    await provider?.refund(attemptOf(payment), refund.amount, refund.id);
    await recordSent(deps, refund, provider ? 'shop' : 'counter');
    return true;
  } catch (error) {
    if (error instanceof RefundPending) {
      await db.transaction((trx) => noteRefund(trx, refund.id, error.message));
      return false;
    }
    if (error instanceof RightMissing) {
      await db.transaction((trx) => noteRefund(trx, refund.id, error.message));
      await reportMissingRight(deps, payment.provider, error);
    }
    if (error instanceof RefundRefused)
      await recordRefusal(deps, { refund, payment }, error.message, attending);
    throw error;
  } finally {
    await db.transaction((trx) => releaseRefund(trx, refund.id, until));
  }
}

async function recordSent(
  { db, now, payables }: RefundSenderDeps,
  refund: Refund,
  by: 'shop' | 'counter',
): Promise<void> {
  await db.transaction(async (trx) => {
    const at = now();
    if (!(await endRefund(trx, refund.id, ['due'], { state: 'done', note: null, attention: false }, at)))
      return;
    await transitionPayment(trx, refund.paymentId, ['refundDue'], 'refunded', at);
    // It may still fail at the bank.
    await planCheck(trx, refund.paymentId, at + hourMs);
    await payables.refunded(trx, refund, by);
  });
}

/**
 * Records that the provider will never send it: the money counts as paid again. The merchant is
 * alerted, unless they requested the refund themselves and are `attending`.
 */
async function recordRefusal(
  { db, now, alerts }: RefundSenderDeps,
  { refund, payment }: DueRefund,
  reason: string,
  attending = false,
): Promise<void> {
  const { id, amount, tip, currency } = refund;
  const { provider, orderNumber } = payment;
  await db.transaction(async (trx) => {
    const at = now();
    const end = { state: 'refused', note: reason, attention: !attending } as const;
    if (!(await endRefund(trx, id, ['due'], end, at))) return;
    await releaseFromRefund(trx, payment.id, amount, tip);
    if (attending) return;
    const values = {
      provider,
      amount: formatMerchantMoney(amount, currency),
      order: orderNumber ?? '–',
      reason,
    };
    await alerts.raise(trx, { kind: 'refundRefused', values, reference: id });
  });
}

export function createRefundRetries({ db, now }: { db: Database; now: () => number }) {
  async function withPayments(refunds: readonly Refund[]): Promise<DueRefund[]> {
    const found = await Promise.all(
      refunds.map(async (refund) => ({ refund, payment: await findPaymentById(db.read, refund.paymentId) })),
    );
    return found.flatMap(({ refund, payment }) => (payment ? [{ refund, payment }] : []));
  }

  /** Replaces a refused refund by a new one: providers answer a refused one's key with the same refusal. */
  async function replace(trx: Trx, id: string, state: 'due' | 'done'): Promise<DueRefund> {
    const refused = await findRefund(trx, id);
    const payment = refused && (await findPaymentById(trx, refused.paymentId));
    if (!refused || !payment || !(await clearAttention(trx, id)))
      throw new OperationError('error.refund.unknown', { id });
    if (!(await reserveForRefund(trx, payment.id, refused.amount, refused.tip)))
      throw new OperationError('error.refund.done', { id });
    const refund: Refund = {
      ...refused,
      id: randomUUID(),
      state,
      providerNote: null,
      needsAttention: false,
      createdAt: now(),
    };
    await insertRefund(trx, refund);
    return { refund, payment };
  }

  return {
    /** Refused refunds whose money the shop still has, oldest first. */
    refused: async (): Promise<DueRefund[]> => withPayments(await refundsNeedingAttention(db.read)),
    /** Refunds that have been waiting for the provider for more than a day, oldest first. */
    delayed: async (): Promise<DueRefund[]> =>
      withPayments((await refundsDue(db.read)).filter(({ createdAt }) => createdAt < now() - dayMs)),
    /**
     * Replaces a refused refund by a new one that is due, so that the provider is asked again.
     * @throws {OperationError} if there is no such refused refund, or its money has been returned already
     */
    async replace({ trx, note }: Change, id: string): Promise<DueRefund> {
      note('refund', id, [{ field: 'state', from: 'refused', to: 'due' }]);
      return replace(trx, id, 'due');
    },
    /**
     * Records that the merchant has returned the money of a refused refund in another way. No email is sent.
     * @throws {OperationError} as `replace`
     */
    async settle({ trx, note }: Change, id: string): Promise<Refund> {
      const { refund, payment } = await replace(trx, id, 'done');
      await transitionPayment(trx, payment.id, ['refundDue'], 'refunded', now());
      note('refund', id, [{ field: 'state', from: 'refused', to: 'done' }]);
      return refund;
    },
  };
}
