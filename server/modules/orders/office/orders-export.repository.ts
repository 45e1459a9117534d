/** Reads all placed orders, in pieces, for files of any length. */
import type { LocalText } from '#contract/locales.ts';
import type { OrderState } from '#contract/schemas/order.ts';
import type { Database, Reader } from '#db/database.ts';
import { counter, type Refund, refundsOf, wayOf } from '#server/modules/payments/index.ts';
import { type DeskLineRow, deskLines } from '../fulfilment/desk.repository.ts';
import { billParts, coversOf } from '../order/bill-parts.ts';
import { deliveryOf } from '../order/delivery.ts';
import type { OrderHead, OrderModifier } from '../order/order.ts';
import { sumsOf } from '../order/order-pages.repository.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import { toHeads } from '../order/orders.repository.ts';
import { lineUnits, type Shipment, shipmentsOf } from '../order/shipments.repository.ts';

/** Amounts in the smallest unit of the order's currency. */
export interface WholeOrder extends OrderHead {
  due: number;
  refunded: number;
  /** Of money that is not refunded, or was: all that came. */
  received: number;
  /** Of `refunded`: what corrected a payment, such as one that came twice. The bill stands. */
  corrected: number;
  /** By which the cash of its payments differed. */
  rounding: number;
  /** The ways by which it was paid, each once, the first first: cash, terminal or other for money that staff took, else a provider. */
  ways: string[];
  /** What online payments are called at their providers. */
  references: string[];
  /** When the last payment came, epoch ms; null if something is due. */
  paidAt: number | null;
  /** Null if it is not sent. */
  shippingName: LocalText | null;
  /** When it was shipped or handed over, epoch ms; null before. */
  fulfilledAt: number | null;
  /** When it was cancelled, or not picked up, epoch ms. */
  cancelledAt: number | null;
  lines: WholeLine[];
}

interface WholeLine {
  id: string;
  sku: string;
  quantity: number;
  name: LocalText;
  optionText: LocalText;
  modifiers: OrderModifier[];
  unitPrice: number;
  /** Its share of the discount. */
  discount: number;
  /** Null in bills from before it was stored. */
  isTaxed: boolean | null;
  /** Units that still will be sent or handed over, and that were; the others were refunded or cancelled. */
  left: number;
  gone: number;
}

const pieceSize = 200;

export type OrdersExport = ReturnType<typeof createOrdersExport>;

export function createOrdersExport({
  db,
  settings,
}: {
  db: Database;
  settings: () => Promise<OrderSettings>;
}) {
  return {
    /** The oldest first. */
    async *pieces(): AsyncGenerator<WholeOrder[]> {
      let after: { placedAt: number; id: string } = { placedAt: -1, id: '' };
      for (;;) {
        const rows = await placedAfter(db.read, after);
        const last = rows.at(-1);
        if (!last) return;
        yield await whole(db.read, toHeads(rows), await settings());
        after = { placedAt: last.placed_at ?? 0, id: last.id };
      }
    },
  };
}

function placedAfter(db: Reader, { placedAt, id }: { placedAt: number; id: string }) {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('placed_at', 'is not', null)
    .where((eb) => eb(eb.refTuple('placed_at', 'id'), '>', eb.tuple(placedAt, id)))
    .orderBy('placed_at')
    .orderBy('id')
    .limit(pieceSize)
    .execute();
}

