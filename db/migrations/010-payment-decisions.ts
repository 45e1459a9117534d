/** Decisions on whether an attempt may still move money, for providers whose attempts cannot be cancelled. */
import type { Migration } from './index.ts';

export const paymentDecisions: Migration = {
  id: 10,
  name: 'payment decisions',
  async up({ schema }) {
    await schema
      .createTable('payment_decisions')
      .addColumn('provider', 'text', (c) => c.notNull())
      .addColumn('reference', 'text', (c) => c.notNull())
      .addColumn('verdict', 'text', (c) => c.notNull())
      .addColumn('failure', 'text')
      .addColumn('decided_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('payment_decisions_pk', ['provider', 'reference'])
      .execute();
  },
};
