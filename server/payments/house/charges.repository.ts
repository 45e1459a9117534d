/** Rows of `house_charges`. */
import type { Reader, Trx } from '#db/database.ts';
import type { HouseError } from './test-cards.ts';

export interface HouseCharge {
  reference: string;
  /** Cents. */
  amount: number;
  currency: string;
  state: 'succeeded' | 'failed';
  error: HouseError | null;
  refunded: number;
}

/** Does nothing where the reference has an outcome already. */
export async function insertCharge(
  trx: Trx,
  { reference, amount, currency, state, error, refunded }: HouseCharge,
  at: number,
): Promise<void> {
  await trx
    .insertInto('house_charges')
    .values({ reference, amount_cents: amount, currency, state, error, refunded_cents: refunded, created_at: at })
    .onConflict((c) => c.column('reference').doNothing())
    .execute();
}

export async function findCharge(db: Reader, reference: string): Promise<HouseCharge | null> {
  const row = await db.selectFrom('house_charges').selectAll().where('reference', '=', reference).executeTakeFirst();
  if (!row) return null;
  return {
    reference,
    amount: row.amount_cents,
    currency: row.currency,
    // Written from these types only.
    state: row.state as HouseCharge['state'],
    error: row.error as HouseError | null,
    refunded: row.refunded_cents,
  };
}

/** Sees to it that `amount` cents of a charge have been given back. False where there is no such charge. */
export async function refundCharge(trx: Trx, reference: string, amount: number): Promise<boolean> {
  const result = await trx
    .updateTable('house_charges')
    .set({ refunded_cents: amount })
    .where('reference', '=', reference)
    .where('state', '=', 'succeeded')
    .where('amount_cents', '>=', amount)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
