/** Queries `refunds`: money that was or will be refunded. */
import { type Selectable, sql } from 'kysely';
import { touchBooks } from '#db/before-commit.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { RefundsTable } from '#db/order-tables.ts';

/** `due`: the provider has been or is being asked. `held`: it waits until a dispute of the same money is decided. */
export type RefundState = 'due' | 'held' | 'done' | 'refused';

/** Of the refund of a payment that arrived too late. */
export const lateRefundId = (payment: { id: string }) => `late-${payment.id}`;

export interface Refund {
  /** Also the idempotency key at the provider. */
  id: string;
  paymentId: string;
  orderId: string;
  /** Cents, `tip` included. */
  amount: number;
  tip: number;
  currency: string;
  /** Whether it corrects what was paid, so that the bill stands; otherwise the buyer owes that much less. */
  corrects: boolean;
  /** For the merchant's records. */
  reason: string;
  /** What the merchant writes to the buyer in the email; '' for nothing. */
  customerNote: string;
  /** What of the bill it refunds, as whoever wrote it keeps it; null for an amount. Of several parts of one refund, the first has it. */
  covers?: unknown;
  state: RefundState;
  /** Why the provider refused it, or what it waits for; null if the provider gave no reason. */
  providerNote: string | null;
  /** It was refused, and a person has to resolve it. */
  needsAttention: boolean;
  createdAt: number;
}

export async function insertRefund(trx: Trx, refund: Refund): Promise<boolean> {
  touchBooks(trx, refund.orderId);
  const result = await trx
    .insertInto('refunds')
    .values({
      id: refund.id,
      payment_id: refund.paymentId,
      order_id: refund.orderId,
      amount_cents: refund.amount,
      tip_cents: refund.tip,
      currency: refund.currency,
      corrects: refund.corrects ? 1 : 0,
      reason: refund.reason,
      customer_note: refund.customerNote,
      covers: refund.covers ? JSON.stringify(refund.covers) : null,
      state: refund.state,
      provider_note: refund.providerNote,
      attention: refund.needsAttention ? 1 : 0,
      created_at: refund.createdAt,
      updated_at: refund.createdAt,
    })
    .onConflict((c) => c.column('id').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function findRefund(db: Reader, id: string): Promise<Refund | null> {
  const row = await db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toRefund(row) : null;
}

/** The refunds of orders that are not refused, oldest first. */
export async function refundsOf(db: Reader, ...orderIds: string[]): Promise<Refund[]> {
  if (orderIds.length === 0) return [];
  const rows = await db
    .selectFrom('refunds')
    .selectAll()
    .where('order_id', 'in', orderIds)
    .where('state', '<>', 'refused')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toRefund);
}

export async function refundsDue(db: Reader): Promise<Refund[]> {
  const rows = await db
    .selectFrom('refunds')
    .selectAll()
    .where('state', '=', 'due')
    .orderBy('created_at')
    .limit(500)
    .execute();
  return rows.map(toRefund);
}

/**
 * Claims a due refund so that no other process asks the provider for it until `until` (epoch ms): not every provider can detect a
 * repeated request. Returns false if it is not due, or is claimed already.
 */
export async function claimRefund(trx: Trx, id: string, at: number, until: number): Promise<boolean> {
  const result = await trx
    .updateTable('refunds')
    .set({ claimed_until: until })
    .where('id', '=', id)
    .where('state', '=', 'due')
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', at)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Undoes the `claimRefund` with the same `until`, so that it can be claimed again. */
export async function releaseRefund(trx: Trx, id: string, until: number): Promise<void> {
  await trx
    .updateTable('refunds')
    .set({ claimed_until: null })
    .where('id', '=', id)
    .where('claimed_until', '=', until)
    .execute();
}

/** The end of a refund: `note` is the provider's reason, `attention` hands it to a person. */
export interface RefundEnd {
  state: 'done' | 'refused';
  note: string | null;
  attention: boolean;
}

/** Ends a refund that is in one of `from`. Returns false if it is not: another request was first. */
export async function endRefund(
  trx: Trx,
  id: string,
  from: readonly RefundState[],
  { state, note, attention }: RefundEnd,
  at: number,
): Promise<boolean> {
  const row = await trx
    .updateTable('refunds')
    .set({ state, provider_note: note, attention: attention ? 1 : 0, updated_at: at })
    .where('id', '=', id)
    .where('state', 'in', from)
    .returning('order_id')
    .executeTakeFirst();
  if (row) touchBooks(trx, row.order_id);
  return row !== undefined;
}

export async function noteRefund(trx: Trx, id: string, note: string): Promise<void> {
  await trx
    .updateTable('refunds')
    .set({ provider_note: note })
    .where('id', '=', id)
    .where('state', '=', 'due')
    .execute();
}

/** Marks a refused refund as resolved. Returns false if it was not waiting for a person. */
export async function clearAttention(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .updateTable('refunds')
    .set({ attention: 0 })
    .where('id', '=', id)
    .where('attention', '=', 1)
    .returning('order_id')
    .executeTakeFirst();
  // Money of a cancelled order that nobody gives back any more is kept.
  if (row) touchBooks(trx, row.order_id);
  return row !== undefined;
}

/**
 * Refused refunds that wait for a person, oldest first. Those whose money has been returned by another refund since are left out.
 */
export async function refundsNeedingAttention(db: Reader): Promise<Refund[]> {
  const rows = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .selectAll('refunds')
    // As the index of those has it.
    .where('refunds.attention', '=', sql.lit(1))
    .where((eb) =>
      eb(
        eb('payments.amount_cents', '-', eb.ref('payments.refunded_cents')),
        '>=',
        eb.ref('refunds.amount_cents'),
      ),
    )
    .orderBy('refunds.created_at')
    .limit(500)
    .execute();
  return rows.map(toRefund);
}

export async function latestRefundOf(db: Reader, paymentId: string): Promise<Refund | null> {
  const row = await db
    .selectFrom('refunds')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? toRefund(row) : null;
}

function toRefund(row: Selectable<RefundsTable>): Refund {
  return {
    id: row.id,
    paymentId: row.payment_id,
    orderId: row.order_id,
    amount: row.amount_cents,
    tip: row.tip_cents,
    currency: row.currency,
    corrects: row.corrects === 1,
    reason: row.reason,
    customerNote: row.customer_note,
    covers: row.covers === null ? null : JSON.parse(row.covers),
    // Written only from `RefundState`.
    state: row.state as RefundState,
    providerNote: row.provider_note,
    needsAttention: row.attention === 1,
    createdAt: row.created_at,
  };
}
