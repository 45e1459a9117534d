/** Who took a payment at the counter: they may undo it the same day. */
import type { Migration } from './index.ts';

export const takersOfPayments: Migration = {
  id: 79,
  name: 'takers of payments',
  async up({ schema }) {
    await schema.alterTable('payments').addColumn('actor', 'text').execute();
  },
};
