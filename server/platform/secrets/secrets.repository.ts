import type { Database, Reader, Trx } from '#db/database.ts';

/** Parallel processes all get the same one. */
export async function findOrInsertSecret(db: Database, name: string, fresh: string): Promise<string> {
  const known = await db.read
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  if (known) return known.value;
  return db.transaction(async (trx) => {
    await trx
      .insertInto('secrets')
      .values({ name, value: fresh })
      .onConflict((c) => c.doNothing())
      .execute();
    return (
      await trx.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow()
    ).value;
  });
}

export async function findSecret(db: Reader, name: string): Promise<string | null> {
  return (
    (await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst())?.value ??
    null
  );
}

/** Stores a secret in place of a former one of that name. */
export async function putSecret(trx: Trx, name: string, value: string): Promise<void> {
  await trx
    .insertInto('secrets')
    .values({ name, value })
    .onConflict((c) => c.column('name').doUpdateSet({ value }))
    .execute();
}
