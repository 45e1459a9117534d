/** Queries the `stock` and `holds` tables. */
import type { Reader, Trx } from '#db/database.ts';

export interface StockRow {
  sku: string;
  location_id: string;
  quantity: number;
}

export interface HoldRow extends StockRow {
  order_id: string;
  expires_at: number | null;
  low_check_at: number | null;
}

export function stockOf(db: Reader, skus: readonly string[]): Promise<StockRow[]> {
  return db.selectFrom('stock').select(['sku', 'location_id', 'quantity']).where('sku', 'in', skus).execute();
}

/** Takes units if enough are available. Returns the remaining units; null if there were not enough. */
export async function takeUnits(trx: Trx, sku: string, location: string, quantity: number): Promise<number | null> {
  const row = await trx
    .updateTable('stock')
    .set((eb) => ({ quantity: eb('quantity', '-', quantity) }))
    .where('sku', '=', sku)
    .where('location_id', '=', location)
    .where('quantity', '>=', quantity)
    .returning('quantity')
    .executeTakeFirst();
  return row?.quantity ?? null;
}

/** Returns units to stock. Returns the new stock level. */
export async function returnUnits(trx: Trx, sku: string, location: string, quantity: number): Promise<number> {
  const row = await trx
    .insertInto('stock')
    .values({ sku, location_id: location, quantity })
    .onConflict((c) => c.columns(['sku', 'location_id']).doUpdateSet((eb) => ({ quantity: eb('stock.quantity', '+', quantity) })))
    .returning('quantity')
    .executeTakeFirstOrThrow();
  return row.quantity;
}

export async function totalsOf(trx: Trx, skus: readonly string[]): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('stock')
    .select((eb) => ['sku', eb.fn.sum<number>('quantity').as('total')])
    .where('sku', 'in', skus)
    .groupBy('sku')
    .execute();
  return new Map(rows.map(({ sku, total }) => [sku, Number(total)]));
}

export async function skuExists(trx: Trx, sku: string): Promise<boolean> {
  return (await trx.selectFrom('skus').select('id').where('id', '=', sku).executeTakeFirst()) !== undefined;
}

export async function insertHold(trx: Trx, hold: HoldRow): Promise<void> {
  await trx.insertInto('holds').values(hold).execute();
}

/** Deletes an order's holds and returns them, by SKU. */
export async function deleteHolds(trx: Trx, orderId: string): Promise<HoldRow[]> {
  const rows = await trx.deleteFrom('holds').where('order_id', '=', orderId).returningAll().execute();
  return rows.toSorted((a, b) => (a.sku < b.sku ? -1 : 1));
}

/** When an order's holds expire; null if it has none, or they do not expire. */
export async function holdEnd(db: Reader, orderId: string): Promise<number | null> {
  const row = await db
    .selectFrom('holds')
    .select((eb) => eb.fn.min('expires_at').as('at'))
    .where('order_id', '=', orderId)
    .executeTakeFirst();
  return row?.at == null ? null : Number(row.at);
}

/** Makes an order's holds end by `at`, unless they end sooner. */
export async function setHoldEnd(trx: Trx, orderId: string, at: number): Promise<void> {
  await trx.updateTable('holds').set({ expires_at: at }).where('order_id', '=', orderId).execute();
}

export async function shortenHolds(trx: Trx, orderId: string, at: number): Promise<void> {
  await trx.updateTable('holds').set({ expires_at: at }).where('order_id', '=', orderId).where('expires_at', '>', at).execute();
}

export async function hasHolds(db: Reader, orderId: string): Promise<boolean> {
  const row = await db.selectFrom('holds').select('sku').where('order_id', '=', orderId).limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function ordersWithExpiredHolds(db: Reader, now: number): Promise<string[]> {
  // Without `distinct`, for which SQLite would read every hold in the order of their orders.
  const rows = await db
    .selectFrom('holds')
    .select('order_id')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(500)
    .execute();
  return [...new Set(rows.map((row) => row.order_id))];
}

/** Holds whose units count as gone by `now`, and are not counted yet. */
export function uncountedHolds(db: Reader, now: number): Promise<Pick<HoldRow, 'order_id' | 'sku' | 'location_id'>[]> {
  return db
    .selectFrom('holds')
    .select(['order_id', 'sku', 'location_id'])
    .where('low_check_at', '<=', now)
    .orderBy('low_check_at')
    .limit(500)
    .execute();
}

/** Counts the units of a hold as gone. Returns how many; null if it is over, or they are counted. */
export async function countHold(trx: Trx, hold: Pick<HoldRow, 'order_id' | 'sku' | 'location_id'>): Promise<number | null> {
  const row = await trx
    .updateTable('holds')
    .set({ low_check_at: null })
    .where('order_id', '=', hold.order_id)
    .where('sku', '=', hold.sku)
    .where('location_id', '=', hold.location_id)
    .where('low_check_at', 'is not', null)
    .returning('quantity')
    .executeTakeFirst();
  return row?.quantity ?? null;
}

/** Units at a location that are not gone: on sale, or held for a few minutes only. Locks them. */
export async function unitsLeft(trx: Trx, sku: string, location: string): Promise<number> {
  const stock = await trx
    .updateTable('stock')
    // No-op update to lock the row; a plain SELECT would not.
    .set((eb) => ({ quantity: eb.ref('quantity') }))
    .where('sku', '=', sku)
    .where('location_id', '=', location)
    .returning('quantity')
    .executeTakeFirst();
  const held = await trx
    .selectFrom('holds')
    .select((eb) => eb.fn.sum<number>('quantity').as('units'))
    .where('sku', '=', sku)
    .where('location_id', '=', location)
    .where('low_check_at', 'is not', null)
    .executeTakeFirst();
  return (stock?.quantity ?? 0) + Number(held?.units ?? 0);
}
