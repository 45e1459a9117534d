/** Shows that the database can be written. */
import type { Database } from './database.ts';

/** Changes a row that nothing else uses, durably. Throws what a transaction throws where that is not possible. */
export async function tryWrite(db: Database): Promise<void> {
  await db.transaction((trx) =>
    trx
      .insertInto('counters')
      .values({ name: 'readiness', value: 0 })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((eb) => ({ value: eb(eb.val(1), '-', eb.ref('counters.value')) })),
      )
      .execute(),
  );
}
