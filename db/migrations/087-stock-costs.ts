/**
 * What units of stock cost. Units that are there, of SKUs that have a cost, begin with it; what left before has none, and stays
 * unknown.
 */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const stockCosts: Migration = {
  id: 87,
  name: 'stock costs',
  async up(trx) {
    const { schema } = trx;
    for (const [column, type] of [
      ['costed', 'integer'],
      ['cost_cents', 'bigint'],
      ['late_cents', 'bigint'],
    ] as const)
      await schema
        .alterTable('stock_movements')
        .addColumn(column, type, (c) => c.notNull().defaultTo(0))
        .execute();
    await schema
      .createTable('stock_costs')
      .addColumn('sku', 'text', (c) => c.primaryKey())
      .addColumn('units', 'integer', (c) => c.notNull())
      .addColumn('costed', 'integer', (c) => c.notNull())
      .addColumn('cost_cents', 'bigint', (c) => c.notNull())
      .execute();
    await sql`insert into stock_costs (sku, units, costed, cost_cents)
      select sku, sum(quantity), 0, 0 from stock_movements group by sku`.execute(trx);
    const withCost = sql`from stock_costs join skus on skus.id = stock_costs.sku where skus.cost_cents is not null and units > 0`;
    await sql`insert into stock_movements (id, sku, location_id, quantity, kind, at, costed, cost_cents)
      select 'cost:' || sku, sku, '', 0, 'cost', cast(${Date.now()} as bigint), units, cast(units as bigint) * skus.cost_cents
      ${withCost}`.execute(trx);
    await sql`update stock_costs set costed = units, cost_cents = cast(units as bigint) *
      (select cost_cents from skus where skus.id = stock_costs.sku)
      where units > 0 and sku in (select id from skus where cost_cents is not null)`.execute(trx);
  },
};
