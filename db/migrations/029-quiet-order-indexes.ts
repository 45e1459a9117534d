/**
 * Orders by state only: with the time of the last change in the index, every change of a cart wrote to it, and on PostgreSQL to
 * every other index of the table as well.
 */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const quietOrderIndexes: Migration = {
  id: 29,
  name: 'quiet order indexes',
  async up(trx, engine) {
    await trx.schema.dropIndex('orders_state').execute();
    await trx.schema.createIndex('orders_state').on('orders').column('state').execute();
    // Room for new versions of the rows of a page: beside its old version a row needs no new index entries.
    if (engine === 'postgres')
      for (const table of ['orders', 'order_lines', 'stock', 'mails', 'payments'])
        await sql`alter table ${sql.ref(table)} set (fillfactor = 80)`.execute(trx);
  },
};
