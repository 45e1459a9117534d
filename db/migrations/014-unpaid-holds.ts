/** The network that holds stock through an unpaid order. */
import type { Migration } from './index.ts';

export const unpaidHolds: Migration = {
  id: 14,
  name: 'unpaid holds',
  async up({ schema }) {
    await schema.alterTable('orders').addColumn('held_from', 'text').execute();
    await schema.createIndex('orders_held_from').on('orders').column('held_from').execute();
  },
};
