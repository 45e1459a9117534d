/** Reads orders, payments and refunds by when they happened, in pages by an index, so that no statement holds the thread for long. */

import { type RawBuilder, sql } from 'kysely';
import type { OrderState } from '#contract/schemas/order.ts';
import type { Reader } from '#db/database.ts';
import { readableRows } from '#server/platform/unreadable-rows.ts';
import type { AgreedBill } from '../order/order.ts';

export interface Span {
  /** Epoch ms: `from` included, `to` not. */
  from: number;
  to: number;
  /** Only orders of these stores; null for all. */
  stores: ReadonlySet<string> | null;
}

interface Happened {
  id: string;
  at: number;
  store: string | null;
  currency: string;
}

export interface Sale extends Happened {
  state: OrderState;
  bill: AgreedBill;
}

/** A payment that arrived or was undone, or a refund. */
export interface MoneyMove extends Happened {
  provider: string;
  kind: string | null;
  amount: number;
  tip: number;
  /** Of cash that was taken: by which it differed from the amount. */
  rounding: number;
}

/** Rows of a page: some 10 ms of the thread. */
const pageSize = 500;

export async function* salesIn(reader: Reader, span: Span): AsyncGenerator<Sale> {
  const rows = pages<Happened & { state: OrderState; bill: string | null }>(reader, (after) => {
    const columns = sql`id, placed_at as at, store_id as store, currency, state, bill`;
    // Those of another shop, before this one, begin with a #.
    return sql`select ${columns} from orders where placed_at is not null and (order_number is null or order_number not like '#%') and ${within(span, sql`placed_at`, sql`id`, after)}`;
  });
  for await (const row of rows) {
    const { bill } = row;
    if (bill !== null)
      yield* readableRows(
        'orders',
        [row],
        ({ id }) => id,
        () => ({ ...row, bill: JSON.parse(bill) as AgreedBill }),
      );
  }
}

/** Payments by when they arrived, also those that were undone later. */
export const receivedIn = (reader: Reader, span: Span) => paymentsBy(reader, span, sql`payments.received_at`);

/** Payments by when they were undone. */
export const undoneIn = (reader: Reader, span: Span) => paymentsBy(reader, span, sql`payments.undone_at`);

function paymentsBy(reader: Reader, span: Span, time: RawBuilder<unknown>): AsyncGenerator<MoneyMove> {
  return pages(
    reader,
    (
      after,
    ) => sql`select payments.id, ${time} as at, store_id as store, payments.currency, provider, kind, payments.amount_cents as amount,
      payments.tip_cents as tip, payments.rounding_cents as rounding from payments join orders on orders.id = payments.order_id
      where ${time} is not null and ${within(span, time, sql`payments.id`, after)}`,
  );
}

/** Refunds count from when they were made, unless the provider refused them. */
export function refundedIn(reader: Reader, span: Span): AsyncGenerator<MoneyMove> {
  const time = sql`refunds.created_at`;
  return pages(
    reader,
    (after) => sql`select refunds.id, ${time} as at, store_id as store, refunds.currency, provider, kind,
      refunds.amount_cents as amount, refunds.tip_cents as tip, 0 as rounding
      from refunds join payments on payments.id = refunds.payment_id join orders on orders.id = refunds.order_id
      where refunds.state <> 'refused' and ${within(span, time, sql`refunds.id`, after)}`,
  );
}

type Cursor = Pick<Happened, 'at' | 'id'> | undefined;

/** All rows of a query that begins after a row, a page at a time. */
async function* pages<R extends Happened>(reader: Reader, after: (last: Cursor) => RawBuilder<unknown>): AsyncGenerator<R> {
  for (let last: Cursor; ; ) {
    const { rows } = await sql<R>`${after(last)} limit ${pageSize}`.execute(reader);
    yield* rows;
    last = rows.at(-1);
    if (rows.length < pageSize) return;
    // On SQLite nothing above has waited: requests of shoppers come first.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function within(
  { from, to, stores }: Span,
  time: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  last: Cursor,
): RawBuilder<unknown> {
  const ofStores = stores === null ? sql`` : sql`and store_id in (${sql.join([...stores, ''])})`;
  const begin = last ? sql`(${time}, ${id}) > (${last.at}, ${last.id})` : sql`${time} >= ${from}`;
  return sql`${begin} and ${time} < ${to} ${ofStores} order by ${time}, ${id}`;
}
