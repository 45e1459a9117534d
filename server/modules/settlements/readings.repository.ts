/** Queries `settlement_readings`: how far each provider was read. */
import type { Reader, Trx } from '#db/database.ts';

export interface Reading {
  provider: string;
  /** Everything before is kept, epoch ms; null: nothing was read yet. */
  readUntil: number | null;
  readAt: number | null;
  triedAt: number | null;
  problem: string | null;
  claimedUntil: number | null;
}

export async function readingsOf(db: Reader): Promise<Map<string, Reading>> {
  const rows = await db.selectFrom('settlement_readings').selectAll().execute();
  return new Map(
    rows.map((row) => [
      row.provider,
      {
        provider: row.provider,
        readUntil: row.read_until,
        readAt: row.read_at,
        triedAt: row.tried_at,
        problem: row.problem,
        claimedUntil: row.claimed_until,
      },
    ]),
  );
}

/** Returns false if another process reads. */
export async function claimReading(trx: Trx, provider: string, at: number, until: number): Promise<boolean> {
  await trx
    .insertInto('settlement_readings')
    .values({ provider, read_until: null, read_at: null, tried_at: null, problem: null, claimed_until: null })
    .onConflict((c) => c.column('provider').doNothing())
    .execute();
  const result = await trx
    .updateTable('settlement_readings')
    .set({ claimed_until: until, tried_at: at })
    .where('provider', '=', provider)
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', at)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** So far all is kept; the reading goes on until `claimedUntil`. */
export async function moveReading(
  trx: Trx,
  provider: string,
  readUntil: number,
  claimedUntil: number,
): Promise<void> {
  await trx
    .updateTable('settlement_readings')
    .set({ read_until: readUntil, claimed_until: claimedUntil })
    .where('provider', '=', provider)
    .execute();
}

/** With the problem that ended it, or none. */
export async function endReading(
  trx: Trx,
  provider: string,
  at: number,
  problem: string | null,
): Promise<void> {
  await trx
    .updateTable('settlement_readings')
    .set({ claimed_until: null, problem, ...(problem === null ? { read_at: at } : {}) })
    .where('provider', '=', provider)
    .execute();
}
