/** Queries the `stock` and `holds` tables. */
import type { EngineName, Reader, Trx } from '#db/database.ts';
import { select } from '#db/select.ts';

export interface StockRow {
  sku: string;
  location_id: string;
  quantity: number;
}

export interface HoldRow extends StockRow {
  order_id: string;
  expires_at: number | null;
}

export function stockOf(db: Reader, engine: EngineName, skus: readonly string[]): Promise<StockRow[]> {
  const text = `select sku, location_id, quantity from stock where sku in (${skus.map(() => '?').join(', ')})`;
  return select<StockRow>(db, engine, text, skus);
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

/** Units of SKUs over all locations. */
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

/** Orders whose holds have expired by `now`. */
export async function ordersWithExpiredHolds(db: Reader, now: number): Promise<string[]> {
  const rows = await db.selectFrom('holds').select('order_id').distinct().where('expires_at', '<=', now).limit(500).execute();
  return rows.map((row) => row.order_id);
}
