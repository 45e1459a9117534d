import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { StaffChallengesTable, StaffPasskeysTable } from '#db/staff-tables.ts';

export type PasskeyRow = Selectable<StaffPasskeysTable>;

export function allPasskeys(db: Reader, staffId: string): Promise<PasskeyRow[]> {
  return db.selectFrom('staff_passkeys').selectAll().where('staff_id', '=', staffId).orderBy('created_at').execute();
}

export async function findPasskey(db: Reader, by: 'credential_id', value: string): Promise<PasskeyRow | null> {
  return (await db.selectFrom('staff_passkeys').selectAll().where(by, '=', value).executeTakeFirst()) ?? null;
}

export async function insertPasskey(trx: Trx, row: Insertable<StaffPasskeysTable>): Promise<void> {
  await trx.insertInto('staff_passkeys').values(row).execute();
}

/** Returns whether it still had this counter: of two answers with one, the first counts. */
export async function updatePasskey(
  trx: Trx,
  id: string,
  change: Updateable<StaffPasskeysTable>,
  counter: number,
): Promise<boolean> {
  const query = trx.updateTable('staff_passkeys').set(change).where('id', '=', id).where('counter', '=', counter);
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

export async function deletePasskey(trx: Trx, staffId: string, id: string): Promise<boolean> {
  const query = trx.deleteFrom('staff_passkeys').where('staff_id', '=', staffId).where('id', '=', id);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}

export async function deletePasskeys(trx: Trx, staffId: string): Promise<void> {
  await trx.deleteFrom('staff_passkeys').where('staff_id', '=', staffId).execute();
}

export async function insertChallenge(trx: Trx, row: Insertable<StaffChallengesTable>): Promise<void> {
  await trx.insertInto('staff_challenges').values(row).execute();
}

/** Uses a challenge up. Returns whether it was one for this purpose. */
export async function takeChallenge(trx: Trx, hash: string, staffId: string | null, now: number): Promise<boolean> {
  const taken = await trx.deleteFrom('staff_challenges').where('hash', '=', hash).returningAll().executeTakeFirst();
  return taken !== undefined && taken.expires_at > now && taken.staff_id === staffId;
}
