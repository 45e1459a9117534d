/** Placed orders are read in pages, by store, state and time, and found by words. Carts are in none of these indexes. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const orderPages: Migration = {
  id: 41,
  name: 'order pages',
  async up(trx, engine) {
    const { schema } = trx;
    const indexes = {
      placed: '',
      placed_state: 'state, ',
      placed_store: 'store_id, ',
      placed_store_state: 'store_id, state, ',
    };
    for (const [name, columns] of Object.entries(indexes))
      await sql`create index ${sql.raw(`orders_${name} on orders (${columns}placed_at, id)`)} where placed_at is not null`.execute(
        trx,
      );
    // A prefix is a range of code points, which the collation of a PostgreSQL database need not follow.
    const word = engine === 'postgres' ? sql`text collate "C"` : sql`text`;
    await schema
      .createTable('order_words')
      .addColumn('word', word, (c) => c.notNull())
      .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('order_words_pk', ['word', 'order_id'])
      .modifyEnd(engine === 'sqlite' ? sql`without rowid` : sql``)
      .execute();
    await schema.createIndex('order_words_order').on('order_words').columns(['order_id', 'word']).execute();
    // 048 fills it, and has it otherwise.
  },
};
