/** Refunds that a provider refused or delays: lists them for the merchant, and has each tried again or settled. */
import { randomUUID } from 'node:crypto';
import type { Database, Trx } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { OperationError } from '#server/platform/errors.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { findPaymentById, reserveForRefund, transitionPayment } from '../attempts/payments.repository.ts';
import {
  clearAttention,
  findRefund,
  insertRefund,
  type Refund,
  refundsDue,
  refundsNeedingAttention,
} from './refunds.repository.ts';
import type { DueRefund } from './write-refund.ts';

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
    if (!refused || !payment || !(await clearAttention(trx, id))) throw new OperationError('error.refund.unknown', { id });
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
