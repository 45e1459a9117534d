/** Has providers send refunds, and tracks their outcome. */
import type { DueRefund, OrdersService, Payment } from '#server/modules/orders/index.ts';
import { attemptOf, RefundPending, RefundRefused } from '../providers/provider.ts';
import type { PaymentRegistry } from '../providers/registry.ts';

export type RefundSender = ReturnType<typeof createRefundSender>;

export function createRefundSender({ orders, payments }: { orders: OrdersService; payments: PaymentRegistry }) {
  /**
   * Has the provider send a refund. Returns false if the refund has to wait, or another request is sending it. If the provider
   * refuses, the merchant is alerted, unless they requested the refund themselves and are `attending`.
   * @throws {RefundRefused} if the provider never will; any other error means that it is retried
   */
  async function sendRefund({ refund, payment }: DueRefund, { attending = false } = {}): Promise<boolean> {
    const provider = payments.find(payment.provider);
    if (!provider) throw new Error(`${payment.provider} is not set up, and holds money that is to be refunded`);
    const sent = await orders.refunds.alone(refund, async () => {
      try {
        await provider.refund(attemptOf(payment), refund.amount, refund.id);
      } catch (error) {
        if (error instanceof RefundPending) {
          await orders.refunds.waits(refund, error.message);
          return false;
        }
        if (error instanceof RefundRefused) await orders.refunds.refused({ refund, payment }, error.message, { attending });
        throw error;
      }
      await orders.refunds.done(refund);
      return true;
    });
    return sent ?? false;
  }

  return {
    sendRefund,

    /**
     * Asks a payment's provider about one refund, after a webhook about it: a due one is finished, one that failed after it was
     * sent is reopened. Throws if the provider cannot be reached.
     */
    async recheckRefund(payment: Payment, refundId: string): Promise<void> {
      const refund = await orders.refunds.find(refundId);
      if (refund?.paymentId !== payment.id) return;
      if (refund.state === 'due') {
        await sendRefund({ refund, payment }).catch((error: unknown) => {
          if (!(error instanceof RefundRefused)) throw error;
        });
      } else if (refund.state === 'done') {
        const failure = await payments.find(payment.provider)?.refundFailure?.(attemptOf(payment), refundId);
        if (failure) await orders.refunds.refused({ refund, payment }, failure);
      }
    },
  };
}
