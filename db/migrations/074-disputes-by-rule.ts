/** Whether what a dispute is about can be refunded is the provider's rule, and staff say whether a disputed order is handed over. */
import type { Migration } from './index.ts';

export const disputesByRule: Migration = {
  id: 74,
  name: 'disputes by rule',
  async up({ schema }) {
    await schema
      .alterTable('disputes')
      .addColumn('refundable', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await schema.alterTable('disputes').addColumn('accepted_at', 'bigint').execute();
  },
};
