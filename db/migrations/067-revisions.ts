/** The values that a document had before each change of it, long ones too, which the journal does not keep; and since when pictures are there. */
import type { Migration } from './index.ts';

export const revisions: Migration = {
  id: 67,
  name: 'revisions',
  async up({ schema }) {
    await schema
      .createTable('revisions')
      .addColumn('journal_no', 'bigint', (c) => c.primaryKey())
      .addColumn('back', 'text', (c) => c.notNull())
      .execute();
    await schema
      .alterTable('media')
      .addColumn('added_at', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
