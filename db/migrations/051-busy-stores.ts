/** How busy stores are, and until when they take no pickups; each ends by itself. */
import type { Migration } from './index.ts';

export const busyStores: Migration = {
  id: 51,
  name: 'busy-stores',
  async up({ schema }) {
    for (const column of ['busy_minutes', 'busy_until', 'paused_until'])
      await schema
        .alterTable('stores')
        .addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0))
        .execute();
  },
};
