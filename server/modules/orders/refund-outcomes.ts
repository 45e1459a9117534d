/** Records what a payment provider has done about a refund. */
import { formatMerchantMoney } from '#contract/money.ts';
import type { Database } from '#db/database.ts';
import type { AlertsService, OutboxService } from '#server/modules/notifications/index.ts';
import type { WebhookEvents } from '#server/modules/webhooks/index.ts';
import { recordRefundEvent } from './order/order-webhooks.ts';
import { findOrder } from './order/orders.repository.ts';
import { releaseFromRefund, transitionPayment } from './payments.repository.ts';
import type { DueRefund } from './refund-reservation.ts';
import { endRefund, noteRefund, type Refund } from './refunds.repository.ts';

export interface RefundOutcomeDeps {
  db: Database;
  now: () => number;
  mail: OutboxService;
  alerts: AlertsService;
  webhookEvents: WebhookEvents;
}

export function createRefundOutcomes({ db, now, mail, alerts, webhookEvents }: RefundOutcomeDeps) {
  return {
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
  };
}
