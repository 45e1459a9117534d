/** Lines of orders have ids: the same SKU can stand in an order several times, with other modifiers or another note. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const lineIds: Migration = {
  id: 38,
  name: 'line ids',
  async up(trx, engine) {
    const { schema } = trx;
    // Made anew: SQLite cannot change the primary key of a table.
    await schema
      .createTable('order_lines_with_ids')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id').onDelete('cascade'))
      .addColumn('identity', 'text', (c) => c.notNull())
      .addColumn('sku', 'text', (c) => c.notNull())
      .addColumn('product_id', 'text', (c) => c.notNull())
      .addColumn('quantity', 'integer', (c) => c.notNull().check(sql`quantity between 1 and 98`))
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('modifiers', 'text')
      .addColumn('note', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('name', 'text')
      .addColumn('brand', 'text')
      .addColumn('option_pairs', 'text')
      .addColumn('option_text', 'text')
      .addColumn('unit_price_cents', 'integer')
      .addColumn('tax_class', 'text')
      .addColumn('image', 'text')
      .addColumn('location_id', 'text')
      .addUniqueConstraint('order_lines_identity', ['order_id', 'identity'])
      .execute();
    const newId = sql.raw(
      engine === 'sqlite' ? 'lower(hex(randomblob(16)))' : 'cast(gen_random_uuid() as text)',
    );
    const kept = sql.raw(
      'order_id, sku, product_id, quantity, position, name, brand, option_pairs, option_text, unit_price_cents, tax_class, image, location_id',
    );
    await sql`insert into order_lines_with_ids (id, identity, ${kept}) select ${newId}, sku, ${kept} from order_lines`.execute(
      trx,
    );
    await schema.dropTable('order_lines').execute();
    await schema.alterTable('order_lines_with_ids').renameTo('order_lines').execute();
    await schema.createIndex('order_lines_sku').on('order_lines').column('sku').execute();
    // As migration 29 left it.
    if (engine === 'postgres') await sql`alter table order_lines set (fillfactor = 80)`.execute(trx);
  },
};
