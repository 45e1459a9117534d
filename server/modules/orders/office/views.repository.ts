/** Queries `order_views`: saved filters of the list of orders, own and shared. */
import type { Insertable, Selectable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { OrderViewsTable } from '#db/order-tables.ts';

export type ViewRow = Selectable<OrderViewsTable>;

/** Those of `staffId` and the shared ones, own ones first. */
export function viewsFor(db: Reader, staffId: string): Promise<ViewRow[]> {
  return db
    .selectFrom('order_views')
    .selectAll()
    .where((eb) => eb.or([eb('staff_id', '=', staffId), eb('staff_id', 'is', null)]))
    .orderBy(({ eb }) => eb.case().when('staff_id', 'is', null).then(1).else(0).end())
    .orderBy('name')
    .orderBy('id')
    .execute();
}

export async function putView(trx: Trx, row: Insertable<OrderViewsTable>): Promise<void> {
  const { name, filters, staff_id } = row;
  const insert = trx.insertInto('order_views').values(row);
  await insert.onConflict((oc) => oc.column('id').doUpdateSet({ name, filters, staff_id })).execute();
}

export async function deleteView(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('order_views').where('id', '=', id).execute();
}
