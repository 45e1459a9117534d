import type { Database, Reader, Trx } from '#db/database.ts';
import type { ListedPayment } from '#server/modules/payments/providers/provider.ts';
import type { HouseError } from './test-cards.ts';

export interface HouseCharge {
  reference: string;
  /** Cents. */
  amount: number;
  currency: string;
  /** `waiting` for the customer's answer to the bank. */
  state: 'waiting' | 'succeeded' | 'failed';
  error: HouseError | null;
}

/** Returns false if the reference exists. */
export async function insertCharge(trx: Trx, charge: HouseCharge, at: number): Promise<boolean> {
  const result = await trx
    .insertInto('house_charges')
    .values({
      reference: charge.reference,
      amount_cents: charge.amount,
      currency: charge.currency,
      state: charge.state,
      error: charge.error,
      refunded_cents: 0,
      created_at: at,
    })
    .onConflict((c) => c.column('reference').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function findCharge(db: Reader, reference: string): Promise<HouseCharge | null> {
  const row = await db
    .selectFrom('house_charges')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst();
  if (!row) return null;
  return {
    reference,
    amount: row.amount_cents,
    currency: row.currency,
    // Written only from these types.
    state: row.state as HouseCharge['state'],
    error: row.error as HouseError | null,
  };
}

export async function takenCharges(db: Reader, since: number): Promise<ListedPayment[]> {
  const rows = await db
    .selectFrom('house_charges')
    .selectAll()
    .where('state', '=', 'succeeded')
    .where('created_at', '>=', since)
    .execute();
  return rows.map((row) => ({
    reference: row.reference,
    id: row.reference,
    orderNumber: '',
    amount: row.amount_cents,
    currency: row.currency,
    refunded: row.refunded_cents,
    at: row.created_at,
  }));
}

/** False if it is not waiting. */
export async function decideWaiting(trx: Trx, reference: string, error: HouseError | null): Promise<boolean> {
  const result = await trx
    .updateTable('house_charges')
    .set({ state: error === null ? 'succeeded' : 'failed', error })
    .where('reference', '=', reference)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The number of wrong answers; null if the charge is not waiting. */
export async function countTry(trx: Trx, reference: string): Promise<number | null> {
  const row = await trx
    .updateTable('house_charges')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('reference', '=', reference)
    .where('state', '=', 'waiting')
    .returning('tries')
    .executeTakeFirst();
  return row?.tries ?? null;
}

/** False if not enough of it is left, or there is no such charge. */
export async function takeBack(trx: Trx, reference: string, amount: number): Promise<boolean> {
  const result = await trx
    .updateTable('house_charges')
    .set((eb) => ({ refunded_cents: eb('refunded_cents', '+', amount) }))
    .where('reference', '=', reference)
    .where('state', '=', 'succeeded')
    .where((eb) => eb(eb('amount_cents', '-', eb.ref('refunded_cents')), '>=', amount))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** False if a refund with this key exists. */
export async function insertRefund(
  trx: Trx,
  { key, reference, amount, at }: { key: string; reference: string; amount: number; at: number },
): Promise<boolean> {
  const result = await trx
    .insertInto('house_refunds')
    .values({ key, reference, amount_cents: amount, created_at: at })
    .onConflict((c) => c.column('key').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Returns the secret of a name, or stores `fresh` if there is none yet. */
export async function keepSecret(db: Database, name: string, fresh: string): Promise<string> {
  const find = (reader: Reader) =>
    reader.selectFrom('house_secrets').select('value').where('name', '=', name).executeTakeFirst();
  const known = await find(db.read);
  if (known) return known.value;
  return db.transaction(async (trx) => {
    await trx
      .insertInto('house_secrets')
      .values({ name, value: fresh })
      .onConflict((c) => c.column('name').doNothing())
      .execute();
    return (await find(trx))?.value ?? fresh;
  });
}

export interface HouseMove {
  id: string;
  kind: 'payment' | 'refund';
  reference: string;
  /** Cents, above zero. */
  amount: number;
  currency: string;
  at: number;
}

/** Charges that were taken, and refunds, from one time to another (epoch ms), the oldest first. */
export async function movesBetween(db: Reader, from: number, to: number): Promise<HouseMove[]> {
  const charges = await db
    .selectFrom('house_charges')
    .select(['reference', 'amount_cents', 'currency', 'created_at'])
    .where('state', '=', 'succeeded')
    .where('amount_cents', '>', 0)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .execute();
  const refunds = await db
    .selectFrom('house_refunds')
    .innerJoin('house_charges', 'house_charges.reference', 'house_refunds.reference')
    .select([
      'key',
      'house_refunds.reference',
      'house_refunds.amount_cents',
      'currency',
      'house_refunds.created_at',
    ])
    .where('house_refunds.created_at', '>=', from)
    .where('house_refunds.created_at', '<', to)
    .execute();
  const move = (kind: HouseMove['kind'], id: string, row: (typeof charges)[number]): HouseMove => ({
    id,
    kind,
    reference: row.reference,
    amount: row.amount_cents,
    currency: row.currency,
    at: row.created_at,
  });
  return [
    ...charges.map((row) => move('payment', row.reference, row)),
    ...refunds.map((row) => move('refund', row.key, row)),
  ].sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
}
