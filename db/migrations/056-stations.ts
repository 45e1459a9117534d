/** Devices that are signed in as the counter of a store, and the PINs of the people who use them. */
import type { Migration } from './index.ts';

export const stations: Migration = {
  id: 56,
  name: 'stations',
  async up({ schema }) {
    await schema.alterTable('staff').addColumn('pin_hash', 'text').execute();
    await schema
      .createTable('staff_stations')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('device', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_seen_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('person_id', 'text', (c) => c.references('staff.id').onDelete('set null'))
      .addColumn('person_until', 'bigint', (c) => c.notNull())
      .execute();
  },
};
