/** Queries the `rate_limits` table. */
import type { Reader, Trx } from '#db/database.ts';
import { statement } from '#db/statement.ts';

const blockOf = statement((db, { key }: { key: string }) =>
  db.selectFrom('rate_limits').select('blocked_until as until').where('key', '=', key),
);

/** A prepared query has one text, so keys are asked four at a time, the first repeated where there are fewer. */
type FourKeys = Record<'a' | 'b' | 'c' | 'd', string>;

const blockOfFour = statement((db, { a, b, c, d }: FourKeys) =>
  db
    .selectFrom('rate_limits')
    .select((eb) => eb.fn.max('blocked_until').as('until'))
    .where('key', 'in', [a, b, c, d]),
);

/** The time until which any of the keys is blocked (epoch ms); 0 if none is. */
export async function blockedUntil(db: Reader, keys: readonly string[]): Promise<number> {
  const [a, b = a, c = a, d = a, ...more] = keys;
  if (a === undefined || b === undefined || c === undefined || d === undefined) return 0;
  const row = keys.length === 1 ? await blockOf.first(db, { key: a }) : await blockOfFour.first(db, { a, b, c, d });
  return Math.max(row?.until ?? 0, await blockedUntil(db, more));
}

const counting = statement((db, { key, at, forgottenBefore }: { key: string; at: number; forgottenBefore: number }) =>
  db
    .insertInto('rate_limits')
    .values({ key, count: 1, blocked_until: 0, last_at: at })
    .onConflict((c) =>
      c
        .column('key')
        .doUpdateSet((eb) => ({
          count: eb
            .case()
            .when('rate_limits.last_at', '<', forgottenBefore)
            .then(1)
            .else(eb('rate_limits.count', '+', 1))
            .end(),
          last_at: at,
        }))
        .where('rate_limits.blocked_until', '<=', at),
    )
    .returning('count'),
);

/**
 * Counts one attempt, starting from 1 if the last one was before `forgottenBefore`. Returns the count, or null without a change
 * if the key is blocked. The row stays locked until the transaction ends.
 */
export async function countAttempt(trx: Trx, key: string, at: number, forgottenBefore: number): Promise<number | null> {
  return (await counting.first(trx, { key, at, forgottenBefore }))?.count ?? null;
}

export async function blockAttempts(trx: Trx, key: string, until: number): Promise<void> {
  await trx.updateTable('rate_limits').set({ blocked_until: until }).where('key', '=', key).execute();
}

/** Removes one attempt from the count, and the block it caused. */
export async function undoAttempt(trx: Trx, key: string): Promise<void> {
  await trx
    .updateTable('rate_limits')
    .set((eb) => ({ count: eb('count', '-', 1), blocked_until: 0 }))
    .where('key', '=', key)
    .where('count', '>', 0)
    .execute();
}

export async function resetAttempts(trx: Trx, keys: readonly string[]): Promise<void> {
  await trx.deleteFrom('rate_limits').where('key', 'in', keys).execute();
}

/** Deletes keys whose last attempt was before `before` (epoch ms). */
export async function deleteOldAttempts(trx: Trx, before: number): Promise<void> {
  await trx.deleteFrom('rate_limits').where('last_at', '<', before).execute();
}
