/**
 * Records refunds: reserved first (`refund-reservation.ts`), then requested from the provider by payments until it has answered
 * (`refund-outcomes.ts`).
 */
import type { Payment } from './payment.ts';
import { findPaymentById } from './payments.repository.ts';
import { createRefundOutcomes, type RefundOutcomeDeps } from './refund-outcomes.ts';
import { createRefundReservations, type DueRefund, lateRefundId } from './refund-reservation.ts';
import {
  claimRefund,
  findRefund,
  latestRefundOf,
  type Refund,
  type RefundState,
  refundsDue,
  refundsOf,
  releaseRefund,
} from './refunds.repository.ts';

export type { DueRefund, RefundRequest } from './refund-reservation.ts';
export type { Refund, RefundState } from './refunds.repository.ts';

export type Refunds = ReturnType<typeof createRefunds>;

/**
 * How long one process may take to ask the provider, ms; after that another process takes over, since the first may have died.
 * Much longer than a provider's few calls of 10 s, and than the clock difference of two machines.
 */
const claimMs = 10 * 60_000;

export function createRefunds(deps: RefundOutcomeDeps) {
  const { db, now } = deps;
  return {
    ...createRefundReservations({ now }),
    ...createRefundOutcomes(deps),

    /** All refunds that the provider still has to send. */
    async due(): Promise<DueRefund[]> {
      const all: DueRefund[] = [];
      for (const refund of await refundsDue(db.read)) {
        const payment = await findPaymentById(db.read, refund.paymentId);
        if (payment) all.push({ refund, payment });
      }
      return all;
    },

    /** The refund of a payment that arrived too late; null if it has been sent, or refused. */
    async late(payment: Payment): Promise<DueRefund | null> {
      const refund = await findRefund(db.read, lateRefundId(payment));
      return refund?.state === 'due' ? { refund, payment } : null;
    },

    /**
     * Runs `ask`, which has the provider send a refund, while no other request in any process does. Null if another one does, or
     * the refund is no longer due.
     */
    async alone<T>({ id }: Refund, ask: () => Promise<T>): Promise<T | null> {
      const at = now();
      const until = at + claimMs;
      if (!(await db.transaction((trx) => claimRefund(trx, id, at, until)))) return null;
      try {
        return await ask();
      } finally {
        await db.transaction((trx) => releaseRefund(trx, id, until));
      }
    },

    find: (id: string): Promise<Refund | null> => findRefund(db.read, id),

    /** The state of the refund of a payment that arrived too late; null if there is none. */
    lateState: async ({ id }: Payment): Promise<RefundState | null> => (await latestRefundOf(db.read, id))?.state ?? null,

    /** The refunds of an order that are not refused, oldest first. */
    of: refundsOf,
  };
}
