/** What staff say of a shipment, checked; and taking one back. */
import { type Carrier, readTracking, type Tracking } from '#contract/carriers.ts';
import { undoMs } from '#contract/limits.ts';
import type { Reader } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { refundsOf } from '#server/modules/payments/index.ts';
import { OperationError, validationError } from '#server/platform/errors.ts';
import { shipmentReference } from '../emails/order-emails.ts';
import type { OrderHead } from '../order/order.ts';
import { coversOf } from '../order/refund-parts.ts';
import { markTakenBack, type ShippedLine, shipmentsOf, unshipped } from '../order/shipments.repository.ts';
import { deskLines } from './desk.repository.ts';
import type { FulfilmentDeps } from './fulfilment.ts';
import { takeBackStep, untake } from './take-back.ts';

export interface ShipRequest {
  /** Left out for all that are left. */
  lines?: readonly ShippedLine[] | undefined;
  carrier?: Carrier | undefined;
  /** A number, or the link of the parcel's page. */
  tracking?: string | undefined;
  /** How many shipments there were. */
  seen?: number | undefined;
}

/** What is still to be sent of orders that wait for that, by order. */
export async function unsentOf(reader: Reader, orders: readonly OrderHead[]): Promise<Map<string, ShippedLine[]>> {
  const waiting = orders.filter(({ method, state }) => method === 'shipping' && state === 'placed').map(({ id }) => id);
  const [lines, shipments, refunds] = await Promise.all([
    deskLines(reader, waiting),
    shipmentsOf(reader, ...waiting),
    refundsOf(reader, ...waiting),
  ]);
  const of = <T extends { orderId: string }>(all: readonly T[], id: string) => all.filter(({ orderId }) => orderId === id);
  return new Map(
    waiting.map((id) => [
      id,
      unshipped(
        lines.filter((line) => line.order_id === id),
        of(shipments, id),
        of(refunds, id).flatMap(coversOf),
      ),
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
  const fits = chosen.every(({ line, quantity }) => quantity <= (left.find((each) => each.line === line)?.quantity ?? 0));
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

/**
 * Takes a shipment back: its lines are to be sent again, and an email that waits is not sent. Without a reason only within `undoMs`.
 * @throws {OperationError} if it is not there, or the order is past being shipped
 */
export async function takeBackShipment(
  deps: Pick<FulfilmentDeps, 'now' | 'deliveries' | 'stock'>,
  change: Change,
  order: OrderHead,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const { trx, note } = change;
  const number = order.number ?? '';
  const within = reason === '' ? undoMs : Number.POSITIVE_INFINITY;
  const shipment = (await shipmentsOf(trx, order.id)).find((each) => each.id === id);
  if (!shipment || (order.state !== 'shipped' && order.state !== 'placed'))
    throw new OperationError('error.order.noStep', { number });
  if (shipment.at < deps.now() - within) throw new OperationError('error.order.tooLate', { number });
  if (order.state === 'shipped') return void (await takeBackStep(deps, change, order, { reason, shipment }));
  const untaken = await untake(trx, order, shipment.at, deps.now());
  await markTakenBack(trx, id, deps.now());
  await deps.deliveries.recall(trx, [shipmentReference(id)]);
  note('order', number, [
    { field: 'shipmentTakenBack', to: `${shipment.lines.reduce((sum, { quantity }) => sum + quantity, 0)} ×` },
    ...(untaken > 0 ? [{ field: 'paid', from: untaken, to: 0 }] : []),
  ]);
}
