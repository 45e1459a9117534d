/** Keys by which programs make calls of the office, and their names in the journal. */
import type { Migration } from './index.ts';

export const keys: Migration = {
  id: 95,
  name: 'keys',
  async up({ schema }) {
    await schema
      .createTable('staff_keys')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addColumn('staff_id', 'text', (c) => c.notNull().references('staff.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('permissions', 'text', (c) => c.notNull())
      .addColumn('stores', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute();
    await schema.createIndex('staff_keys_staff').on('staff_keys').column('staff_id').execute();
    await schema.alterTable('journal').addColumn('key_name', 'text').execute();
  },
};
