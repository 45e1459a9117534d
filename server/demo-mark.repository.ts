/** Marks in `counters` that the demo shop is being loaded, so that the next start completes an interrupted load. */
import type { Reader, Trx } from '#db/database.ts';

const demoMark = 'demoUnfinished';

export async function markDemo(trx: Trx): Promise<void> {
  await trx
    .insertInto('counters')
    .values({ name: demoMark, value: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function unmarkDemo(trx: Trx): Promise<void> {
  await trx.deleteFrom('counters').where('name', '=', demoMark).execute();
}

export async function isDemoUnfinished(reader: Reader): Promise<boolean> {
  return (await reader.selectFrom('counters').select('name').where('name', '=', demoMark).executeTakeFirst()) !== undefined;
}
