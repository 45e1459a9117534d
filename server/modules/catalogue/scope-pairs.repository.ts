/** Reads and writes how many products two scopes share, and which stores have a product. */
import { insertMany, type SqlValue } from '#db/bulk-writes.ts';
import type { Database, Trx } from '#db/database.ts';
import { select } from '#db/select.ts';

/** `rows` are scope, other scope and the change of their count. */
export async function addToScopePairs(db: Database, trx: Trx, rows: readonly SqlValue[][]): Promise<void> {
  const columns = ['scope_id', 'other_id', 'count'];
  const adding = 'on conflict (scope_id, other_id) do update set count = scope_pairs.count + excluded.count';
  await insertMany(db, trx, 'scope_pairs', columns, rows, adding);
}

/** How many products of the scope each filter has, by the filter's scope; those without any are left out. */
export async function countsWithin(db: Database, scopeId: number): Promise<Map<number, number>> {
  const rows = await select<{ other_id: number; count: number }>(
    db.catalogue,
    db.engine,
    'select other_id, count from scope_pairs where scope_id = ? and count > 0',
    [scopeId],
  );
  return new Map(rows.map((row) => [row.other_id, row.count]));
}

export async function countOfPair(db: Database, scopeId: number, otherId: number): Promise<number> {
  const rows = await select<{ count: number }>(
    db.catalogue,
    db.engine,
    'select count from scope_pairs where scope_id = ? and other_id = ?',
    [scopeId, otherId],
  );
  return rows[0]?.count ?? 0;
}

/** Replaces the stores that have a product; `products` are product numbers and store ids. */
export async function setProductStores(
  db: Database,
  trx: Trx,
  products: readonly (readonly [no: number, stores: readonly string[]])[],
): Promise<void> {
  if (products.length === 0) return;
  const nos = products.map(([no]) => no);
  await trx.deleteFrom('product_stores').where('product_no', 'in', nos).execute();
  const rows = products.flatMap(([no, stores]) => stores.map((store) => [no, store]));
  await insertMany(db, trx, 'product_stores', ['product_no', 'store_id'], rows);
}
