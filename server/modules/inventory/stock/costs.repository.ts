/** Reads and writes what stock costs (`costs.ts`): the sums of each SKU, and the share of each movement in them. */
import { type Selectable, sql } from 'kysely';
import { insertMany } from '#db/bulk-writes.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { Tables } from '#db/tables.ts';
import { type Pool, soldKinds } from './costs.ts';

type PoolRow = Selectable<Tables['stock_costs']>;

/** No other transaction moves units of these SKUs until this one ends. */
export async function lockPools(trx: Trx, skus: readonly string[]): Promise<Map<string, Pool>> {
  const none = skus.toSorted().map((sku) => sql`(${sku}, 0, 0, 0)`);
  // No-op update to lock the rows, and to return those that are there. As SQL: each sale asks it.
  const { rows } =
    await sql<PoolRow>`insert into stock_costs (sku, units, costed, cost_cents) values ${sql.join(none)}
    on conflict (sku) do update set units = stock_costs.units returning sku, units, costed, cost_cents`.execute(
      trx,
    );
  return new Map(
    rows.map(({ sku, units, costed, cost_cents }) => [sku, { units, costed, cents: Number(cost_cents) }]),
  );
}

export async function writePools(db: Database, trx: Trx, pools: ReadonlyMap<string, Pool>): Promise<void> {
  await insertMany(db, trx, {
    into: 'stock_costs',
    columns: ['sku', 'units', 'costed', 'cost_cents'],
    rows: [...pools].map(([sku, { units, costed, cents }]) => [sku, units, costed, cents]),
    suffix:
      'on conflict (sku) do update set units = excluded.units, costed = excluded.costed, cost_cents = excluded.cost_cents',
  });
}

/** What a unit of each costs, as the merchant says; those without are not in it. */
export async function costsOf(trx: Trx, skus: readonly string[]): Promise<Map<string, number>> {
  const rows = await trx.selectFrom('skus').select(['id', 'cost_cents']).where('id', 'in', skus).execute();
  return new Map(
    rows.flatMap(({ id, cost_cents }) => (cost_cents === null ? [] : [[id, cost_cents] as const])),
  );
}

/** Of an order, by SKU: what left and has not come back, above zero. */
export async function costsThatLeft(
  trx: Trx,
  orderId: string,
): Promise<Map<string, { costed: number; cents: number }>> {
  const rows = await trx
    .selectFrom('stock_movements')
    .select(({ fn }) => [
      'sku',
      fn.sum<number>('costed').as('costed'),
      fn.sum<number>('cost_cents').as('cents'),
    ])
    .where('order_id', '=', orderId)
    .where('kind', 'in', soldKinds)
    .groupBy('sku')
    .execute();
  return new Map(
    rows.map(({ sku, costed, cents }) => [sku, { costed: 0 - Number(costed), cents: 0 - Number(cents) }]),
  );
}

/** SKUs among these that have a cost, and units without one. */
export async function skusToValue(
  reader: Reader,
  skus: readonly string[],
): Promise<{ sku: string; cost: number }[]> {
  const rows = await reader
    .selectFrom('stock_costs')
    .innerJoin('skus', 'skus.id', 'stock_costs.sku')
    .select(['sku', 'skus.cost_cents as cost'])
    .where('sku', 'in', skus)
    .where('skus.cost_cents', 'is not', null)
    .whereRef('stock_costs.units', '<>', 'stock_costs.costed')
    .execute();
  return rows.flatMap(({ sku, cost }) => (cost === null ? [] : { sku, cost }));
}
