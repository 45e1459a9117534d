/**
 * Records refunds: reserved first (`refund-reservation.ts`), then requested from the provider by payments until it has answered.
 */
import { formatMerchantMoney } from '#contract/money.ts';
import type { Database } from '#db/database.ts';
import type { AlertsService, OutboxService } from '#server/modules/notifications/index.ts';
import type { WebhookEvents } from '#server/modules/webhooks/index.ts';
import { recordRefundEvent } from './order-webhooks.ts';
import { findOrder } from './orders.repository.ts';
import type { Payment } from './payment.ts';
import { findPaymentById, releaseFromRefund, transitionPayment } from './payments.repository.ts';
import { createRefundReservations, type DueRefund, lateRefundId } from './refund-reservation.ts';
import {
  claimRefund,
  endRefund,
  findRefund,
  latestRefundOf,
  noteRefund,
  type Refund,
  type RefundState,
  refundsDue,
  refundsOf,
  releaseRefund,
} from './refunds.repository.ts';

export type { DueRefund, RefundRequest } from './refund-reservation.ts';
export type { Refund, RefundState } from './refunds.repository.ts';

export type Refunds = ReturnType<typeof createRefunds>;

export interface RefundsDeps {
  db: Database;
  now: () => number;
  mail: OutboxService;
  alerts: AlertsService;
  webhookEvents: WebhookEvents;
}

/**
 * How long one process may take to ask the provider, ms; after that another process takes over, since the first may have died.
 * Much longer than a provider's few calls of 10 s, and than the clock difference of two machines.
 */
const claimMs = 10 * 60_000;

export function createRefunds({ db, now, mail, alerts, webhookEvents }: RefundsDeps) {
  return {
    ...createRefundReservations({ now }),

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

    /** Records that the provider has sent it, and emails the buyer. */
    async done(refund: Refund): Promise<void> {
      const { id, paymentId, orderId } = refund;
      await db.transaction(async (trx) => {
        const at = now();
        if (!(await endRefund(trx, id, ['due'], { state: 'done', note: null, attention: false }, at))) return;
        await transitionPayment(trx, paymentId, ['refundDue'], 'refunded', at);
        await recordRefundEvent(trx, webhookEvents, refund);
        const order = await findOrder(trx, orderId);
        if (!order?.contact?.email) return;
        await mail.enqueue(trx, {
          kind: 'refund',
          recipient: order.contact.email,
          locale: order.language,
          data: { orderId, refundId: id },
          reference: `refund:${id}`,
        });
      });
    },

    /**
     * Records that the provider will never send it, or has taken back what it sent: the money counts as paid again. The merchant
     * is alerted, unless they requested the refund themselves and are `attending`.
     */
    async refused({ refund, payment }: DueRefund, reason: string, { attending = false } = {}): Promise<void> {
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
    },

    /** Records the provider's reason why a due refund waits. */
    waits: ({ id }: Refund, reason: string): Promise<void> => db.transaction((trx) => noteRefund(trx, id, reason)),

    find: (id: string): Promise<Refund | null> => findRefund(db.read, id),

    /** The state of the refund of a payment that arrived too late; null if there is none. */
    lateState: async ({ id }: Payment): Promise<RefundState | null> => (await latestRefundOf(db.read, id))?.state ?? null,

    /** The refunds of an order that are not refused, oldest first. */
    of: refundsOf,
  };
}
