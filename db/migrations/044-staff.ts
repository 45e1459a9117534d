/** People who work in the office, their invitations, sessions and recovery codes. */
import type { Migration } from './index.ts';

export const staff: Migration = {
  id: 44,
  name: 'staff',
  async up({ schema }) {
    await schema
      .createTable('staff')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('email_key', 'text', (c) => c.notNull().unique())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('stores', 'text')
      .addColumn('password_hash', 'text', (c) => c.notNull())
      .addColumn('totp_secret', 'text')
      .addColumn('totp_confirmed', 'integer', (c) => c.notNull())
      .addColumn('totp_step', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_seen_at', 'bigint')
      .addColumn('blocked_at', 'bigint')
      .execute();
    await schema
      .createTable('staff_invitations')
      .addColumn('email_key', 'text', (c) => c.primaryKey())
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('stores', 'text')
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema
      .createTable('staff_sessions')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addColumn('staff_id', 'text', (c) => c.notNull().references('staff.id').onDelete('cascade'))
      .addColumn('device', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_seen_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('confirmed_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('staff_sessions_staff').on('staff_sessions').column('staff_id').execute();
    await schema
      .createTable('staff_recovery_codes')
      .addColumn('code_hash', 'text', (c) => c.primaryKey())
      .addColumn('staff_id', 'text', (c) => c.notNull().references('staff.id').onDelete('cascade'))
      .execute();
    await schema
      .createIndex('staff_recovery_codes_staff')
      .on('staff_recovery_codes')
      .column('staff_id')
      .execute();
  },
};
