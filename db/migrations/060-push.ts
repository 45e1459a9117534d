/** Devices of the staff that are notified of new orders. */
import type { Migration } from './index.ts';

export const push: Migration = {
  id: 60,
  name: 'push',
  async up({ schema }) {
    await schema
      .createTable('staff_push')
      .addColumn('session_id', 'text', (c) => c.primaryKey())
      .addColumn('endpoint', 'text', (c) => c.notNull())
      .addColumn('p256dh', 'text', (c) => c.notNull())
      .addColumn('auth', 'text', (c) => c.notNull())
      .addColumn('language', 'text', (c) => c.notNull())
      .execute();
  },
};
