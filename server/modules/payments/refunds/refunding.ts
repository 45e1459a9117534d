/** Refunds money of orders, as the merchant asks for it. */
import { type DueRefund, FulfilmentError, type OrderHead, type RefundRequest } from '#server/modules/orders/index.ts';
import type { PaymentMonitor } from '../disputes/payment-monitor.ts';
import type { PaymentsDeps, RefundResult } from '../payments-deps.ts';
import { RefundRefused } from '../providers/provider.ts';

export function createRefunding({ db, orders, settlement }: PaymentsDeps, monitor: PaymentMonitor) {
  async function sendRefund(due: DueRefund, options?: { attending?: boolean }): Promise<RefundResult> {
    const { refund } = due;
    try {
      return { refund, given: await settlement.sendRefund(due, options) };
    } catch (error) {
      return error instanceof RefundRefused ? { refund, given: false, refused: error.message } : { refund, given: false };
    }
  }

  /**
   * Records refunds made at the provider meanwhile. If the provider does not answer now, it rejects an excessive refund itself.
   */
  async function checkBefore(orderId: string): Promise<void> {
    const payment = await orders.payments.succeededOf(orderId);
    if (payment) await monitor.check(payment).catch(() => {});
  }

  return {
    /**
     * Refunds money of an order, by its number. `given` is false if the provider cannot be reached or does not send it yet:
     * reconciliation tries again until it does.
     * @throws {FulfilmentError} if it cannot be refunded
     */
    async refund(orderNumber: string, request: RefundRequest): Promise<RefundResult> {
      const { id } = await orders.fulfilment.find(orderNumber);
      await checkBefore(id);
      const due = await db.transaction((trx) => orders.refunds.open(trx, id, request));
      const result = await sendRefund(due, { attending: true });
      if (result.refused === undefined) return result;
      throw new FulfilmentError(`${due.payment.provider} refused the refund: ${result.refused}.`);
    },

    /**
     * Retries a refused refund, by its id (`RefundProblems.retry`).
     * @throws {FulfilmentError} if there is none
     */
    retryRefund: async (id: string): Promise<RefundResult> => sendRefund(await orders.refundProblems.retry(id)),

    /** Cancels an order (`Fulfilment.cancel`) and refunds what was paid. `refund` is null if nothing was. */
    async cancelOrder(
      orderNumber: string,
      reason: string,
      note = '',
    ): Promise<{ order: OrderHead; refund: RefundResult | null }> {
      await checkBefore((await orders.fulfilment.find(orderNumber)).id);
      const { order, refund } = await orders.fulfilment.cancel(orderNumber, reason, note);
      return { order, refund: refund && (await sendRefund(refund)) };
    },
  };
}
