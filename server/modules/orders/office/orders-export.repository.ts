/** Reads all placed orders, in pieces, for files of any length. */
import { sql } from 'kysely';
import type { LocalText } from '#contract/locales.ts';
import type { Database, Reader } from '#db/database.ts';
import type { OrderHead } from '../order/order.ts';
import { sumsOf } from '../order/order-pages.repository.ts';
import { toHead } from '../order/orders.repository.ts';

/** Amounts in cents. */
export interface WholeOrder extends OrderHead {
  due: number;
  refunded: number;
  /** The provider of the first payment; null before there is one. */
  paidBy: string | null;
  /** Epoch ms; null before. */
  paidAt: number | null;
  lines: { sku: string; quantity: number; name: LocalText; optionText: LocalText; unitPrice: number; taxClass: string }[];
}

const pieceSize = 200;

export type OrdersExport = ReturnType<typeof createOrdersExport>;

export function createOrdersExport({ db }: { db: Database }) {
  return {
    /** The oldest first. */
    async *pieces(): AsyncGenerator<WholeOrder[]> {
      let after: { placedAt: number; id: string } = { placedAt: -1, id: '' };
      for (;;) {
        const heads = await placedAfter(db.read, after);
        const last = heads.at(-1);
        if (!last) return;
        yield await whole(db.read, heads);
        after = { placedAt: last.placedAt ?? 0, id: last.id };
      }
    },
  };
}

async function placedAfter(db: Reader, { placedAt, id }: { placedAt: number; id: string }): Promise<OrderHead[]> {
  const rows = await db
    .selectFrom('orders')
    .selectAll()
    .where('placed_at', 'is not', null)
    .where((eb) => eb(eb.refTuple('placed_at', 'id'), '>', eb.tuple(placedAt, id)))
    .orderBy('placed_at')
    .orderBy('id')
    .limit(pieceSize)
    .execute();
  return rows.map(toHead);
}

async function whole(db: Reader, heads: readonly OrderHead[]): Promise<WholeOrder[]> {
  const ids = heads.map(({ id }) => id);
  const sums = await sumsOf(db, ids);
  const lines = await db
    .selectFrom('order_lines')
    .select(['order_id', 'sku', 'quantity', 'name', 'option_text', 'unit_price_cents', 'tax_class'])
    .where('order_id', 'in', ids)
    .orderBy('position')
    .orderBy('sku')
    .execute();
  const payments = await db
    .selectFrom('payments')
    .select(['order_id', sql<number>`sum(refunded_cents)`.as('refunded')])
    .select(({ fn }) => [fn.min('provider').as('provider'), fn.min('created_at').as('at')])
    .where('order_id', 'in', ids)
    .where('state', '=', 'succeeded')
    .groupBy('order_id')
    .execute();
  const linesOf = Map.groupBy(lines, (line) => line.order_id);
  const paidOf = new Map(payments.map((row) => [row.order_id, row]));
  return heads.map((head) => {
    const paid = paidOf.get(head.id);
    return {
      ...head,
      due: sums.get(head.id)?.due ?? 0,
      refunded: Number(paid?.refunded ?? 0),
      paidBy: paid?.provider ?? null,
      paidAt: paid ? Number(paid.at) : null,
      lines: (linesOf.get(head.id) ?? []).map((line) => ({
        sku: line.sku,
        quantity: line.quantity,
        name: JSON.parse(line.name ?? '{}') as LocalText,
        optionText: JSON.parse(line.option_text ?? '{}') as LocalText,
        unitPrice: line.unit_price_cents ?? 0,
        taxClass: line.tax_class ?? 'standard',
      })),
    };
  });
}