async function whole(
  db: Reader,
  heads: readonly OrderHead[],
  settings: OrderSettings,
): Promise<WholeOrder[]> {
  const ids = heads.map(({ id }) => id);
  const [sums, lines, payments, states, shipments, refunds] = await Promise.all([
    sumsOf(db, ids),
    deskLines(db, ids),
    paymentsOf(db, ids),
    db
      .selectFrom('order_events')
      .select(['order_id', 'to_state', ({ fn }) => fn.max('at').as('at')])
      .where('order_id', 'in', ids)
      .where('to_state', 'in', ['shipped', 'completed', 'cancelled', 'lapsed'])
      .groupBy(['order_id', 'to_state'])
      .execute(),
    shipmentsOf(db, ...ids),
    refundsOf(db, ...ids),
  ]);
  const linesOf = Map.groupBy(lines, (line) => line.order_id);
  const moneyOf = Map.groupBy(payments, (payment) => payment.order_id);
  const isOf = (head: OrderHead) => (each: { orderId: string }) => each.orderId === head.id;
  return heads.map((head) => {
    const paid = moneyOf.get(head.id) ?? [];
    const due = sums.get(head.id)?.due ?? 0;
    const at = (state: OrderState) =>
      states.find((each) => each.order_id === head.id && each.to_state === state && head.state === state)
        ?.at ?? null;
    const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
    return {
      ...head,
      due,
      refunded: sum(paid.map(({ refunded_cents }) => refunded_cents)),
      received: sum(paid.map(({ amount_cents }) => amount_cents)),
      corrected: sum(
        refunds
          .filter(isOf(head))
          .map(({ corrects, state, amount }) => (corrects && state !== 'refused' ? amount : 0)),
      ),
      rounding: sum(paid.map(({ rounding_cents }) => rounding_cents)),
      ways: [...new Set(paid.map(wayOf))],
      references: paid.flatMap(({ provider, provider_id: id, provider_reference: reference }) =>
        provider === counter ? [] : (id ?? reference),
      ),
      paidAt: due === 0 ? (paid.at(-1)?.at ?? null) : null,
      shippingName: deliveryOf(head, settings)?.name ?? null,
      fulfilledAt: at('shipped') ?? at('completed'),
      cancelledAt: at('cancelled') ?? at('lapsed'),
      lines: wholeLines(head, linesOf.get(head.id) ?? [], {
        isRefunded: sums.get(head.id)?.isRefunded ?? false,
        shipments: shipments.filter(isOf(head)),
        refunds: refunds.filter(isOf(head)),
      }),
    };
  });
}

/** Oldest first; those of one moment by what they are, since their ids are random. */
function paymentsOf(db: Reader, ids: readonly string[]) {
  return db
    .selectFrom('payments')
    .select([
      'order_id',
      'provider',
      'kind',
      'provider_id',
      'provider_reference',
      'amount_cents',
      'refunded_cents',
      'rounding_cents',
    ])
    .select(({ fn }) => fn.coalesce('received_at', 'created_at').as('at'))
    .where('order_id', 'in', ids)
    .where('state', '=', 'succeeded')
    .orderBy('created_at')
    .orderBy('provider')
    .orderBy('kind')
    .orderBy('amount_cents')
    .orderBy('id')
    .execute();
}

function wholeLines(
  { state, bill }: OrderHead,
  rows: readonly DeskLineRow[],
  {
    isRefunded,
    shipments,
    refunds,
  }: { isRefunded: boolean; shipments: readonly Shipment[]; refunds: readonly Refund[] },
): WholeLine[] {
  const billed = rows.map(({ id, quantity, unit_price_cents: price }) => ({
    id,
    quantity,
    unitPrice: price ?? 0,
  }));
  const parts = bill ? billParts(bill, billed).lines : [];
  const units = lineUnits({
    state,
    isRefunded,
    lines: billed,
    shipments,
    refunds: refunds.flatMap(coversOf),
  });
  return rows.map(
    ({ id, sku, quantity, name, option_text, modifiers, unit_price_cents: unitPrice }, index) => {
      const taxes = bill?.lineTaxes?.[index]?.taxes;
      return {
        id,
        sku,
        quantity,
        unitPrice: unitPrice ?? 0,
        name: JSON.parse(name ?? '{}') as LocalText,
        optionText: JSON.parse(option_text ?? '{}') as LocalText,
        modifiers: JSON.parse(modifiers ?? '[]') as OrderModifier[],
        discount: (unitPrice ?? 0) * quantity - (parts[index]?.net ?? (unitPrice ?? 0) * quantity),
        isTaxed: taxes ? taxes.length > 0 : null,
        left: units[index]?.left ?? 0,
        gone: units[index]?.gone ?? 0,
      };
    },
  );
}
