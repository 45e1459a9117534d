/** Queries `disputes`, refunds that began at a provider, and the open questions about them. */
import type { Selectable } from 'kysely';
import { touchBooks } from '#db/before-commit.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { DisputesTable } from '#db/order-tables.ts';
import type { ProviderDispute } from '../providers/provider.ts';
import { counter } from './payment.ts';

export interface Dispute extends ProviderDispute {
  orderId: string;
  /** Whether staff said that the order is handed over all the same. */
  accepted: boolean;
  paymentId: string;
  currency: string;
}

export interface KnownRefund {
  id: string;
  state: string;
  /** Cents. */
  amount: number;
  providerRefundId: string | null;
}

/** Locks a payment's row: a no-op update, since a plain SELECT would not. */
export async function lockPayment(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('payments')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .execute();
}

export async function refundsOfPayment(trx: Trx, paymentId: string): Promise<KnownRefund[]> {
  const rows = await trx
    .selectFrom('refunds')
    .select(['id', 'state', 'amount_cents', 'provider_refund_id'])
    .where('payment_id', '=', paymentId)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    state: row.state,
    amount: row.amount_cents,
    providerRefundId: row.provider_refund_id,
  }));
}

export async function markProviderRefund(trx: Trx, id: string, providerRefundId: string): Promise<void> {
  await trx
    .updateTable('refunds')
    .set({ provider_refund_id: providerRefundId })
    .where('id', '=', id)
    .execute();
}

/** What is refunded of a payment at its provider, and what waits to be, cents; without what disputes took, and refunds at the counter. */
export async function refundsAtProvider(
  db: Reader,
  paymentId: string,
): Promise<{ sent: number; waiting: number }> {
  const rows = await db
    .selectFrom('refunds')
    .select(['state', 'amount_cents'])
    .where('payment_id', '=', paymentId)
    .where('state', 'in', ['due', 'done'])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('disputes').select('disputes.id').whereRef('disputes.id', '=', 'refunds.id'))),
    )
    .execute();
  const sum = (state: string) =>
    rows.reduce((total, row) => total + (row.state === state ? row.amount_cents : 0), 0);
  return { sent: sum('done'), waiting: sum('due') };
}

/** When the latest refund of a payment was sent, epoch ms; 0 for none. */
export async function latestRefundAt(trx: Trx, paymentId: string): Promise<number> {
  const row = await trx
    .selectFrom('refunds')
    .select((eb) => eb.fn.max<number | null>('updated_at').as('at'))
    .where('payment_id', '=', paymentId)
    .where('state', '=', 'done')
    .executeTakeFirst();
  return Number(row?.at ?? 0);
}

/** Ends the refunds of a payment that are still to be sent, or those that wait for its disputes. */
export async function dropRefunds(
  trx: Trx,
  paymentId: string,
  states: readonly ('due' | 'held')[],
  { note, at }: { note: string; at: number },
): Promise<void> {
  const rows = await trx
    .updateTable('refunds')
    .set({ state: 'refused', provider_note: note, updated_at: at })
    .where('payment_id', '=', paymentId)
    .where('state', 'in', states)
    .returning('order_id')
    .execute();
  touchBooks(trx, ...rows.map(({ order_id }) => order_id));
}

/** Sets the refunded amount of a payment, in cents, to the sum of its refunds that are not refused, at most the amount paid. */
export async function recountRefunds(
  trx: Trx,
  payment: { id: string; amount: number; tip: number },
): Promise<number> {
  const { amount = 0, tip = 0 } =
    (await trx
      .selectFrom('refunds')
      .select((eb) => [
        eb.fn.sum<number | null>('amount_cents').as('amount'),
        eb.fn.sum<number | null>('tip_cents').as('tip'),
      ])
      .where('payment_id', '=', payment.id)
      .where('state', '<>', 'refused')
      .executeTakeFirst()) ?? {};
  const refunded = Math.min(payment.amount, Number(amount ?? 0));
  const least = Math.max(0, refunded - (payment.amount - payment.tip));
  const refundedTip = Math.max(least, Math.min(payment.tip, refunded, Number(tip ?? 0)));
  await trx
    .updateTable('payments')
    .set({ refunded_cents: refunded, refunded_tip_cents: refundedTip })
    .where('id', '=', payment.id)
    .execute();
  return refunded;
}

/** Inserts or updates a dispute. Returns its previous state, or null if it is new. */
export async function putDispute(
  trx: Trx,
  id: string,
  { amount, state, reason, at, respondBy, refundable, ...dispute }: Omit<Dispute, 'accepted'>,
  now: number,
): Promise<string | null> {
  const before = await trx.selectFrom('disputes').select('state').where('id', '=', id).executeTakeFirst();
  const values = {
    amount_cents: amount,
    state,
    reason,
    respond_by: respondBy,
    refundable: refundable ? 1 : 0,
    updated_at: now,
  };
  await trx
    .insertInto('disputes')
    .values({
      id,
      payment_id: dispute.paymentId,
      order_id: dispute.orderId,
      provider_dispute_id: dispute.id,
      currency: dispute.currency,
      opened_at: at,
      ...values,
    })
    .onConflict((c) => c.column('id').doUpdateSet(values))
    .execute();
  return before?.state ?? null;
}

