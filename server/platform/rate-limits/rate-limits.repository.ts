/** Rows of `attempts`. */
import type { Reader, Trx } from '#db/database.ts';

/** Until when any of the keys is blocked; 0 where none is. */
export async function blockedUntil(db: Reader, keys: readonly string[]): Promise<number> {
  const row = await db
    .selectFrom('attempts')
    .select((eb) => eb.fn.max('blocked_until').as('until'))
    .where('key', 'in', keys)
    .executeTakeFirst();
  return row?.until ?? 0;
}

/**
 * Counts one more, from 1 again where the last was before `forgottenBefore`. Returns the count, null
 * with nothing changed where the key is blocked. The row stays locked until the transaction ends.
 */
export async function countAttempt(trx: Trx, key: string, at: number, forgottenBefore: number): Promise<number | null> {
  const row = await trx
    .insertInto('attempts')
    .values({ key, count: 1, blocked_until: 0, last_at: at })
    .onConflict((c) =>
      c
        .column('key')
        .doUpdateSet((eb) => ({
          count: eb
            .case()
            .when('attempts.last_at', '<', forgottenBefore)
            .then(1)
            .else(eb('attempts.count', '+', 1))
            .end(),
          last_at: at,
        }))
        .where('attempts.blocked_until', '<=', at),
    )
    .returning('count')
    .executeTakeFirst();
  return row?.count ?? null;
}

export async function blockAttempts(trx: Trx, key: string, until: number): Promise<void> {
  await trx.updateTable('attempts').set({ blocked_until: until }).where('key', '=', key).execute();
}

/** Takes one attempt back. What the key was blocked for by it is over. */
export async function undoAttempt(trx: Trx, key: string): Promise<void> {
  await trx
    .updateTable('attempts')
    .set((eb) => ({ count: eb('count', '-', 1), blocked_until: 0 }))
    .where('key', '=', key)
    .where('count', '>', 0)
    .execute();
}

export async function resetAttempts(trx: Trx, keys: readonly string[]): Promise<void> {
  await trx.deleteFrom('attempts').where('key', 'in', keys).execute();
}

/** Deletes what was last tried before `before`. */
export async function deleteOldAttempts(trx: Trx, before: number): Promise<void> {
  await trx.deleteFrom('attempts').where('last_at', '<', before).execute();
}
