/** Passkeys of staff, and the challenges that a device has to sign. */
import type { Migration } from './index.ts';

export const passkeys: Migration = {
  id: 45,
  name: 'passkeys',
  async up({ schema }) {
    await schema
      .alterTable('staff')
      .addColumn('passkeys', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await schema
      .createTable('staff_passkeys')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('staff_id', 'text', (c) => c.notNull().references('staff.id').onDelete('cascade'))
      .addColumn('credential_id', 'text', (c) => c.notNull().unique())
      .addColumn('public_key', 'text', (c) => c.notNull())
      .addColumn('counter', 'bigint', (c) => c.notNull())
      .addColumn('device', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute();
    await schema.createIndex('staff_passkeys_staff').on('staff_passkeys').column('staff_id').execute();
    await schema
      .createTable('staff_challenges')
      .addColumn('hash', 'text', (c) => c.primaryKey())
      .addColumn('staff_id', 'text', (c) => c.references('staff.id').onDelete('cascade'))
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute();
  },
};
