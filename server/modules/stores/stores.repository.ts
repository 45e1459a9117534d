/** Queries stores, and the times of pickup that their orders take. */
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { MenuSlotsTable, StoresTable } from '#db/store-tables.ts';

export type StoreRow = Selectable<StoresTable>;

/** Two people who change stores at once wait for each other. */
export function lockStores(db: Database, trx: Trx): Promise<void> {
  return db.queries.lock(trx, 'stores');
}

export function allStores(db: Reader): Promise<StoreRow[]> {
  return db.selectFrom('stores').selectAll().where('removed_at', 'is', null).orderBy('position').execute();
}

/** Stores that were removed, which past orders still refer to. */
export function removedStores(db: Reader): Promise<StoreRow[]> {
  return db.selectFrom('stores').selectAll().where('removed_at', 'is not', null).orderBy('id').execute();
}

/** Marks a store as removed at `at`, epoch ms. */
export async function removeStore(trx: Trx, id: string, at: number): Promise<void> {
  await trx.updateTable('stores').set({ removed_at: at }).where('id', '=', id).execute();
}

/** Those of `ids` that are stores which were removed. */
export async function removedAmong(db: Reader, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('stores')
    .select('id')
    .where('id', 'in', ids)
    .where('removed_at', 'is not', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export type NewStoreRow = Insertable<StoresTable>;

export async function putStore(trx: Trx, row: NewStoreRow): Promise<void> {
  const { id, ...rest } = row;
  await trx
    .insertInto('stores')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(rest))
    .execute();
}

/** How busy it is; see the table. */
export async function updateToday(
  trx: Trx,
  id: string,
  today: Pick<Updateable<StoresTable>, 'busy_minutes' | 'busy_until' | 'paused_until'>,
): Promise<void> {
  await trx.updateTable('stores').set(today).where('id', '=', id).execute();
}

/** The number of orders to be picked up at each time from `from` to before `until` (epoch ms). */
export async function reservedBetween(
  db: Reader,
  storeId: string,
  from: number,
  until: number,
): Promise<Map<number, number>> {
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
export function menuUnitsBetween(
  db: Reader,
  storeId: string,
  from: number,
  until: number,
): Promise<MenuUnitsRow[]> {
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
