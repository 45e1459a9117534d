import type { Reader, Trx } from '#db/database.ts';

/** Epoch ms; 0 if none is blocked. */
export async function blockedUntil(db: Reader, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const row = await db
    .selectFrom('rate_limits')
    .select((eb) => eb.fn.max('blocked_until').as('until'))
    .where('key', 'in', keys)
    .executeTakeFirst();
  return row?.until ?? 0;
}

/** From 1 if the last was before `forgottenBefore`. Null: the key is blocked. Locks the row until the transaction ends. */
export async function countAttempt(
  trx: Trx,
  { key, units, at, forgottenBefore }: { key: string; units: number; at: number; forgottenBefore: number },
): Promise<number | null> {
  const row = await trx
    .insertInto('rate_limits')
    .values({ key, count: units, blocked_until: 0, last_at: at })
    .onConflict((c) =>
      c
        .column('key')
        .doUpdateSet((eb) => ({
          count: eb
            .case()
            .when('rate_limits.last_at', '<', forgottenBefore)
            .then(units)
            .else(eb('rate_limits.count', '+', units))
            .end(),
          last_at: at,
        }))
        .where('rate_limits.blocked_until', '<=', at),
    )
    .returning('count')
    .executeTakeFirst();
  return row?.count ?? null;
}

export async function blockAttempts(trx: Trx, key: string, until: number): Promise<void> {
  await trx.updateTable('rate_limits').set({ blocked_until: until }).where('key', '=', key).execute();
}

export async function undoAttempt(trx: Trx, key: string, units: number): Promise<void> {
  await trx
    .updateTable('rate_limits')
    .set((eb) => ({ count: eb('count', '-', units), blocked_until: 0 }))
    .where('key', '=', key)
    .where('count', '>=', units)
    .execute();
}

export async function resetAttempts(trx: Trx, keys: readonly string[]): Promise<void> {
  await trx.deleteFrom('rate_limits').where('key', 'in', keys).execute();
}

export async function deleteOldAttempts(trx: Trx, before: number): Promise<void> {
  await trx.deleteFrom('rate_limits').where('last_at', '<', before).execute();
}
