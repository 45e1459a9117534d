/** Rows of `refunds`: money given back, or about to be. */
import type { Selectable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { RefundsTable } from '#db/payment-tables.ts';

/** `due`: the provider has been or is being asked. */
export type RefundState = 'due' | 'done' | 'refused';

export interface Refund {
  /** Also the key by which the provider gives it back but once. */
  id: string;
  paymentId: string;
  orderId: string;
  /** Cents, `tip` included. */
  amount: number;
  tip: number;
  currency: string;
  /** The merchant's words. */
  reason: string;
  state: RefundState;
  createdAt: number;
}

/** False where there is one of this id already. */
export async function insertRefund(trx: Trx, refund: Refund): Promise<boolean> {
  const result = await trx
    .insertInto('refunds')
    .values({
      id: refund.id,
      payment_id: refund.paymentId,
      order_id: refund.orderId,
      amount_cents: refund.amount,
      tip_cents: refund.tip,
      currency: refund.currency,
      reason: refund.reason,
      state: refund.state,
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

/** The refunds of an order that are not refused, the oldest first. */
export async function refundsOf(db: Reader, orderId: string): Promise<Refund[]> {
  const rows = await db
    .selectFrom('refunds')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('state', '<>', 'refused')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toRefund);
}

export async function refundsDue(db: Reader): Promise<Refund[]> {
  const rows = await db.selectFrom('refunds').selectAll().where('state', '=', 'due').orderBy('created_at').limit(500).execute();
  return rows.map(toRefund);
}

/**
 * Takes a due refund so that nobody else asks the provider for it until `until` (epoch ms): not every
 * provider can tell a second request from the first. False where it is not due, or somebody else has it.
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

/** Undoes the `claimRefund` of the same `until`: it may be asked for again. */
export async function releaseRefund(trx: Trx, id: string, until: number): Promise<void> {
  await trx.updateTable('refunds').set({ claimed_until: null }).where('id', '=', id).where('claimed_until', '=', until).execute();
}

/** Ends a refund that was due. False where somebody else has. */
export async function endRefund(trx: Trx, id: string, state: 'done' | 'refused', at: number): Promise<boolean> {
  const result = await trx
    .updateTable('refunds')
    .set({ state, updated_at: at })
    .where('id', '=', id)
    .where('state', '=', 'due')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

function toRefund(row: Selectable<RefundsTable>): Refund {
  return {
    id: row.id,
    paymentId: row.payment_id,
    orderId: row.order_id,
    amount: row.amount_cents,
    tip: row.tip_cents,
    currency: row.currency,
    reason: row.reason,
    // Written from `RefundState` only.
    state: row.state as RefundState,
    createdAt: row.created_at,
  };
}
