/** Marks lists that must be rewritten, until they are. */
import type { Reader, Trx } from '#db/database.ts';

/** A row of `counters`; a migration may set it. */
const name = 'outdated lists';

export async function isOutdated(reader: Reader): Promise<boolean> {
  return (await reader.selectFrom('counters').select('name').where('name', '=', name).executeTakeFirst()) !== undefined;
}

export async function markOutdated(trx: Trx): Promise<void> {
  await trx
    .insertInto('counters')
    .values({ name, value: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function unmarkOutdated(trx: Trx): Promise<void> {
  await trx.deleteFrom('counters').where('name', '=', name).execute();
}
