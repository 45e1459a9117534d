/** Keys of requests that were answered, so that none is done twice. */
import type { Migration } from './index.ts';

export const requestKeys: Migration = {
  id: 72,
  name: 'request keys',
  async up({ schema }) {
    await schema
      .createTable('request_keys')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('request', 'text', (c) => c.notNull())
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('answer', 'text')
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('request_keys_pk', ['owner', 'key'])
      .execute();
    await schema.createIndex('request_keys_at').on('request_keys').column('at').execute();
  },
};
