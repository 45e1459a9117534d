/** When a hold counts for the webhook of low stock, and the card by which an order at a table was begun. */
import type { Migration } from './index.ts';

export const holdsAndTables: Migration = {
  id: 32,
  name: 'holds and tables',
  async up({ schema }) {
    await schema.alterTable('holds').addColumn('low_check_at', 'bigint').execute();
    await schema.alterTable('orders').addColumn('table_card', 'text').execute();
  },
};
