/** Mail server, payment providers and the like, as owners set them in the office. */
import type { Migration } from './index.ts';

export const connections: Migration = {
  id: 88,
  name: 'connections',
  async up({ schema }) {
    await schema
      .createTable('connections')
      .addColumn('field', 'text', (c) => c.primaryKey())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('tail', 'text')
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .execute();
  },
};
