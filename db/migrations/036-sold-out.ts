/** What a store has none of today, and what the orders of its pickup times take of a menu's limit. */
import type { Migration } from './index.ts';

export const soldOut: Migration = {
  id: 36,
  name: 'sold out',
  async up({ schema }) {
    await schema
      .createTable('sold_out')
      .addColumn('store_id', 'text', (c) => c.notNull().references('stores.id'))
      .addColumn('item', 'text', (c) => c.notNull())
      .addColumn('until', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('sold_out_key', ['store_id', 'item'])
      .execute();
    await schema
      .createTable('menu_slots')
      .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id').onDelete('cascade'))
      .addColumn('menu', 'text', (c) => c.notNull())
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('slot_at', 'bigint', (c) => c.notNull())
      .addColumn('units', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('menu_slots_key', ['order_id', 'menu'])
      .execute();
    await schema
      .createIndex('menu_slots_of_store')
      .on('menu_slots')
      .columns(['store_id', 'slot_at'])
      .execute();
  },
};
