/** Refunds and cancels orders, as the merchant asks: refunds are written, and sent to their providers at once. */
import type { Database, Reader, Trx } from '#db/database.ts';
import type { Change, RunChange } from '#server/modules/changes/index.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { OutboxService } from '#server/modules/notifications/index.ts';
import {
  type AgreedBill,
  coversOf,
  type Fulfilment,
  frozenLinesOf,
  type HowCancelled,
  type OrderHead,
  type OrderLine,
  type RefundCovers,
  refundAmount,
  refundableOf,
  unitsOf,
  unsentOf,
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
  RightMissing,
  refundsOf,
  writeExcess,
  writeRefund,
} from '#server/modules/payments/index.ts';
import { OperationError } from '#server/platform/errors.ts';
import { beside } from '#server/platform/trials.ts';

export interface OrderRefundsDeps {
  db: Database;
  now: () => number;
  fulfilment: Fulfilment;
  payments: PaymentsService;
  mail: OutboxService;
  stock: StockService;
}

/** A refund of an order: `parts` has one for each payment that it takes from, and the first of them is given beside. */
export interface OrderRefund extends RefundResult {
  parts: RefundResult[];
}

/** Cents; `amount`: all of it, as it was shown. */
export interface PartsRefund extends RefundCovers {
  tip: number;
  amount: number;
  /** What had been refunded before, as it was shown; left out, it is not compared. */
  refunded?: number | undefined;
  /** Whether the units go back to where they were sold from. */
  restock: boolean;
  reason: string;
  /** For the buyer, in the email; '' for nothing. */
  note: string;
}

/** `refund` is null if nothing had to be refunded. */
interface ChangedOrder {
  order: OrderHead;
  refund: OrderRefund | null;
}

export type OrderRefunds = ReturnType<typeof createOrderRefunds>;

export function createOrderRefunds(deps: OrderRefundsDeps) {
  const { db, now, fulfilment, payments } = deps;

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
        for (const { refund } of written)
          note('order', number ?? '', [{ field: 'refunded', to: refund.amount }]);
        return written;
      });
      return sent(payments, due);
    },

    /**
     * Refunds units of lines, shipping, the service charge or the tip, with their tax.
     * @throws {OperationError} as `refund`; if that many units are not left, or the amount is not the one that was shown
     */
    async refundParts(run: RunChange, orderNumber: string, wanted: PartsRefund): Promise<OrderRefund> {
      const { id } = await fulfilment.find(orderNumber);
      await checkBefore(payments, id);
      return sent(payments, await run((change) => writeParts(deps, change, id, wanted)));
    },

    /** What `refundParts` comes to, cents. @throws {OperationError} if that many units are not left */
    async quoteParts(orderNumber: string, covers: RefundCovers): Promise<number> {
      return (await coveredBy(db.read, await fulfilment.find(orderNumber), covers)).goods;
    },

    /** The parts that `refund` would take. @throws {OperationError} as `refund` */
    async plan(orderNumber: string, request: RefundRequest): Promise<RefundPart[]> {
      const { id } = await fulfilment.find(orderNumber);
      await checkBefore(payments, id);
      return planRefund(db.read, id, request);
    },

    /** Cancels an order (`Fulfilment.cancel`) and sends what is refunded of it. */
    async cancelOrder(
      run: RunChange,
      orderNumber: string,
      reason: string,
      how: HowCancelled = {},
    ): Promise<ChangedOrder> {
      await checkBefore(payments, (await fulfilment.find(orderNumber)).id);
      const { order, refunds } = await run((change) => fulfilment.cancel(change, orderNumber, reason, how));
      return { order, refund: await sendAll(payments, refunds) };
    },
  };
}

/**
 * Records refunds made at the providers meanwhile. A provider that does not answer now rejects an excessive refund itself.
 * @throws {OperationError} if the shop's keys may not list refunds: what was refunded in the dashboard would be refunded again
 */
export async function checkBefore(payments: PaymentsService, orderId: string): Promise<void> {
  await beside(() => checkAll(payments, orderId));
}

async function checkAll(payments: PaymentsService, orderId: string): Promise<void> {
  for (const payment of await payments.attempts.of(orderId)) {
    if (payment.state !== 'succeeded') continue;
    await payments.check(payment).catch((error: unknown) => {
      if (error instanceof RightMissing)
        throw new OperationError('error.refund.unchecked', {
          provider: payment.provider,
          reason: error.message,
        });
    });
  }
}

/** Each part is sent, whatever becomes of the others. Null if there are none. */
export async function sendAll(
  { refunds }: PaymentsService,
  due: readonly DueRefund[],
  options?: { attending?: boolean },
): Promise<OrderRefund | null> {
  const parts: RefundResult[] = [];
  for (const part of due) parts.push(await refunds.trySending(part, options));
  const [first] = parts;
  return first ? { ...first, given: parts.every(({ given }) => given), parts } : null;
}

