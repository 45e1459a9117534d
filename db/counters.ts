/** Numbers that only grow, and marks, which are there or not. */
import type { Database, Reader, Trx } from './database.ts';

/** 0 if nothing was counted yet. */
export async function counterValue(reader: Reader, name: string): Promise<number> {
  const row = await reader.selectFrom('counters').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? 0;
}

/** No other transaction gets the same value until this one ends. */
export async function advanceCounter(trx: Trx, name: string, by = 1): Promise<number> {
  await trx
    .insertInto('counters')
    .values({ name, value: by })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb('counters.value', '+', by) })),
    )
    .execute();
  return await counterValue(trx, name);
}

export async function setMark(trx: Trx, name: string): Promise<void> {
  await trx
    .insertInto('counters')
    .values({ name, value: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function clearMark(trx: Trx, name: string): Promise<void> {
  await trx.deleteFrom('counters').where('name', '=', name).execute();
}

export async function isMarked(reader: Reader, name: string): Promise<boolean> {
  return (await counterValue(reader, name)) > 0;
}

/** Durably. Throws the error of the transaction if that fails. */
export async function tryWrite(db: Database): Promise<void> {
  await db.transaction((trx) =>
    trx
      .insertInto('counters')
      .values({ name: 'readiness', value: 0 })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet((eb) => ({ value: eb(eb.val(1), '-', eb.ref('counters.value')) })),
      )
      .execute(),
  );
}
