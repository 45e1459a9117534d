import type { Database } from './database.ts';

/** Durably. Throws the error of the transaction if that fails. */
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
