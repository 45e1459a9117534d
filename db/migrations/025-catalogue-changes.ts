/** What each change of the catalogue or content touched, so that caches drop only what it shows. */
import type { Migration } from './index.ts';

export const catalogueChanges: Migration = {
  id: 25,
  name: 'catalogue changes',
  async up({ schema }) {
    await schema
      .createTable('catalogue_changes')
      .addColumn('version', 'bigint', (c) => c.primaryKey())
      .addColumn('topics', 'text', (c) => c.notNull())
      .execute();
  },
};
