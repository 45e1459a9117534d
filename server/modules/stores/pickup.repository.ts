/** Queries the `pickup_slots` and `menu_slots` tables. */
import type { Selectable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { MenuSlotsTable } from '#db/store-tables.ts';

/** The number of orders to be picked up at each time from `from` to before `until` (epoch ms). */
export async function reservedBetween(db: Reader, storeId: string, from: number, until: number): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('pickup_slots')
    .select(['slot_at', 'taken'])
    .where('store_id', '=', storeId)
    .where('slot_at', '>=', from)
    .where('slot_at', '<', until)
    .execute();
  return new Map(rows.map((row) => [row.slot_at, row.taken]));
}

/** Takes a place in a slot. Returns false if all of `capacity` are taken. */
export async function reserveSlot(trx: Trx, storeId: string, at: number, capacity: number): Promise<boolean> {
  if (capacity < 1) return false;
  const row = await trx
    .insertInto('pickup_slots')
    .values({ store_id: storeId, slot_at: at, taken: 1 })
    .onConflict((c) =>
      c
        .columns(['store_id', 'slot_at'])
        .doUpdateSet((eb) => ({ taken: eb('pickup_slots.taken', '+', 1) }))
        .where('pickup_slots.taken', '<', capacity),
    )
    .returning('taken')
    .executeTakeFirst();
  return row !== undefined;
}

export async function releaseSlot(trx: Trx, storeId: string, at: number): Promise<void> {
  await trx
    .updateTable('pickup_slots')
    .set((eb) => ({ taken: eb('taken', '-', 1) }))
    .where('store_id', '=', storeId)
    .where('slot_at', '=', at)
    .where('taken', '>', 0)
    .execute();
}

export type MenuUnitsRow = Selectable<MenuSlotsTable>;

/** What orders take of menus at pickup times from `from` to before `until` (epoch ms). */
export function menuUnitsBetween(db: Reader, storeId: string, from: number, until: number): Promise<MenuUnitsRow[]> {
  return db
    .selectFrom('menu_slots')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('slot_at', '>=', from)
    .where('slot_at', '<', until)
    .execute();
}

export async function insertMenuUnits(trx: Trx, rows: readonly MenuUnitsRow[]): Promise<void> {
  await trx.insertInto('menu_slots').values(rows).execute();
}

export async function deleteMenuUnits(trx: Trx, orderId: string): Promise<void> {
  await trx.deleteFrom('menu_slots').where('order_id', '=', orderId).execute();
}
