/** Changes of many products at once, which go on after a restart, and can be taken back. */
import type { Migration } from './index.ts';

export const goodsChanges: Migration = {
  id: 62,
  name: 'goods changes',
  async up({ schema }) {
    await schema
      .createTable('goods_changes')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('started_at', 'bigint', (c) => c.notNull())
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('found_by', 'text', (c) => c.notNull())
      .addColumn('change', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('below', 'integer')
      .addColumn('total', 'integer', (c) => c.notNull())
      .addColumn('done', 'integer', (c) => c.notNull())
      .execute();
    await schema
      .createIndex('goods_changes_state')
      .on('goods_changes')
      .columns(['state', 'started_at'])
      .execute();
    await schema
      .createTable('goods_change_rows')
      .addColumn('change_id', 'text', (c) => c.notNull())
      .addColumn('product_no', 'integer', (c) => c.notNull())
      .addColumn('product_id', 'text', (c) => c.notNull())
      .addColumn('fields', 'text', (c) => c.notNull())
      .addColumn('problem', 'text')
      .addPrimaryKeyConstraint('goods_change_rows_pk', ['change_id', 'product_no'])
      .execute();
    await schema
      .createIndex('goods_change_rows_problem')
      .on('goods_change_rows')
      .columns(['change_id', 'problem'])
      .execute();
  },
};
