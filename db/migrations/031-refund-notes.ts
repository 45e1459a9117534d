/** What the merchant writes to the buyer about a refund. */
import type { Migration } from './index.ts';

export const refundNotes: Migration = {
  id: 31,
  name: 'refund notes',
  async up({ schema }) {
    await schema
      .alterTable('refunds')
      .addColumn('customer_note', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
  },
};
