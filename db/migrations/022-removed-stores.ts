/** Stores that were removed stay for the orders that were placed there. */
import type { Migration } from './index.ts';

export const removedStores: Migration = {
  id: 22,
  name: 'removed stores',
  async up({ schema }) {
    await schema.alterTable('stores').addColumn('removed_at', 'bigint').execute();
  },
};
