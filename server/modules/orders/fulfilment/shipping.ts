/** What staff say of a shipment, checked; and taking back a shipment, or the last step of an order: at once, or later with a reason. */
import { readTracking, type Tracking } from '#contract/carriers.ts';
import { undoMs } from '#contract/limits.ts';
import type { OrderState } from '#contract/schemas/order.ts';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import {
  counter,
  type Payment,
  paymentsOf,
  refundsOf,
  transitionPayment,
} from '#server/modules/payments/index.ts';
import { actorText } from '#server/platform/actors.ts';
import { AppError, OperationError, validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { receiptsReference, shipmentReference } from '../emails/order-emails.ts';
import { coversOf } from '../order/bill-parts.ts';
import { unitsOf } from '../order/line-units.ts';
import { isArchived, locationOf, type OrderHead } from '../order/order.ts';
import { frozenLinesOf, unitsText } from '../order/order-lines.repository.ts';
import { sumsOf, waitingStates } from '../order/order-pages.repository.ts';
import { timeZoneOf } from '../order/order-presenter.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import { revertOrder } from '../order/orders.repository.ts';
import {
  type LineUnits,
  lineUnits,
  markTakenBack,
  type ShippedLine,
  shipmentsOf,
} from '../order/shipments.repository.ts';
import { deskLines, stepsOf } from './desk.repository.ts';
import type { FulfilmentDeps } from './fulfilment.ts';

/** `tracking` is a number, or the link of the parcel's page. */
export type ShipRequest = Partial<Omit<StaffBody<'shipOrder'>, 'paid'>>;

/** What of each line is still to be sent or handed over, and what was, by order. */
export async function unitsOfOrders(
  reader: Reader,
  orders: readonly OrderHead[],
): Promise<Map<string, LineUnits[]>> {
  const ids = orders.map(({ id }) => id);
  const [lines, shipments, refunds, sums] = await Promise.all([
    deskLines(reader, ids),
    shipmentsOf(reader, ...ids),
    refundsOf(reader, ...ids),
    sumsOf(reader, ids),
  ]);
  const of = <T extends { orderId: string }>(all: readonly T[], id: string) =>
    all.filter(({ orderId }) => orderId === id);
  return new Map(
    orders.map(({ id, state }) => [
      id,
      lineUnits({
        state,
        isRefunded: sums.get(id)?.isRefunded ?? false,
        lines: lines.filter((line) => line.order_id === id),
        shipments: of(shipments, id),
        refunds: of(refunds, id).flatMap(coversOf),
      }),
    ]),
  );
}

/** What is still to be sent or handed over of orders that wait for that, by order: nothing of one whose money all went back. */
export async function unsentOf(
  reader: Reader,
  orders: readonly OrderHead[],
): Promise<Map<string, ShippedLine[]>> {
  const waiting = orders.filter(({ state }) => waitingStates.includes(state));
  const units = await unitsOfOrders(reader, waiting);
  return new Map(
    [...units].map(([id, lines]) => [
      id,
      lines.flatMap(({ line, left }) => (left > 0 ? [{ line, quantity: left }] : [])),
    ]),
  );
}

/** @throws {OperationError} if there is nothing to send, or more of a line than is left of it */
export function chosenLines(
  left: readonly ShippedLine[],
  lines: readonly ShippedLine[] | undefined,
  number: string,
): ShippedLine[] {
  const chosen = [...(lines ?? left)];
  const fits = chosen.every(
    ({ line, quantity }) => quantity <= (left.find((each) => each.line === line)?.quantity ?? 0),
  );
  if (chosen.length === 0 || !fits || new Set(chosen.map(({ line }) => line)).size < chosen.length)
    throw new OperationError('error.order.notLeft', { number });
  return chosen;
}

/** @throws {AppError} REQUEST_VALIDATION_ERROR for what is neither a number nor a link */
export function trackingOf({ carrier, tracking = '' }: ShipRequest): Tracking {
  const read = readTracking(tracking);
  if (!read) throw validationError({ tracking: 'office.ship.noNumber' });
  return { ...read, carrier: read.carrier ?? (read.url === null ? (carrier ?? null) : null) };
}

/** Whether a payment at the counter may be undone by whoever takes a step back. */
export type MayUndo = (payment: Payment) => boolean;

/** Who may refund undoes any; others, on the same day of the store, what they took themselves. */
export function mayUndoBy(permit: Permit, order: OrderHead, settings: OrderSettings, now: number): MayUndo {
  const dayOf = (at: number) => wallClock(at, timeZoneOf(order, settings)).date;
  return ({ takenBy, createdAt }) =>
    permit.has('orders.refund') || (takenBy === actorText(permit.actor) && dayOf(createdAt) === dayOf(now));
}

/** A payment at the counter that was recorded with a step at `at`: it is undone with it. */
export const isTakenWith = ({ provider, state, createdAt }: Payment, at: number): boolean =>
  provider === counter && state === 'succeeded' && createdAt === at;

/**
 * Takes a shipment back: its lines are to be sent again, and an email that waits is not sent. Without a reason only within `undoMs`.
 * @throws {OperationError} if it is not there, or the order is past being shipped
 */
export async function takeBackShipment(
  deps: Pick<FulfilmentDeps, 'now' | 'deliveries' | 'stock'>,
  change: Change,
  order: OrderHead,
  { id, reason, mayUndo }: { id: string; reason: string; mayUndo: MayUndo },
): Promise<void> {
  const { trx, note } = change;
  const number = order.number ?? '';
  const within = reason === '' ? undoMs : Number.POSITIVE_INFINITY;
  const shipment = (await shipmentsOf(trx, order.id)).find((each) => each.id === id);
  if (!shipment || (order.state !== 'shipped' && order.state !== 'placed'))
    throw new OperationError('error.order.noStep', { number });
  if (shipment.at < deps.now() - within) throw new OperationError('error.order.tooLate', { number });
  if (order.state === 'shipped')
    return void (await takeBackStep(deps, change, order, { reason, shipment, mayUndo }));
  const untaken = await untake(trx, order, { at: shipment.at, now: deps.now(), mayUndo });
  await markTakenBack(trx, id, deps.now());
  await deps.deliveries.recall(trx, [shipmentReference(id)]);
  note('order', number, [
    { field: 'shipmentTakenBack', to: await unitsText(trx, order.id, shipment.lines) },
    ...(untaken > 0 ? [{ field: 'paid', from: untaken, to: 0 }] : []),
  ]);
}

/** Emails and events that tell of a step. */
const toldOf: Partial<Record<OrderState, readonly string[]>> = {
  ready: ['orderReady', 'order.ready'],
  shipped: ['orderShipped', 'order.shipped'],
  completed: ['order.paid'],
};

/** Whether the last step of an order in this state can be taken back at all. */
export const hasStep = (state: OrderState): boolean => toldOf[state] !== undefined;

/** What identifies the deliveries that tell of the step to a state. */
export const tellingOf = ({ id, state }: Pick<OrderHead, 'id' | 'state'>): string[] => [
  ...(toldOf[state] ?? []).map((what) => `${what}:${id}`),
  receiptsReference(id),
];

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
  {
    reason,
    within = Number.POSITIVE_INFINITY,
    shipment,
    mayUndo,
  }: { reason: string; within?: number; shipment?: { id: string }; mayUndo: MayUndo },
): Promise<OrderHead> {
  const { id, state, number } = order;
  const steps = await stepsOf(trx, id);
  const last = steps.at(-1);
  if (!hasStep(state) || last?.to !== state || isArchived(order))
    throw new OperationError('error.order.noStep', { number: number ?? '' });
  if (last.at < now() - within) throw new OperationError('error.order.tooLate', { number: number ?? '' });
  const reverted = await revertOrder(trx, id, { from: state, to: last.from, at: now(), reason });
  if (!reverted) throw new OperationError('error.order.changed', { number: number ?? '' });
  const made = ({ at }: { at: number }) => at === last.at;
  const parcel = state === 'shipped' ? (shipment ?? (await shipmentsOf(trx, id)).findLast(made)) : undefined;
  if (parcel) await markTakenBack(trx, parcel.id, now());
  // What is not sent then was cancelled: its items and money went back.
  if (state === 'shipped' && !parcel && (await unsentOf(trx, [reverted])).get(id)?.length)
    throw new OperationError('error.order.noStep', { number: number ?? '' });
  const wasHeld = steps.some(({ to }) => to === 'reserved');
  const untaken = await untake(trx, order, { at: last.at, now: now(), mayUndo });
  if (state === 'completed' && wasHeld) {
    await stock.restock(trx, id, actor);
    const units = unitsOf(await frozenLinesOf(trx, id));
    const short = await stock.hold(trx, id, units, { location: locationOf(order) ?? '', until: null });
    if (short.length > 0)
      throw new OperationError('error.order.stockGone', { number: number ?? '', items: short.join(', ') });
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

/**
 * Payments at the counter that were recorded with a step at `at` count as not made. Returns their sum, cents.
 * @throws {AppError} FORBIDDEN if one of them is not to be undone by the caller
 */
async function untake(
  trx: Trx,
  { id, number }: OrderHead,
  { at, now, mayUndo }: { at: number; now: number; mayUndo: MayUndo },
): Promise<number> {
  let sum = 0;
  for (const payment of await paymentsOf(trx, id)) {
    if (!isTakenWith(payment, at)) continue;
    if (!mayUndo(payment)) throw new AppError('FORBIDDEN', { errorKey: 'error.order.othersMoney' });
    if (payment.refunded > 0) throw new OperationError('error.order.refunded', { number: number ?? '' });
    await transitionPayment(trx, payment.id, ['succeeded'], 'failed', now);
    sum += payment.amount;
  }
  return sum;
}
