/** Form messages, and values read from external sources. */
import type { Migration } from './index.ts';

export const content: Migration = {
  id: 7,
  name: 'content',
  async up({ schema }) {
    await schema
      .createTable('form_messages')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('form_name', 'text', (c) => c.notNull())
      .addColumn('mail_to', 'text', (c) => c.notNull())
      .addColumn('language', 'text', (c) => c.notNull())
      .addColumn('details', 'text', (c) => c.notNull())
      .addColumn('reply_to', 'text')
      .addColumn('suspected', 'integer', (c) => c.notNull())
      .addColumn('fingerprint', 'text', (c) => c.notNull().unique())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('form_messages_age').on('form_messages').column('created_at').execute();
    await schema
      .createTable('gallery_photos')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('caption', 'text', (c) => c.notNull())
      .addColumn('image', 'text', (c) => c.notNull())
      .addColumn('link', 'text', (c) => c.notNull())
      .addColumn('taken_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema
      .createTable('outside_sources')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('value', 'text')
      .addColumn('validators', 'text', (c) => c.notNull())
      .addColumn('due_at', 'bigint', (c) => c.notNull())
      .addColumn('good_at', 'bigint')
      .addColumn('failures', 'integer', (c) => c.notNull())
      .addColumn('problem', 'text')
      .execute();
  },
};
