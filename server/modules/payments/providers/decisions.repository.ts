/** Queries `payment_decisions`: at most one per provider and reference, never replaced. */
import type { Selectable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { PaymentDecisionsTable } from '#db/tables.ts';

export interface DecisionKey {
  provider: string;
  reference: string;
}

export async function findDecision(reader: Reader, { provider, reference }: DecisionKey) {
  const row = await reader
    .selectFrom('payment_decisions')
    .selectAll()
    .where('provider', '=', provider)
    .where('reference', '=', reference)
    .executeTakeFirst();
  return row ?? null;
}

/** Stores a decision unless there is one. Returns whether it was stored. */
export async function insertDecision(trx: Trx, row: Selectable<PaymentDecisionsTable>): Promise<boolean> {
  const result = await trx
    .insertInto('payment_decisions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['provider', 'reference']).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function deleteDecisions(
  trx: Trx,
  provider: string,
  references: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('payment_decisions')
    .where('provider', '=', provider)
    .where('reference', 'in', references)
    .execute();
}

/** Stores a decision's failure, as JSON, unless it has one. */
export async function setDecisionFailure(
  trx: Trx,
  { provider, reference }: DecisionKey,
  failure: string,
): Promise<void> {
  await trx
    .updateTable('payment_decisions')
    .set({ failure })
    .where('provider', '=', provider)
    .where('reference', '=', reference)
    .where('failure', 'is', null)
    .execute();
}
