/** Queries the `sold_out` table. */
import type { Selectable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { SoldOutTable } from '#db/store-tables.ts';

export type SoldOutRow = Selectable<SoldOutTable>;

export function soldOutRows(db: Reader): Promise<SoldOutRow[]> {
  return db.selectFrom('sold_out').selectAll().orderBy('store_id').orderBy('item').execute();
}

export async function putSoldOut(trx: Trx, row: SoldOutRow): Promise<void> {
  await trx
    .insertInto('sold_out')
    .values(row)
    .onConflict((conflict) => conflict.columns(['store_id', 'item']).doUpdateSet({ until: row.until }))
    .execute();
}

export async function moveSoldOut(trx: Trx, from: string, to: string): Promise<void> {
  await trx.updateTable('sold_out').set({ item: to }).where('item', '=', from).execute();
}

/** Returns whether it was there. */
export async function deleteSoldOut(trx: Trx, storeId: string, item: string): Promise<boolean> {
  const row = await trx
    .deleteFrom('sold_out')
    .where('store_id', '=', storeId)
    .where('item', '=', item)
    .returning('item')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes what is over by `now` (epoch ms), and returns it. */
export function deleteEndedSoldOut(trx: Trx, now: number): Promise<SoldOutRow[]> {
  return trx.deleteFrom('sold_out').where('until', '<=', now).returningAll().execute();
}
