/** Queries `staff_trials`. */
import type { Selectable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { StaffTables } from '#db/staff-tables.ts';

export type TrialRow = Selectable<StaffTables['staff_trials']>;

export async function insertTrial(trx: Trx, row: TrialRow): Promise<void> {
  await trx.insertInto('staff_trials').values(row).execute();
}

export async function findTrial(db: Reader, tokenHash: string, now: number): Promise<TrialRow | null> {
  const found = db.selectFrom('staff_trials').selectAll().where('token_hash', '=', tokenHash);
  return (await found.where('expires_at', '>', now).executeTakeFirst()) ?? null;
}

/** Uses a trial up for a request. Null: another request has. */
export async function takeTrial(
  trx: Trx,
  tokenHash: string,
  request: string,
): Promise<'now' | 'before' | null> {
  const query = trx
    .updateTable('staff_trials')
    .set({ used_by: request })
    .where('token_hash', '=', tokenHash)
    .where('used_by', 'is', null);
  if ((await query.executeTakeFirst()).numUpdatedRows > 0n) return 'now';
  const row = await trx
    .selectFrom('staff_trials')
    .select('used_by')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row?.used_by === request ? 'before' : null;
}

export async function deleteOldTrials(trx: Trx, now: number): Promise<void> {
  await trx.deleteFrom('staff_trials').where('expires_at', '<=', now).execute();
}
