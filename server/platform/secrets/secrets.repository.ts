/** Rows of `secrets`. */
import type { Database } from '#db/database.ts';

/** The secret of this name; `fresh` from now on where there was none. Of several processes that ask, one decides. */
export async function findOrInsertSecret(db: Database, name: string, fresh: string): Promise<string> {
  const known = await db.read.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst();
  if (known) return known.value;
  return db.transaction(async (trx) => {
    await trx
      .insertInto('secrets')
      .values({ name, value: fresh })
      .onConflict((c) => c.doNothing())
      .execute();
    return (await trx.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow()).value;
  });
}
