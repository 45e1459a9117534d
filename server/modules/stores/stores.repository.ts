/** Queries the `stores` table. */
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { StoresTable } from '#db/store-tables.ts';

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
  const rows = await db.selectFrom('stores').select('id').where('id', 'in', ids).where('removed_at', 'is not', null).execute();
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
