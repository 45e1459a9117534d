/** Cancels placed orders: all of one, or, of one that is partly shipped, what is not sent yet. */
import { formatMerchantMoney } from '#contract/formatters.ts';
import type { OrderState } from '#contract/schemas/order.ts';
import type { OrderSheet } from '#contract/staff/orders.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import {
  type DueRefund,
  refundableRest,
  refundsOf,
  writeHeldRefunds,
  writeRefund,
  writeRefundOfRest,
} from '#server/modules/payments/index.ts';
import type { Actor } from '#server/platform/actors.ts';
import { OperationError } from '#server/platform/errors.ts';
import { enqueueCancelledEmail } from '../emails/order-emails.ts';
import { coversOf, refundAmount, refundableOf } from '../order/bill-parts.ts';
import { statesOf } from '../order/customer-orders.repository.ts';
import { unitsOf } from '../order/line-units.ts';
import { isArchived, mayFollow, type OrderHead, slotOf } from '../order/order.ts';
import { frozenLinesOf } from '../order/order-lines.repository.ts';
import { findOrderByNumber, transitionOrder, updateOrder } from '../order/orders.repository.ts';
import { shipmentsOf } from '../order/shipments.repository.ts';
import type { FulfilmentDeps } from './fulfilment.ts';
import { unsentOf } from './shipping.ts';

export interface HowCancelled {
  /** For the buyer, in the email; '' for nothing. */
  note?: string | undefined;
  /** Cents of what was paid; left out for all that can be refunded. */
  refund?: number | undefined;
  /** Whether the items go back on sale, which they do if it is left out. */
  restock?: boolean | undefined;
  /** Whether the buyer is told, which they are if it is left out. */
  mail?: boolean | undefined;
  /** What the caller saw; a repeated request changes nothing. */
  seen?: { version: number; most: number } | undefined;
}

export interface CancelledOrder {
  order: OrderHead;
  /** One for each payment; empty if nothing is refunded. */
  refunds: DueRefund[];
}

/** What is cancelled of an order; null if it is over, or has left the shop. */
export type Cancellable = OrderSheet['cancellable'];

export async function cancellableOf(reader: Reader, order: OrderHead): Promise<Cancellable> {
  if (!mayFollow(order.state, 'cancelled') || order.placedAt === null || isArchived(order)) return null;
  const rest = await refundableRest(reader, order.id);
  if (!(await isPartlySent(reader, order))) return { what: 'order', most: rest };
  const { worth } = await unsentWorth(reader, order);
  return { what: 'rest', most: Math.min(worth, rest) };
}

const isPartlySent = async (reader: Reader, { id, method }: OrderHead): Promise<boolean> =>
  method === 'shipping' && (await shipmentsOf(reader, id)).length > 0;

/** The units that are not sent yet, and what was paid for them, cents with tax. */
async function unsentWorth(reader: Reader, order: OrderHead) {
  const left = (await unsentOf(reader, [order])).get(order.id) ?? [];
  const covers = { lines: left.map((each) => ({ ...each, unsent: each.quantity })) };
  const [lines, refunds] = await Promise.all([frozenLinesOf(reader, order.id), refundsOf(reader, order.id)]);
  const units = lines.flatMap((line) =>
    left.flatMap((each) => (each.line === line.id ? { ...line, ...each } : [])),
  );
  const worth = order.bill
    ? refundAmount(refundableOf(order.bill, lines, refunds.flatMap(coversOf)), covers)
    : 0;
  return { covers, units, worth };
}

