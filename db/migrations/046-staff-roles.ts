import type { Migration } from './index.ts';

export const staffRoles: Migration = {
  id: 46,
  name: 'staff-roles',
  async up({ schema }) {
    await schema
      .createTable('staff_roles')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('permissions', 'text', (c) => c.notNull())
      .execute();
  },
};
