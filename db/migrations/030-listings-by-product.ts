/** One listing for each product instead of a row for each list and order; lists are read in memory. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const listingsByProduct: Migration = {
  id: 30,
  name: 'listings by product',
  async up(trx, engine) {
    const { schema } = trx;
    for (const table of ['listings', 'listing_scopes', 'scope_pairs', 'product_stores', 'search_index'])
      await schema.dropTable(table).execute();
    await schema.alterTable('products').dropColumn('listing').execute();
    await schema
      .createTable('listings')
      // No foreign key: other processes learn from the row that a removed product has left the lists.
      .addColumn('product_no', 'integer', (c) => c.primaryKey())
      .addColumn('revision', 'integer', (c) => c.notNull())
      .addColumn('listing', 'text')
      .execute();
    await schema
      .createIndex('listings_revision')
      .on('listings')
      .columns(['revision', 'product_no'])
      .execute();
    if (engine === 'sqlite') {
      await sql`create virtual table search_index using fts5 (tokens, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`.execute(
        trx,
      );
    } else {
      await sql`drop function search_find, search_hits, search_sorted, search_walk, search_count, search_keys`.execute(
        trx,
      );
      await sql`create table search_index (product_no integer primary key, tokens tsvector not null)`.execute(
        trx,
      );
      await sql`create index search_index_tokens on search_index using gin (tokens) with (fastupdate = off)`.execute(
        trx,
      );
    }
    // All of it is derived from the products: the server writes it again when it starts.
    await sql`insert into counters (name, value) select 'outdated lists', 1 where exists (select 1 from products)
      on conflict do nothing`.execute(trx);
  },
};
