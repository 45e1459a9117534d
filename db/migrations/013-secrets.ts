/** Random keys that a shop generates and its processes share. */
import type { Migration } from './index.ts';

export const secrets: Migration = {
  id: 13,
  name: 'secrets',
  async up({ schema }) {
    await schema
      .createTable('secrets')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('value', 'text', (c) => c.notNull())
      .execute();
  },
};
