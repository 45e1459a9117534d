/** What the office is told of as it happens, and the lines of orders that a kitchen has ticked. */
import type { Migration } from './index.ts';

export const feed: Migration = {
  id: 49,
  name: 'feed',
  async up({ schema }) {
    await schema
      .createTable('feed')
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('topic', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('store_id', 'text')
      .addPrimaryKeyConstraint('feed_pkey', ['at', 'id'])
      .execute();
    await schema.alterTable('order_lines').addColumn('ticked_at', 'bigint').execute();
  },
};
