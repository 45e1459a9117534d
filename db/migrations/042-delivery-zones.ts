/** Zones that stores deliver to themselves, and where addresses are. */
import type { Migration } from './index.ts';

export const deliveryZones: Migration = {
  id: 42,
  name: 'delivery zones',
  async up({ schema }) {
    await schema
      .alterTable('stores')
      .addColumn('delivery_zones', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute();
    await schema
      .createTable('geocoded_addresses')
      .addColumn('address_hash', 'text', (c) => c.primaryKey())
      .addColumn('lat', 'double precision')
      .addColumn('lng', 'double precision')
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute();
  },
};
