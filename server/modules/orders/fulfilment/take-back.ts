/** Takes the last step of an order back: at once, before its email leaves, or later with a reason. */
import type { OrderState } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { counter, paymentsOf, transitionPayment } from '#server/modules/payments/index.ts';
import { OperationError } from '#server/platform/errors.ts';
import { shipmentReference } from '../emails/order-emails.ts';
import { isArchived } from '../order/archive.ts';
import { unitsOf } from '../order/line-modifiers.ts';
import { locationOf, type OrderHead } from '../order/order.ts';
import { frozenLinesOf } from '../order/order-lines.repository.ts';
import { revertOrder } from '../order/orders.repository.ts';
import { markTakenBack, shipmentsOf } from '../order/shipments.repository.ts';
import { stepsOf } from './desk.repository.ts';
import type { FulfilmentDeps } from './fulfilment.ts';

/** Emails and events that tell of a step. */
const toldOf: Partial<Record<OrderState, readonly string[]>> = {
  ready: ['orderReady', 'order.ready'],
  shipped: ['orderShipped', 'order.shipped'],
  completed: ['order.paid'],
};

/** What identifies the deliveries that tell of the step to a state. */
export const tellingOf = ({ id, state }: Pick<OrderHead, 'id' | 'state'>): string[] =>
  (toldOf[state] ?? []).map((what) => `${what}:${id}`);

/**
 * Puts an order back into the state that it had before `ready`, `shipped` or `completed`. What completing it sold is held for it again,
 * and what was then taken at the counter counts as not taken. An email or event of the step that waits is not sent.
 * @param shipment the one that goes back with the step `shipped`; by default the one that was made with it
 * @param within only of a step that is at most this old, ms
 * @throws {OperationError} if there is no such step, money of it was refunded, or its stock is gone
 */
export async function takeBackStep(
  { now, deliveries, stock }: Pick<FulfilmentDeps, 'now' | 'deliveries' | 'stock'>,
  { trx, actor, note }: Change,
  order: OrderHead,
  { reason, within = Number.POSITIVE_INFINITY, shipment }: { reason: string; within?: number; shipment?: { id: string } },
): Promise<OrderHead> {
  const { id, state, number } = order;
  const steps = await stepsOf(trx, id);
  const last = steps.at(-1);
  if (!toldOf[state] || last?.to !== state || isArchived(order))
    throw new OperationError('error.order.noStep', { number: number ?? '' });
  if (last.at < now() - within) throw new OperationError('error.order.tooLate', { number: number ?? '' });
  const reverted = await revertOrder(trx, id, { from: state, to: last.from, at: now(), reason });
  if (!reverted) throw new OperationError('error.order.changed', { number: number ?? '' });
  const made = ({ at }: { at: number }) => at === last.at;
  const parcel = state === 'shipped' ? (shipment ?? (await shipmentsOf(trx, id)).findLast(made)) : undefined;
  if (parcel) await markTakenBack(trx, parcel.id, now());
  const wasHeld = steps.some(({ to }) => to === 'reserved');
  const untaken = await untake(trx, order, last.at, now());
  if (state === 'completed' && wasHeld) {
    await stock.restock(trx, id, actor);
    const units = unitsOf(await frozenLinesOf(trx, id));
    const short = await stock.hold(trx, id, units, locationOf(order) ?? '', null);
    if (short.length > 0) throw new OperationError('error.order.stockGone', { number: number ?? '', items: short.join(', ') });
  }
  // Of an order that was paid before, receivers have heard that it was.
  if (state !== 'completed' || untaken > 0)
    await deliveries.recall(trx, [...tellingOf(order), ...(parcel ? [shipmentReference(parcel.id)] : [])]);
  note('order', number ?? '', [
    { field: 'state', from: state, to: last.from },
    ...(untaken > 0 ? [{ field: 'paid', from: untaken, to: 0 }] : []),
    ...(reason ? [{ field: 'reason', to: reason }] : []),
  ]);
  return reverted;
}

/** Payments at the counter that were recorded with a step at `at` count as not made. Returns their sum, cents. */
export async function untake(trx: Trx, { id, number }: OrderHead, at: number, now: number): Promise<number> {
  let sum = 0;
  for (const payment of await paymentsOf(trx, id)) {
    if (payment.provider !== counter || payment.state !== 'succeeded' || payment.createdAt !== at) continue;
    if (payment.refunded > 0) throw new OperationError('error.order.refunded', { number: number ?? '' });
    await transitionPayment(trx, payment.id, ['succeeded'], 'failed', now);
    sum += payment.amount;
  }
  return sum;
}
