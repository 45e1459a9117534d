/** Rows of `payments`: one for each attempt to pay an order. */
import type { Reader, Trx } from '#db/database.ts';
import type { Payment, PaymentState } from './payment.ts';

const columns = ['id', 'order_id', 'provider', 'provider_reference', 'amount_cents', 'currency', 'state', 'created_at'] as const;

export async function insertPayment(trx: Trx, payment: Payment): Promise<void> {
  await trx
    .insertInto('payments')
    .values({
      id: payment.id,
      order_id: payment.orderId,
      provider: payment.provider,
      provider_reference: payment.reference,
      amount_cents: payment.amount,
      currency: payment.currency,
      state: payment.state,
      error_key: null,
      created_at: payment.createdAt,
      updated_at: payment.createdAt,
    })
    .execute();
}

export async function findPayment(db: Reader, provider: string, reference: string): Promise<Payment | null> {
  const row = await db
    .selectFrom('payments')
    .select(columns)
    .where('provider', '=', provider)
    .where('provider_reference', '=', reference)
    .executeTakeFirst();
  return row ? toPayment(row) : null;
}

/** The attempt of an order that is in a state, the latest first. */
export async function findPaymentOf(db: Reader, orderId: string, state: PaymentState): Promise<Payment | null> {
  const row = await db
    .selectFrom('payments')
    .select(columns)
    .where('order_id', '=', orderId)
    .where('state', '=', state)
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  return row ? toPayment(row) : null;
}

/** Attempts in any of these states, the oldest first. */
export async function paymentsIn(db: Reader, ...states: PaymentState[]): Promise<Payment[]> {
  const rows = await db
    .selectFrom('payments')
    .select(columns)
    .where('state', 'in', states)
    .orderBy('created_at')
    .limit(500)
    .execute();
  return rows.map(toPayment);
}

/** Moves a payment to another state. False where it was in none of `from`: somebody else was first. */
export async function movePayment(
  trx: Trx,
  id: string,
  from: readonly PaymentState[],
  to: PaymentState,
  at: number,
  errorKey: string | null = null,
): Promise<boolean> {
  const result = await trx
    .updateTable('payments')
    .set({ state: to, error_key: errorKey, updated_at: at })
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

function toPayment(row: {
  id: string;
  order_id: string;
  provider: string;
  provider_reference: string;
  amount_cents: number;
  currency: string;
  state: string;
  created_at: number;
}): Payment {
  return {
    id: row.id,
    orderId: row.order_id,
    provider: row.provider,
    reference: row.provider_reference,
    amount: row.amount_cents,
    currency: row.currency,
    // Written from `PaymentState` only.
    state: row.state as PaymentState,
    createdAt: row.created_at,
  };
}