/** @throws {OperationError} if every provider refuses */
async function sent(payments: PaymentsService, due: readonly DueRefund[]): Promise<OrderRefund> {
  const result = await sendAll(payments, due, { attending: true });
  if (!result) throw new Error('A refund has at least one part');
  if (result.parts.some(({ refused }) => refused === undefined)) return result;
  throw new OperationError('error.refund.refused', {
    provider: result.payment.provider,
    reason: result.refused ?? '',
  });
}

async function writeParts(
  { now, stock }: OrderRefundsDeps,
  { trx, actor, note }: Change,
  id: string,
  { restock, reason, note: words, amount, tip, refunded, ...wanted }: PartsRefund,
): Promise<DueRefund[]> {
  // Locks the order, so that of two refunds of one unit the second finds none.
  const order = await updateOrder(trx, id, { updated_at: now() });
  if (!order) throw new OperationError('error.order.unknown', { number: '' });
  const number = order.number ?? '';
  if (refunded !== undefined && refunded !== (await balanceOf(trx, id)).refunded)
    throw new OperationError('error.refund.before', { number });
  const { lines, goods, covers } = await coveredBy(trx, order, wanted);
  if (goods + tip !== amount) throw new OperationError('error.order.changed', { number });
  const due = [
    ...(goods > 0 ? await writeRefund(trx, id, { amount: goods, reason, note: words, covers }, now()) : []),
    ...(tip > 0 ? await writeRefund(trx, id, { amount: tip, tip: true, reason, note: words }, now()) : []),
  ];
  if (due.length === 0) throw new OperationError('error.refund.nothing');
  const units = lines.flatMap((line) =>
    covers.lines.flatMap((each) => (each.line === line.id ? { ...line, ...each } : [])),
  );
  if (restock)
    await stock.restock(trx, id, actor, new Map(unitsOf(units).map(({ sku, quantity }) => [sku, quantity])));
  note('order', number, [
    { field: 'refunded', to: amount },
    ...units.map(({ sku, quantity }) => ({ field: `lines.${sku}`, to: -quantity })),
    ...(restock ? [{ field: 'restocked', to: true }] : []),
  ]);
  return due;
}

/** What is wanted of an order's lines, each of them once, and what it comes to. Units that are not sent yet come first. */
async function coveredBy(
  reader: Reader,
  order: OrderHead,
  wanted: RefundCovers,
): Promise<{ lines: readonly OrderLine[]; goods: number; covers: RefundCovers }> {
  const { id, number } = order;
  if (!order.bill) throw new OperationError('error.order.unknown', { number: number ?? '' });
  const lines = await frozenLinesOf(reader, id);
  const done = (await refundsOf(reader, id)).flatMap(coversOf);
  const unsent = (await unsentOf(reader, [order])).get(id) ?? [];
  const all = Map.groupBy(wanted.lines, ({ line }) => line);
  const merged = [...all].map(([line, units]) => {
    const quantity = units.reduce((sum, each) => sum + each.quantity, 0);
    const left = unsent.find((each) => each.line === line)?.quantity ?? 0;
    const most = Math.min(left, quantity);
    const named = units.map((each) => each.unsent ?? most).reduce((sum, each) => sum + each, 0);
    if (units.some((each) => each.unsent !== undefined) && named > most)
      throw new OperationError('error.order.changed', { number: number ?? '' });
    return { line, quantity, unsent: Math.min(named, most) };
  });
  const covers = { ...wanted, lines: merged };
  return { lines, covers, goods: refundAmount(refundableOf(order.bill, lines, done), covers) };
}

/**
 * Gives an order, which the caller has locked, another bill, and sets aside what was paid too much then.
 * @throws {OperationError} if the order has not been placed, is cancelled or expired, or has another currency
 */
export async function writeBill(
  trx: Trx,
  before: OrderHead,
  bill: AgreedBill,
  { reason, at, from }: { reason: string; at: number; from?: string | undefined },
): Promise<{ order: OrderHead; due: DueRefund[] }> {
  const { id, placedAt, state, currency, version, number } = before;
  if (placedAt === null || state === 'cancelled' || state === 'lapsed' || bill.currency !== currency)
    throw new OperationError('error.order.bill', { number: number ?? '' });
  const change = { bill: JSON.stringify(bill), bill_version: bill.billVersion, total_cents: bill.total };
  const order = await updateOrder(trx, id, { ...change, version: version + 1 });
  return { order: order ?? before, due: await writeExcess(trx, id, { reason, at, from }) };
}
