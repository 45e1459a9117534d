/** How many products two scopes share, and which products stores have, so that lists are filtered and counted without a scan. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const listFilters: Migration = {
  id: 26,
  name: 'list filters',
  async up(trx, engine) {
    const { schema } = trx;
    const keyed = engine === 'sqlite' ? sql`without rowid` : sql``;
    await schema
      .createTable('scope_pairs')
      .addColumn('scope_id', 'integer', (c) => c.notNull())
      .addColumn('other_id', 'integer', (c) => c.notNull())
      .addColumn('count', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('scope_pairs_pk', ['scope_id', 'other_id'])
      .modifyEnd(keyed)
      .execute();
    await schema
      .createTable('product_stores')
      .addColumn('product_no', 'integer', (c) => c.notNull().references('products.no').onDelete('cascade'))
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('product_stores_pk', ['product_no', 'store_id'])
      .modifyEnd(keyed)
      .execute();
    // Products that were listed before have neither: the server lists them again when it starts.
    await sql`insert into counters (name, value) select 'outdated lists', 1 where exists (select 1 from products)`.execute(
      trx,
    );
  },
};
