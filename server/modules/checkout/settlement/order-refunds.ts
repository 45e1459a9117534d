/** Refunds, cancels and rebills orders, as the merchant asks: refunds are written, and sent to their providers at once. */
import type { Database } from '#db/database.ts';
import type { Change, RunChange } from '#server/modules/changes/index.ts';
import type { OutboxService } from '#server/modules/notifications/index.ts';
import {
  type AgreedBill,
  dueVersionOf,
  enqueueDueEmail,
  type OrderHead,
  type OrdersService,
  updateOrder,
} from '#server/modules/orders/index.ts';
import {
  balanceOf,
  type DueRefund,
  type PaymentsService,
  planRefund,
  type RefundPart,
  type RefundRequest,
  type RefundResult,
  writeExcess,
  writeRefund,
} from '#server/modules/payments/index.ts';
import { OperationError } from '#server/platform/errors.ts';

export interface OrderRefundsDeps {
  db: Database;
  now: () => number;
  orders: OrdersService;
  payments: PaymentsService;
  mail: OutboxService;
}

/** A refund of an order: `parts` has one for each payment that it takes from, and the first of them is given beside. */
export interface OrderRefund extends RefundResult {
  parts: RefundResult[];
}

/** `refund` is null if nothing had to be refunded. */
interface ChangedOrder {
  order: OrderHead;
  refund: OrderRefund | null;
}

export type OrderRefunds = ReturnType<typeof createOrderRefunds>;

export function createOrderRefunds(deps: OrderRefundsDeps) {
  const { db, now, orders, payments, mail } = deps;
  const { fulfilment } = orders;

  return {
    /**
     * Refunds money of an order, by its number. `given` is false if a provider cannot be reached or does not send its part yet:
     * reconciliation tries again until it does.
     * @throws {OperationError} if it cannot be refunded, or every provider refuses
     */
    async refund(run: RunChange, orderNumber: string, request: RefundRequest): Promise<OrderRefund> {
      const { id, number } = await fulfilment.find(orderNumber);
      await checkBefore(payments, id);
      const due = await run(async ({ trx, note }) => {
        await updateOrder(trx, id, { updated_at: now() });
        const written = await writeRefund(trx, id, request, now());
        for (const { refund } of written) note('order', number ?? '', [{ field: 'refunded', to: refund.amount }]);
        return written;
      });
      const result = await sendAll(payments, due, { attending: true });
      if (!result) throw new Error('A refund has at least one part');
      if (result.parts.some(({ refused }) => refused === undefined)) return result;
      throw new OperationError('error.refund.refused', { provider: result.payment.provider, reason: result.refused ?? '' });
    },

    /** The parts that `refund` would take. @throws {OperationError} as `refund` */
    async plan(orderNumber: string, request: RefundRequest): Promise<RefundPart[]> {
      const { id } = await fulfilment.find(orderNumber);
      await checkBefore(payments, id);
      return planRefund(db.read, id, request);
    },

    /** Cancels an order (`Fulfilment.cancel`) and refunds what was paid. */
    async cancelOrder(run: RunChange, orderNumber: string, reason: string, note = ''): Promise<ChangedOrder> {
      await checkBefore(payments, (await fulfilment.find(orderNumber)).id);
      const { order, refunds } = await run((change) => fulfilment.cancel(change, orderNumber, reason, note));
      return { order, refund: await sendAll(payments, refunds) };
    },

    /**
     * Gives a placed order another bill, such as when its lines were changed. If it falls, the difference is refunded; if it rises, the
     * difference is due, and its buyer gets an email.
     * @throws {OperationError} if the order has not been placed, is cancelled or expired, or has another currency
     */
    async rebill(run: RunChange, orderNumber: string, bill: AgreedBill, reason: string): Promise<ChangedOrder> {
      const { id } = await fulfilment.find(orderNumber);
      await checkBefore(payments, id);
      const { order, due } = await run((change) => writeBill(change, mail, id, bill, reason, now()));
      return { order, refund: await sendAll(payments, due) };
    },
  };
}

/** Records refunds made at the providers meanwhile. A provider that does not answer now rejects an excessive refund itself. */
async function checkBefore(payments: PaymentsService, orderId: string): Promise<void> {
  for (const payment of await payments.attempts.of(orderId))
    if (payment.state === 'succeeded') await payments.check(payment).catch(() => {});
}

/** Each part is sent, whatever becomes of the others. Null if there are none. */
async function sendAll(
  { refunds }: PaymentsService,
  due: readonly DueRefund[],
  options?: { attending?: boolean },
): Promise<OrderRefund | null> {
  const parts: RefundResult[] = [];
  for (const part of due) parts.push(await refunds.trySending(part, options));
  const [first] = parts;
  return first ? { ...first, given: parts.every(({ given }) => given), parts } : null;
}

async function writeBill(
  { trx, note }: Change,
  mail: OutboxService,
  id: string,
  bill: AgreedBill,
  reason: string,
  at: number,
): Promise<{ order: OrderHead; due: DueRefund[] }> {
  const before = await updateOrder(trx, id, { updated_at: at });
  if (
    !before ||
    before.placedAt === null ||
    before.state === 'cancelled' ||
    before.state === 'lapsed' ||
    bill.currency !== before.currency
  )
    throw new OperationError('error.order.bill', { number: before?.number ?? '' });
  const change = { bill: JSON.stringify(bill), bill_version: bill.billVersion, total_cents: bill.total };
  const order = await updateOrder(trx, id, { ...change, version: before.version + 1 });
  note('order', before.number ?? '', [{ field: 'total', from: before.bill?.total, to: bill.total }]);
  const due = await writeExcess(trx, id, reason, at);
  const isDearer = bill.total > (before.bill?.total ?? 0);
  if (order && isDearer && dueVersionOf(order, await balanceOf(trx, id))) await enqueueDueEmail(trx, mail, order);
  return { order: order ?? before, due };
}
