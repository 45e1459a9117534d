/**
 * Has providers send refunds, and records what becomes of them. A refund is written first (`write-refund.ts`), and sent until its
 * provider has answered; reconciliation does so again every minute.
 */
import { formatMerchantMoney } from '#contract/formatters.ts';
import type { Database } from '#db/database.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import type { Payables } from '../attempts/payment.ts';
import { attemptOf, counter, type Payment } from '../attempts/payment.ts';
import { findPaymentById, releaseFromRefund, transitionPayment } from '../attempts/payments.repository.ts';
import { RefundPending, RefundRefused } from '../providers/provider.ts';
import type { PaymentRegistry } from '../providers/registry.ts';
import {
  claimRefund,
  endRefund,
  findRefund,
  noteRefund,
  type Refund,
  refundsDue,
  refundsOf,
  releaseRefund,
} from './refunds.repository.ts';
import { type DueRefund, lateRefundId } from './write-refund.ts';

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
  const { db, providers } = deps;
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
        return { ...due, given: false, ...(error instanceof RefundRefused ? { refused: error.message } : {}) };
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
     * Asks a payment's provider about one refund, after a webhook about it: a due one is finished, one that failed after it was
     * sent is reopened. Throws if the provider cannot be reached.
     */
    async recheck(payment: Payment, refundId: string): Promise<void> {
      const refund = await findRefund(db.read, refundId);
      if (refund?.paymentId !== payment.id) return;
      if (refund.state === 'due') {
        await send({ refund, payment }).catch((error: unknown) => {
          if (!(error instanceof RefundRefused)) throw error;
        });
      } else if (refund.state === 'done') {
        const failure = await providers.find(payment.provider)?.refundFailure?.(attemptOf(payment), refundId);
        if (failure) await recordRefusal(deps, { refund, payment }, failure);
      }
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
    if (error instanceof RefundRefused) await recordRefusal(deps, { refund, payment }, error.message, attending);
    throw error;
  } finally {
    await db.transaction((trx) => releaseRefund(trx, refund.id, until));
  }
}

async function recordSent({ db, now, payables }: RefundSenderDeps, refund: Refund, by: 'shop' | 'counter'): Promise<void> {
  await db.transaction(async (trx) => {
    const at = now();
    if (!(await endRefund(trx, refund.id, ['due'], { state: 'done', note: null, attention: false }, at))) return;
    await transitionPayment(trx, refund.paymentId, ['refundDue'], 'refunded', at);
    await payables.refunded(trx, refund, by);
  });
}

/**
 * Records that the provider will never send it, or has taken back what it sent: the money counts as paid again. The merchant is
 * alerted, unless they requested the refund themselves and are `attending`.
 */
async function recordRefusal(
  { db, now, alerts }: RefundSenderDeps,
  { refund, payment }: DueRefund,
  reason: string,
  attending = false,
): Promise<void> {
  const { id, amount, tip, currency } = refund;
  await db.transaction(async (trx) => {
    const at = now();
    const end = { state: 'refused', note: reason, attention: !attending } as const;
    if (!(await endRefund(trx, id, ['due', 'done'], end, at))) return;
    await releaseFromRefund(trx, payment.id, amount, tip);
    await transitionPayment(trx, payment.id, ['refunded'], 'refundDue', at);
    if (attending) return;
    const values = { provider: payment.provider, amount: formatMerchantMoney(amount, currency), refund: id, reason };
    await alerts.raise(trx, { kind: 'refundRefused', values, reference: id });
  });
}
