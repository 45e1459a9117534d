import type { Migration } from './index.ts';

export const orderViews: Migration = {
  id: 52,
  name: 'order-views',
  async up({ schema }) {
    await schema
      .createTable('order_views')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('filters', 'text', (c) => c.notNull())
      .addColumn('staff_id', 'text', (c) => c.references('staff.id').onDelete('cascade'))
      .execute();
  },
};
