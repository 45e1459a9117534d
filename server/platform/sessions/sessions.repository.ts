/** Queries the `sessions` table. */
import type { EngineName, Reader, Trx } from '#db/database.ts';
import { select } from '#db/select.ts';
import { statement } from '#db/statement.ts';

export interface SessionRow {
  id_hash: string;
  customer_id: string | null;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
}

/** Finds the session with this hash, unless it has expired by `now`. */
export async function findSession(db: Reader, engine: EngineName, hash: string, now: number): Promise<SessionRow | undefined> {
  const text = 'select * from sessions where id_hash = ? and expires_at > ?';
  const [row] = await select<SessionRow>(db, engine, text, [hash, now]);
  return row;
}

/** A customer's sessions that have not expired by `now`, latest first. */
export function sessionsOf(db: Reader, customerId: string, now: number): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .execute();
}

export async function insertSession(trx: Trx, engine: EngineName, row: SessionRow): Promise<void> {
  const text = `insert into sessions (id_hash, customer_id, created_at, last_seen_at, expires_at) values (?, ?, ?, ?, ?) returning 1`;
  await select(trx, engine, text, [row.id_hash, row.customer_id, row.created_at, row.last_seen_at, row.expires_at]);
}

const touching = statement((db, { hash, now, expiresAt }: { hash: string; now: number; expiresAt: number }) =>
  db.updateTable('sessions').set({ last_seen_at: now, expires_at: expiresAt }).where('id_hash', '=', hash),
);

export async function touchSession(trx: Trx, hash: string, now: number, expiresAt: number): Promise<void> {
  await touching.change(trx, { hash, now, expiresAt });
}

export async function deleteSession(trx: Trx, hash: string): Promise<void> {
  await trx.deleteFrom('sessions').where('id_hash', '=', hash).execute();
}

export async function deleteSessionsOf(trx: Trx, customerId: string, kept = ''): Promise<void> {
  await trx.deleteFrom('sessions').where('customer_id', '=', customerId).where('id_hash', '!=', kept).execute();
}

/** Deletes sessions that have expired by `now`; returns how many. */
export async function deleteExpiredSessions(trx: Trx, now: number): Promise<number> {
  const result = await trx.deleteFrom('sessions').where('expires_at', '<=', now).executeTakeFirst();
  return Number(result.numDeletedRows);
}
