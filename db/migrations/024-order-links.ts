/** Links by which buyers follow their orders without an account. */
import type { Migration } from './index.ts';

export const orderLinks: Migration = {
  id: 24,
  name: 'order links',
  async up({ schema }) {
    await schema
      .createTable('order_links')
      .addColumn('token_hash', 'text', (c) => c.primaryKey())
      .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('revoked_at', 'bigint')
      .execute();
    await schema.createIndex('order_links_order').on('order_links').column('order_id').execute();
  },
};
