/** Queries the `stores` table. */
import type { Selectable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { StoresTable } from '#db/tables.ts';

export type StoreRow = Selectable<StoresTable>;

export function allStores(db: Reader): Promise<StoreRow[]> {
  return db.selectFrom('stores').selectAll().orderBy('position').execute();
}

export async function putStore(trx: Trx, row: StoreRow): Promise<void> {
  const { id, ...rest } = row;
  await trx
    .insertInto('stores')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(rest))
    .execute();
}