export async function disputesOf(db: Reader, orderId: string): Promise<Dispute[]> {
  const rows = await db
    .selectFrom('disputes')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('opened_at')
    .execute();
  return rows.map(toDispute);
}

/** Disputes that were lost under a version that wrote no refund of what the bank took, with the time at which the loss was last read. */
export async function lossesWithoutRefund(db: Reader): Promise<{ dispute: Dispute; lostAt: number }[]> {
  const rows = await db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.payment_id')
    .selectAll('disputes')
    .where('disputes.state', '=', 'lost')
    .whereRef('payments.refunded_cents', '<', 'payments.amount_cents')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('refunds').select('refunds.id').whereRef('refunds.id', '=', 'disputes.id'))),
    )
    .orderBy('disputes.updated_at')
    .orderBy('disputes.id')
    .execute();
  return rows.map((row) => ({ dispute: toDispute(row), lostAt: row.updated_at }));
}

/** Open disputes with their orders' numbers, earliest deadline first. */
export async function openDisputes(db: Reader): Promise<(Dispute & { orderNumber: string })[]> {
  const rows = await db
    .selectFrom('disputes')
    .innerJoin('orders', 'orders.id', 'disputes.order_id')
    .selectAll('disputes')
    .select('order_number')
    .where('disputes.state', '=', 'open')
    .orderBy('respond_by')
    .orderBy('opened_at')
    .limit(500)
    .execute();
  return rows.map((row) => ({ ...toDispute(row), orderNumber: row.order_number ?? '' }));
}

/** The amount of a payment that an open dispute holds, cents. What a lost one has taken is a refund of its own. */
export async function disputedCents(db: Reader, paymentId: string): Promise<number> {
  const row = await db
    .selectFrom('disputes')
    .select((eb) => eb.fn.sum<number | null>('amount_cents').as('cents'))
    .where('payment_id', '=', paymentId)
    .where('state', '<>', 'won')
    .where('refundable', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('refunds')
            .select('refunds.id')
            .whereRef('refunds.id', '=', 'disputes.id')
            .where('refunds.state', '=', 'done'),
        ),
      ),
    )
    .executeTakeFirst();
  return Number(row?.cents ?? 0);
}

/** Whether an order has a dispute that is not won, and of which staff have not said that it is handed over all the same. */
export async function hasUnansweredDispute(db: Reader, orderId: string): Promise<boolean> {
  const row = await db
    .selectFrom('disputes')
    .select('id')
    .where('order_id', '=', orderId)
    .where('state', '<>', 'won')
    .where('accepted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Staff say that an order is handed over although it is disputed. Returns false if there was nothing to say. */
export async function acceptDisputes(trx: Trx, orderId: string, at: number): Promise<boolean> {
  const result = await trx
    .updateTable('disputes')
    .set({ accepted_at: at })
    .where('order_id', '=', orderId)
    .where('accepted_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Sends the refunds of a payment that waited for its disputes. */
export async function releaseHeldRefunds(trx: Trx, paymentId: string): Promise<void> {
  await trx
    .updateTable('refunds')
    .set({ state: 'due' })
    .where('payment_id', '=', paymentId)
    .where('state', '=', 'held')
    .execute();
}

/**
 * Ids of payments begun or refunded since `since` whose next check is due at `now`: those that succeeded, and failed ones that have
 * to be asked about once more. At most `limit` of each.
 */
export async function paymentsToCheck(
  db: Reader,
  since: number,
  now: number,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('payments')
    .select('id')
    .where('amount_cents', '>', 0)
    .where('provider', '<>', counter)
    .where('created_at', '>=', since)
    .where((eb) =>
      eb.or([
        eb('next_check_at', '<=', now).and('state', 'in', ['succeeded', 'failed']),
        eb('next_check_at', 'is', null).and('state', '=', 'succeeded'),
      ]),
    )
    .orderBy('next_check_at')
    .limit(limit)
    .execute();
  const refunded = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .select('payments.id')
    .distinct()
    .where('refunds.state', '=', 'done')
    .where('refunds.updated_at', '>=', since)
    .where('payments.provider', '<>', counter)
    .where('payments.next_check_at', '<=', now)
    .where('payments.state', 'in', ['succeeded', 'refunded'])
    .limit(limit)
    .execute();
  return [...new Set([...rows, ...refunded].map(({ id }) => id))];
}

/** `at`: epoch ms; null: a failed payment is not checked again. */
export async function planCheck(trx: Trx, paymentId: string, at: number | null): Promise<void> {
  await trx.updateTable('payments').set({ next_check_at: at }).where('id', '=', paymentId).execute();
}

function toDispute(row: Selectable<DisputesTable>): Dispute {
  return {
    id: row.provider_dispute_id,
    paymentId: row.payment_id,
    orderId: row.order_id,
    amount: row.amount_cents,
    currency: row.currency,
    reason: row.reason,
    // Written only from `ProviderDispute`.
    state: row.state as ProviderDispute['state'],
    at: row.opened_at,
    respondBy: row.respond_by,
    refundable: row.refundable === 1,
    accepted: row.accepted_at !== null,
  };
}
