/** Changes of many products at once, with a row for each product that was done. */
import type { Insertable, Selectable } from 'kysely';
import { insertMany } from '#db/bulk-writes.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { GoodsChangeRowsTable, GoodsChangesTable } from '#db/tables.ts';

export type GoodsChangeRow = Selectable<GoodsChangesTable>;

export const addGoodsChange = (trx: Trx, row: Insertable<GoodsChangesTable>) =>
  trx.insertInto('goods_changes').values(row).execute();

export const goodsChangeById = (reader: Reader, id: string): Promise<GoodsChangeRow | undefined> =>
  reader.selectFrom('goods_changes').selectAll().where('id', '=', id).executeTakeFirst();

/** The oldest that is not finished. */
export const nextGoodsChange = (reader: Reader): Promise<GoodsChangeRow | undefined> =>
  reader
    .selectFrom('goods_changes')
    .selectAll()
    .where('state', 'in', ['running', 'takingBack'])
    .orderBy('started_at')
    .limit(1)
    .executeTakeFirst();

export const latestGoodsChanges = (reader: Reader, most: number): Promise<GoodsChangeRow[]> =>
  reader.selectFrom('goods_changes').selectAll().orderBy('started_at', 'desc').limit(most).execute();

export async function moveGoodsChange(trx: Trx, id: string, to: Partial<Pick<GoodsChangeRow, 'state' | 'below' | 'done'>>) {
  await trx.updateTable('goods_changes').set(to).where('id', '=', id).execute();
}

export async function putChangedGoods(trx: Trx, rows: readonly Insertable<GoodsChangeRowsTable>[]): Promise<void> {
  for (const row of rows)
    await trx
      .insertInto('goods_change_rows')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['change_id', 'product_no']).doUpdateSet({ fields: row.fields, problem: row.problem ?? null }),
      )
      .execute();
}

/** What rows are to become, before a change of them begins. */
export async function planGoods(db: Database, trx: Trx, id: string, rows: readonly { no: number; id: string; fields: string }[]) {
  const columns = ['change_id', 'product_no', 'product_id', 'fields'];
  const values = rows.map(({ no, id: product, fields }) => [id, no, product, fields]);
  await insertMany(db, trx, { into: 'goods_change_rows', columns, rows: values });
}

/** The next below a number, the newest product first. */
export const changedGoodsBelow = (reader: Reader, id: string, below: number | null, most: number) => {
  const query = reader
    .selectFrom('goods_change_rows')
    .selectAll()
    .where('change_id', '=', id)
    .orderBy('product_no', 'desc')
    .limit(most);
  return (below === null ? query : query.where('product_no', '<', below)).execute();
};

export const goodsProblems = (reader: Reader, id: string, most: number) =>
  reader
    .selectFrom('goods_change_rows')
    .select(['product_id', 'problem'])
    .where('change_id', '=', id)
    .where('problem', 'is not', null)
    .orderBy('product_no', 'desc')
    .limit(most)
    .execute();
