/** One mechanism for everything that changes in pieces, can go on and be taken back: the office's grid, and files that are imported. */
import type { Migration } from './index.ts';

export const bulkChanges: Migration = {
  id: 64,
  name: 'bulk changes',
  async up({ schema }) {
    await schema.alterTable('goods_changes').renameTo('bulk_changes').execute();
    await schema
      .alterTable('bulk_changes')
      .addColumn('kind', 'text', (c) => c.notNull().defaultTo('goods'))
      .execute();
    await schema.alterTable('bulk_changes').addColumn('owner', 'text').execute();
    await schema
      .alterTable('bulk_changes')
      .addColumn('owned_until', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await schema.alterTable('goods_change_rows').renameTo('bulk_change_rows').execute();
    await schema.alterTable('bulk_change_rows').renameColumn('product_no', 'no').execute();
    await schema.alterTable('bulk_change_rows').renameColumn('product_id', 'subject').execute();
    for (const column of ['plan', 'outcome', 'undo'])
      await schema.alterTable('bulk_change_rows').addColumn(column, 'text').execute();
    await schema
      .createIndex('bulk_change_rows_outcome')
      .on('bulk_change_rows')
      .columns(['change_id', 'outcome', 'no'])
      .execute();
    await schema
      .createTable('imports')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('file', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('columns', 'text', (c) => c.notNull())
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('mapping', 'text', (c) => c.notNull())
      .addColumn('options', 'text', (c) => c.notNull())
      .addColumn('about', 'text', (c) => c.notNull())
      .addColumn('counts', 'text', (c) => c.notNull())
      .addColumn('made', 'text')
      .addColumn('uploaded_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema
      .createIndex('imports_fingerprint')
      .on('imports')
      .columns(['fingerprint', 'uploaded_at'])
      .execute();
    await schema
      .createTable('picture_addresses')
      .addColumn('address', 'text', (c) => c.primaryKey())
      .addColumn('file', 'text', (c) => c.notNull())
      .execute();
  },
};
