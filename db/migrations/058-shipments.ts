import type { Migration } from './index.ts';

export const shipments: Migration = {
  id: 58,
  name: 'shipments',
  async up({ schema }) {
    await schema
      .createTable('shipments')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id').onDelete('cascade'))
      .addColumn('lines', 'text', (c) => c.notNull())
      .addColumn('carrier', 'text')
      .addColumn('tracking_number', 'text', (c) => c.notNull())
      .addColumn('tracking_url', 'text')
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('taken_back_at', 'bigint')
      .execute();
    await schema.createIndex('shipments_order').on('shipments').column('order_id').execute();
  },
};
