/** Finds where the books of providers and those of the shop differ. Each query reads a range, and stops after some differences. */
import { sql } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import { importedReference } from '#server/modules/payments/index.ts';
import type { Span } from './lists.repository.ts';
import { isLatest, type SettlementRow, toRow } from './rows.repository.ts';

export interface FoundRow extends SettlementRow {
  orderNumber: string | null;
  /** What the shop has; null: nothing. */
  here: number | null;
}

const rowsOf = (db: Reader, { from, to, provider }: Span, most: number) =>
  db
    .selectFrom('settlement_rows as r')
    .leftJoin('orders', 'orders.id', 'r.order_id')
    .selectAll('r')
    .select('orders.order_number')
    .where('r.at', '>=', from)
    .where('r.at', '<', to)
    .$if(provider !== null, (query) => query.where('r.provider', '=', provider ?? ''))
    .where('r.state', '<>', 'denied')
    .where(isLatest)
    .orderBy('r.at', 'desc')
    .limit(most);

/** Rows of a kind that belong to nothing here. */
export async function unknownRows(
  db: Reader,
  span: Span,
  kind: 'payment' | 'refund' | 'dispute',
  most: number,
): Promise<FoundRow[]> {
  const missing = { payment: 'r.payment_id', refund: 'r.refund_id', dispute: 'r.dispute_id' } as const;
  const rows = await rowsOf(db, span, most)
    .where('r.kind', '=', kind)
    .where(missing[kind], 'is', null)
    // What went out by a payment to somebody else is not one that was taken.
    .$if(kind === 'payment', (query) => query.where('r.gross_cents', '>', 0))
    .execute();
  return rows.map((row) => ({ ...toRow(row), orderNumber: row.order_number, here: null }));
}

/** Payments and refunds of which the customer paid or got back another amount than the shop has. */
export async function otherAmounts(db: Reader, span: Span, most: number): Promise<FoundRow[]> {
  const payments = await rowsOf(db, span, most)
    .innerJoin('payments', 'payments.id', 'r.payment_id')
    .select('payments.amount_cents as here')
    .where('r.kind', '=', 'payment')
    .where('r.charged_cents', '>', 0)
    .where(
      sql<boolean>`(r.charged_cents <> payments.amount_cents or r.charged_currency <> payments.currency)`,
    )
    .execute();
  const refunds = await rowsOf(db, span, most)
    .innerJoin('refunds', 'refunds.id', 'r.refund_id')
    .select('refunds.amount_cents as here')
    .where('r.kind', '=', 'refund')
    .where(sql<boolean>`(r.charged_cents <> -refunds.amount_cents or r.charged_currency <> refunds.currency)`)
    .execute();
  return [
    ...payments.map((row) => ({ ...toRow(row), orderNumber: row.order_number, here: row.here })),
    ...refunds.map((row) => ({ ...toRow(row), orderNumber: row.order_number, here: -row.here })),
  ];
}

export interface MissingThere {
  provider: string;
  /** Of the payment or refund here. */
  id: string;
  payment: string;
  at: number;
  currency: string;
  here: number;
  orderNumber: string | null;
  dashboard: string;
}

/**
 * Payments that arrived in a range, and that a provider does not list. Those that were wholly refunded may never have been collected, and
 * those that were brought along with their order are listed elsewhere.
 */
export async function paymentsNotThere(
  db: Reader,
  provider: string,
  span: Span,
  most: number,
): Promise<MissingThere[]> {
  const rows = await db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select([
      'payments.id',
      'received_at',
      'payments.currency',
      'amount_cents',
      'order_number',
      'provider_id',
    ])
    .where('provider', '=', provider)
    .where('received_at', '>=', span.from)
    .where('received_at', '<', span.to)
    .where('undone_at', 'is', null)
    .where('provider_reference', 'not like', `${importedReference}%`)
    .where('amount_cents', '>', 0)
    .where(sql<boolean>`payments.refunded_cents < payments.amount_cents`)
    .where('payments.state', 'in', ['succeeded', 'refundDue', 'refunded'])
    .where(
      sql<boolean>`not exists (select 1 from settlement_rows r where r.payment_id = payments.id and r.kind = 'payment'
        and r.state <> 'denied')`,
    )
    .orderBy('received_at', 'desc')
    .limit(most)
    .execute();
  return rows.map((row) => ({
    provider,
    id: row.id,
    payment: row.id,
    at: row.received_at ?? 0,
    currency: row.currency,
    here: row.amount_cents,
    orderNumber: row.order_number,
    dashboard: row.provider_id ?? '',
  }));
}

/** Refunds that were made in a range of payments that a provider lists, and that it does not list. What disputes took is none. */
export async function refundsNotThere(
  db: Reader,
  provider: string,
  span: Span,
  most: number,
): Promise<MissingThere[]> {
  const rows = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .select([
      'refunds.id',
      'refunds.payment_id',
      'refunds.updated_at',
      'refunds.currency',
      'refunds.amount_cents',
    ])
    .select(['order_number', 'provider_id'])
    .where('provider', '=', provider)
    .where('refunds.state', '=', 'done')
    .where('refunds.updated_at', '>=', span.from)
    .where('refunds.updated_at', '<', span.to)
    .where(sql<boolean>`not exists (select 1 from disputes where disputes.id = refunds.id)`)
    .where(
      sql<boolean>`exists (select 1 from settlement_rows r where r.payment_id = payments.id and r.kind = 'payment')`,
    )
    .where(
      sql<boolean>`not exists (select 1 from settlement_rows r where r.refund_id = refunds.id and r.kind = 'refund')`,
    )
    .orderBy('refunds.updated_at', 'desc')
    .limit(most)
    .execute();
  return rows.map((row) => ({
    provider,
    id: row.id,
    payment: row.payment_id,
    at: row.updated_at,
    currency: row.currency,
    here: -row.amount_cents,
    orderNumber: row.order_number,
    dashboard: row.provider_id ?? '',
  }));
}

export async function acceptedAmong(db: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const accepted = new Set<string>();
  for (let first = 0; first < ids.length; first += 500) {
    const some = ids.slice(first, first + 500);
    const rows = await db
      .selectFrom('settlement_notes')
      .select('finding')
      .where('finding', 'in', some)
      .execute();
    for (const { finding } of rows) accepted.add(finding);
  }
  return accepted;
}

/** The first to accept it stays. Returns false if it was accepted before. */
export async function insertNote(
  trx: Trx,
  row: { finding: string; note: string; actor: string; at: number },
): Promise<boolean> {
  const result = await trx
    .insertInto('settlement_notes')
    .values(row)
    .onConflict((c) => c.column('finding').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
