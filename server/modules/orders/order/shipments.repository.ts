/** Queries `shipments`: the parcels of orders. */
import { type Carrier, carriers, type Tracking, trackingUrl } from '#contract/carriers.ts';
import type { OrderState, Shipment as ShipmentView } from '#contract/schemas/order.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { RefundCovers } from './bill-parts.ts';
import type { OrderLine } from './order.ts';
import { waitingStates } from './order-pages.repository.ts';

export interface ShippedLine {
  line: string;
  quantity: number;
}

export interface Shipment extends Tracking {
  id: string;
  orderId: string;
  lines: ShippedLine[];
  /** Epoch ms. */
  at: number;
}

/** Oldest first, without those that were taken back. */
export async function shipmentsOf(db: Reader, ...orderIds: string[]): Promise<Shipment[]> {
  if (orderIds.length === 0) return [];
  const rows = await db
    .selectFrom('shipments')
    .selectAll()
    .where('order_id', 'in', orderIds)
    .where('taken_back_at', 'is', null)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return rows.map(
    ({ id, order_id: orderId, lines, carrier, tracking_number: number, tracking_url: url, at }) => ({
      id,
      orderId,
      lines: JSON.parse(lines) as ShippedLine[],
      carrier: carrier !== null && Object.hasOwn(carriers, carrier) ? (carrier as Carrier) : null,
      number,
      url,
      at,
    }),
  );
}

export async function insertShipment(
  trx: Trx,
  { id, orderId, lines, carrier, number, url, at }: Shipment,
): Promise<void> {
  const tracking = { carrier, tracking_number: number, tracking_url: url };
  const row = { id, order_id: orderId, lines: JSON.stringify(lines), ...tracking, at, taken_back_at: null };
  await trx.insertInto('shipments').values(row).execute();
}

export async function markTakenBack(trx: Trx, id: string, at: number): Promise<void> {
  await trx.updateTable('shipments').set({ taken_back_at: at }).where('id', '=', id).execute();
}

export function viewShipment({ id, lines, at, ...tracking }: Shipment): ShipmentView {
  const carrier = tracking.carrier ? carriers[tracking.carrier].name : '';
  return { id, at, carrier, trackingNumber: tracking.number, trackingUrl: trackingUrl(tracking), lines };
}

/** Units that were refunded instead of being sent or handed over. */
const unsentUnits = (refund: RefundCovers): ShippedLine[] =>
  refund.lines.map(({ line, unsent = 0 }) => ({ line, quantity: unsent }));

/** Units of a line. Those that are neither left nor gone were refunded or cancelled. */
export interface LineUnits {
  line: string;
  /** Still to be sent or handed over. */
  left: number;
  /** Sent or handed over. */
  gone: number;
}

interface OrderUnits {
  state: OrderState;
  /** Whether all that was paid went back: nothing of it is sent any more. */
  isRefunded: boolean;
  lines: readonly Pick<OrderLine, 'id' | 'quantity'>[];
  shipments: readonly Shipment[];
  refunds: readonly RefundCovers[];
}

/** What of each line of a placed order is still to be sent or handed over, and what was. */
export function lineUnits({ state, isRefunded, lines, shipments, refunds }: OrderUnits): LineUnits[] {
  const sent = shipments.flatMap((shipment) => shipment.lines);
  const refunded = refunds.flatMap(unsentUnits);
  const isHandedOver = (state === 'shipped' || state === 'completed') && sent.length === 0;
  return lines.map(({ id, quantity }) => {
    const parcelled = unitsIn(sent, id);
    const wanted = quantity - unitsIn(refunded, id);
    const isWaiting = waitingStates.includes(state) && !isRefunded;
    return {
      line: id,
      left: isWaiting ? Math.max(0, wanted - parcelled) : 0,
      gone: isHandedOver ? wanted : parcelled,
    };
  });
}

const unitsIn = (units: readonly ShippedLine[], line: string): number =>
  units.reduce((sum, each) => (each.line === line ? sum + each.quantity : sum), 0);
