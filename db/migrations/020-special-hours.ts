/** Dates on which a store has hours of its own, and the opening hours for which a reservation is held. */
import type { Migration } from './index.ts';

export const specialHours: Migration = {
  id: 20,
  name: 'special hours',
  async up({ schema }) {
    await schema
      .alterTable('stores')
      .addColumn('special_hours', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute();
    await schema.alterTable('orders').addColumn('reservation_hours', 'integer').execute();
  },
};
