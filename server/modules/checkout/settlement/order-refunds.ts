/** Refunds and cancels orders, as the merchant asks: the refund is written, and sent to the provider at once. */
import type { RunChange } from '#server/modules/changes/index.ts';
import type { OrderHead, OrdersService } from '#server/modules/orders/index.ts';
import { type PaymentsService, type RefundRequest, type RefundResult, writeRefund } from '#server/modules/payments/index.ts';
import { OperationError } from '#server/platform/errors.ts';

export interface OrderRefundsDeps {
  now: () => number;
  orders: OrdersService;
  payments: PaymentsService;
}

export type OrderRefunds = ReturnType<typeof createOrderRefunds>;

export function createOrderRefunds({ now, orders: { fulfilment }, payments }: OrderRefundsDeps) {
  /** Records refunds made at the provider meanwhile. If the provider does not answer now, it rejects an excessive refund itself. */
  async function checkBefore(orderId: string): Promise<void> {
    const payment = await payments.attempts.succeededOf(orderId);
    if (payment) await payments.check(payment).catch(() => {});
  }

  return {
    /**
     * Refunds money of an order, by its number. `given` is false if the provider cannot be reached or does not send it yet:
     * reconciliation tries again until it does.
     * @throws {OperationError} if it cannot be refunded
     */
    async refund(run: RunChange, orderNumber: string, request: RefundRequest): Promise<RefundResult> {
      const { id, number } = await fulfilment.find(orderNumber);
      await checkBefore(id);
      const due = await run(async ({ trx, note }) => {
        const written = await writeRefund(trx, id, request, now());
        note('order', number ?? '', [{ field: 'refunded', to: written.refund.amount }]);
        return written;
      });
      const result = await payments.refunds.trySending(due, { attending: true });
      if (result.refused === undefined) return result;
      throw new OperationError('error.refund.refused', { provider: due.payment.provider, reason: result.refused });
    },

    /** Cancels an order (`Fulfilment.cancel`) and refunds what was paid. `refund` is null if nothing was. */
    async cancelOrder(
      run: RunChange,
      orderNumber: string,
      reason: string,
      note = '',
    ): Promise<{ order: OrderHead; refund: RefundResult | null }> {
      await checkBefore((await fulfilment.find(orderNumber)).id);
      const { order, refund } = await run((change) => fulfilment.cancel(change, orderNumber, reason, note));
      return { order, refund: refund && (await payments.refunds.trySending(refund)) };
    },
  };
}
