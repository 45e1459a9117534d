/** What a payment in cash differs from what it pays, where a currency has no smaller coin. */
import type { Migration } from './index.ts';

export const cashRounding: Migration = {
  id: 83,
  name: 'cash rounding',
  async up({ schema }) {
    await schema
      .alterTable('payments')
      .addColumn('rounding_cents', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
