/** Browsers in which staff have signed in: guesses of strangers do not lock them out there. */
import type { Migration } from './index.ts';

export const staffDevices: Migration = {
  id: 77,
  name: 'staff devices',
  async up({ schema }) {
    await schema
      .createTable('staff_devices')
      .addColumn('token_hash', 'text', (c) => c.notNull())
      .addColumn('staff_id', 'text', (c) => c.notNull().references('staff.id').onDelete('cascade'))
      .addColumn('used_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('staff_devices_pk', ['staff_id', 'token_hash'])
      .execute();
  },
};
