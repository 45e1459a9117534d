/**
 * The values that a document had before each change of it, long ones too, which the journal does not keep; since when pictures are
 * there; and statuses among what the office filters by.
 */
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
    await schema.dropIndex('products_goods').execute();
    const filtered = ['no', 'status', 'published', 'brand_id', 'category_id', 'price_cents', 'sold_out'];
    await schema.createIndex('products_goods').on('products').columns(filtered).execute();
  },
};
