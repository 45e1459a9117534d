import type { Reader, Trx } from '#db/database.ts';

export interface SessionRow {
  id_hash: string;
  customer_id: string | null;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
}

export function findSession(db: Reader, hash: string, now: number): Promise<SessionRow | undefined> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('id_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export function sessionsOf(db: Reader, customerId: string, now: number): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .execute();
}

export async function insertSession(trx: Trx, row: SessionRow): Promise<void> {
  await trx.insertInto('sessions').values(row).execute();
}

export async function touchSession(trx: Trx, hash: string, now: number, expiresAt: number): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ last_seen_at: now, expires_at: expiresAt })
    .where('id_hash', '=', hash)
    .execute();
}

export async function deleteSession(trx: Trx, hash: string): Promise<void> {
  await trx.deleteFrom('sessions').where('id_hash', '=', hash).execute();
}

export async function deleteSessionsOf(trx: Trx, customerId: string, kept = ''): Promise<void> {
  await trx
    .deleteFrom('sessions')
    .where('customer_id', '=', customerId)
    .where('id_hash', '!=', kept)
    .execute();
}

export async function deleteExpiredSessions(trx: Trx, now: number): Promise<number> {
  const result = await trx.deleteFrom('sessions').where('expires_at', '<=', now).executeTakeFirst();
  return Number(result.numDeletedRows);
}
