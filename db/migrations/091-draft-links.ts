/** Links by which others look at what is written of a document, until they end. */
import type { Migration } from './index.ts';

export const draftLinks: Migration = {
  id: 91,
  name: 'draft links',
  async up({ schema }) {
    await schema
      .createTable('draft_links')
      .addColumn('token_hash', 'text', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('ends_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('draft_links_document').on('draft_links').columns(['kind', 'id']).execute();
  },
};
