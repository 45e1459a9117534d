/** Refunds that a provider refused or delays: lists them for the merchant, and resolves each. */
import { randomUUID } from 'node:crypto';
import type { Contact } from '#contract/schemas/order.ts';
import type { Database, Trx } from '#db/database.ts';
import { dayMs } from '#server/platform/durations.ts';
import { FulfilmentError } from './fulfilment/fulfilment-error.ts';
import { findOrder } from './order/orders.repository.ts';
import type { Payment } from './payment.ts';
import { findPaymentById, reserveForRefund, transitionPayment } from './payments.repository.ts';
import {
  clearAttention,
  findRefund,
  insertRefund,
  type Refund,
  refundsDue,
  refundsNeedingAttention,
} from './refunds.repository.ts';
import type { DueRefund } from './refunds.ts';

/** A refund with the data that a person needs to resolve it. */
export interface RefundProblem {
  refund: Refund;
  payment: Payment;
  /** Null for money that arrived too late for its order. */
  orderNumber: string | null;
  contact: Contact | null;
}

export type RefundProblems = ReturnType<typeof createRefundProblems>;

export function createRefundProblems({ db, now }: { db: Database; now: () => number }) {
  async function described(refund: Refund): Promise<RefundProblem[]> {
    const [payment, order] = await Promise.all([findPaymentById(db.read, refund.paymentId), findOrder(db.read, refund.orderId)]);
    return payment ? [{ refund, payment, orderNumber: order?.number ?? null, contact: order?.contact ?? null }] : [];
  }
  const describeAll = async (refunds: readonly Refund[]) => (await Promise.all(refunds.map(described))).flat();

  /** Replaces a refused refund by a new one: providers answer a refused one's key with the same refusal. */
  async function replace(trx: Trx, id: string, state: 'due' | 'done'): Promise<DueRefund> {
    const refused = await findRefund(trx, id);
    const payment = refused && (await findPaymentById(trx, refused.paymentId));
    if (!refused || !payment || !(await clearAttention(trx, id)))
      throw new FulfilmentError(`No refused refund has the id ${id}.`);
    if (!(await reserveForRefund(trx, payment.id, refused.amount, refused.tip)))
      throw new FulfilmentError(`The amount of refund ${id} has already been refunded.`);
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
    refused: async (): Promise<RefundProblem[]> => describeAll(await refundsNeedingAttention(db.read)),
    /** Refunds that have been waiting for the provider for more than a day, oldest first. */
    delayed: async (): Promise<RefundProblem[]> =>
      describeAll((await refundsDue(db.read)).filter(({ createdAt }) => createdAt < now() - dayMs)),
    /**
     * Replaces a refused refund by a new one that is due, so that the provider is asked again.
     * @throws {FulfilmentError} if there is no such refused refund, or its money has been returned already
     */
    retry: (id: string): Promise<DueRefund> => db.transaction((trx) => replace(trx, id, 'due')),
    /**
     * Records that the merchant has returned the money of a refused refund in another way. No email is sent.
     * @throws {FulfilmentError} as `retry`
     */
    settle: (id: string): Promise<Refund> =>
      db.transaction(async (trx) => {
        const { refund, payment } = await replace(trx, id, 'done');
        await transitionPayment(trx, payment.id, ['refundDue'], 'refunded', now());
        return refund;
      }),
  };
}
