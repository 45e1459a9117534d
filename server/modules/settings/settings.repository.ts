import type { Database, Reader, Trx } from '#db/database.ts';

export async function readSettings(db: Reader): Promise<Map<string, unknown>> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute();
  return new Map(rows.map(({ key, value }) => [key, JSON.parse(value)]));
}

export async function writeSetting(trx: Trx, key: string, value: unknown): Promise<void> {
  const json = JSON.stringify(value);
  await trx
    .insertInto('settings')
    .values({ key, value: json })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: json }))
    .execute();
}

/** Two people who change settings at once wait for each other. */
export function lockSettings(db: Database, trx: Trx): Promise<void> {
  return db.queries.lock(trx, 'settings');
}