export function createCancel(deps: FulfilmentDeps) {
  const { now, orderEvents } = deps;

  /**
   * Cancels what is left of an order: its pickup time is released, its buyer gets an email, and what is to be refunded is set aside.
   * @param reason for the merchant's records
   * @throws {OperationError} if it is too late, or it is not as the caller saw it, or less is left of what was paid
   */
  async function cancelIn(
    { trx, actor }: { trx: Trx; actor?: Actor },
    number: string,
    reason: string,
    request: HowCancelled = {},
  ): Promise<CancelledOrder & { from: OrderState; wasThere?: boolean }> {
    const found = await findOrderByNumber(trx, number.trim().toUpperCase());
    // Locks the order, so that of two cancellations the second sees the first.
    const before = found && (await updateOrder(trx, found.id, { updated_at: now() }));
    if (!before) throw new OperationError('error.order.unknown', { number });
    const { id, state: from } = before;
    if (request.seen && (await wasCancelled(trx, before, reason, request)))
      return { order: before, refunds: [], from, wasThere: true };
    const wanted = await cancellableOf(trx, before);
    const to = wanted?.what === 'rest' ? 'shipped' : 'cancelled';
    if (!wanted) throw new OperationError('error.order.state', { number, state: from, to });
    const { version, most } = request.seen ?? { version: before.version, most: wanted.most };
    if (version !== before.version || most !== wanted.most)
      throw new OperationError('error.order.changed', { number });
    const refund = request.refund ?? wanted.most;
    if (refund > wanted.most)
      throw new OperationError('error.cancel.tooMuch', {
        amount: formatMerchantMoney(wanted.most, before.currency),
      });
    const rest = wanted.what === 'rest' ? await unsentWorth(trx, before) : null;
    const order = await transitionOrder(trx, id, { from, to, at: now(), reason });
    if (!order) throw new OperationError('error.order.changed', { number });
    if (rest) await returnUnits(deps, { trx, actor }, order, { ...request, units: rest.units });
    else await returnAll(deps, { trx, actor }, order, request);
    const words = { reason, note: request.note };
    const covers = rest && refund === rest.worth ? rest.covers : undefined;
    const refunds =
      refund === 0
        ? []
        : rest
          ? await writeRefund(trx, id, { ...words, amount: refund, covers }, now())
          : await writeRefundOfRest(trx, id, { ...words, most: refund }, now());
    // What a dispute holds follows once it is decided, if all that there is goes back.
    const held = !rest && refund === wanted.most ? await writeHeldRefunds(trx, id, reason, now()) : 0;
    if (request.mail !== false) {
      const sent = refunds.reduce(
        (sum, { refund: { amount }, payment }) => sum + (payment.kind === null ? amount : 0),
        0,
      );
      const back = sent + held;
      await enqueueCancelledEmail(trx, deps.mail, order, {
        note: request.note ?? '',
        back,
        units: rest?.covers.lines,
      });
    }
    await orderEvents.record(trx, `order.${to}`, order);
    return { order, refunds, from };
  }

  return {
    /** Like `cancel`, as part of a transaction; without `actor` for its customer. */
    cancelIn,

    /** As `cancelIn`, noted in the journal. */
    async cancel(
      change: Change,
      number: string,
      reason: string,
      request: HowCancelled = {},
    ): Promise<CancelledOrder> {
      const { order, refunds, from, wasThere } = await cancelIn(change, number, reason, request);
      const refunded = refunds.reduce((sum, { refund }) => sum + refund.amount, 0);
      const fields = [
        { field: 'state', from, to: order.state },
        ...(refunded > 0 ? [{ field: 'refunded', to: refunded }] : []),
        { field: 'restocked', to: request.restock !== false },
      ];
      change.note('order', order.number ?? '', wasThere ? [] : fields);
      return { order, refunds };
    },
  };
}

/** Whether a repeated request is what was done: one step after what its caller saw, with its reason and its refund. */
async function wasCancelled(
  trx: Trx,
  { id, version }: OrderHead,
  reason: string,
  { seen, refund }: HowCancelled,
): Promise<boolean> {
  if (!seen || version !== seen.version + 1) return false;
  const last = (await statesOf(trx, id)).at(-1);
  if (!last || last.reason !== reason || (last.state !== 'cancelled' && last.state !== 'shipped'))
    return false;
  const made = (await refundsOf(trx, id)).filter(
    ({ createdAt, state }) => createdAt === last.at && state !== 'held',
  );
  return made.reduce((sum, { amount }) => sum + amount, 0) === (refund ?? seen.most);
}

async function returnAll(
  { coupons, stock, pickup }: FulfilmentDeps,
  { trx, actor }: { trx: Trx; actor?: Actor | undefined },
  order: OrderHead,
  { restock = true }: HowCancelled,
): Promise<void> {
  // In the order in which placing locks them.
  await coupons.releaseUse(trx, order.id);
  if (restock) {
    await stock.release(trx, order.id);
    await stock.restock(trx, order.id, actor);
  } else await stock.sell(trx, order.id, actor);
  const slot = slotOf(order);
  if (slot) await pickup.release(trx, slot.storeId, { orderId: order.id, at: slot.at });
}

async function returnUnits(
  { stock }: FulfilmentDeps,
  { trx, actor }: { trx: Trx; actor?: Actor | undefined },
  order: OrderHead,
  { restock = true, units }: HowCancelled & { units: Parameters<typeof unitsOf>[0] },
): Promise<void> {
  if (restock)
    await stock.restock(
      trx,
      order.id,
      actor,
      new Map(unitsOf(units).map(({ sku, quantity }) => [sku, quantity])),
    );
}
