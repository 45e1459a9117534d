/**
 * Stock changes as movements. The opening ones of an older database are what is there and what orders were sold, so that sums agree
 * and sold units may come back. `order_lines.location_id` said where units were sold; movements do.
 */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const stockMovements: Migration = {
  id: 40,
  name: 'stock movements',
  async up(trx, engine) {
    const { schema } = trx;
    await schema
      .createTable('stock_movements')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('sku', 'text', (c) => c.notNull())
      .addColumn('location_id', 'text', (c) => c.notNull())
      .addColumn('quantity', 'integer', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('order_id', 'text')
      .addColumn('actor', 'text')
      .addColumn('reason', 'text')
      .addColumn('at', 'bigint', (c) => c.notNull())
      .execute();
    const columns = sql.raw('id, sku, location_id, quantity, kind, order_id, at');
    await sql`insert into stock_movements (${columns})
      select 'sale:' || line.order_id || ':' || line.sku || ':' || line.location_id, line.sku, line.location_id, -sum(line.quantity),
        'sale', line.order_id, min(coalesce(orders.placed_at, orders.updated_at))
      from order_lines as line join orders on orders.id = line.order_id
      where line.location_id is not null group by line.order_id, line.sku, line.location_id`.execute(trx);
    // Before every sale, so that a history begins with it.
    const { rows } = await sql<{ at: number | null }>`select min(at) as at from stock_movements`.execute(trx);
    const at = Math.min(Number(rows[0]?.at ?? Number.POSITIVE_INFINITY), Date.now()) - 1;
    await sql`insert into stock_movements (${columns})
      select 'opening:' || sku || ':' || location_id, sku, location_id, sum(quantity), 'opening', null, cast(${at} as bigint) from (
        select sku, location_id, quantity from stock union all
        select sku, location_id, quantity from holds union all
        select sku, location_id, -quantity from stock_movements
      ) as parts group by sku, location_id having sum(quantity) <> 0`.execute(trx);
    await schema
      .createIndex('stock_movements_sku')
      .on('stock_movements')
      .columns(['sku', 'at', 'id'])
      .execute();
    await schema.createIndex('stock_movements_order').on('stock_movements').column('order_id').execute();
    await schema.alterTable('order_lines').dropColumn('location_id').execute();
    if (engine === 'sqlite') {
      for (const event of ['update', 'delete'])
        await sql`create trigger ${sql.raw(`stock_movements_no_${event} before ${event} on stock_movements`)}
          begin select raise(abort, 'movements of stock are append-only'); end`.execute(trx);
      return;
    }
    await sql`create or replace function stock_movements_are_append_only() returns trigger language plpgsql as
      $$ begin raise exception 'movements of stock are append-only'; end $$`.execute(trx);
    await sql`create trigger stock_movements_append_only before update or delete on stock_movements
      for each row execute function stock_movements_are_append_only()`.execute(trx);
  },
};
