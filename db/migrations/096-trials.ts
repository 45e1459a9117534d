/** Trials of changes that programs make by keys, and the names of keys beside changes of many things. */
import type { Migration } from './index.ts';

export const trials: Migration = {
  id: 96,
  name: 'trials',
  async up({ schema }) {
    await schema
      .createTable('staff_trials')
      .addColumn('token_hash', 'text', (c) => c.primaryKey())
      .addColumn('key_id', 'text', (c) => c.notNull().references('staff_keys.id').onDelete('cascade'))
      .addColumn('asked', 'text', (c) => c.notNull())
      .addColumn('seen', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('used_by', 'text')
      .execute();
    await schema.createIndex('staff_trials_key').on('staff_trials').column('key_id').execute();
    await schema.alterTable('bulk_changes').addColumn('key_name', 'text').execute();
  },
};
