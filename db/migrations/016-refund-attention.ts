/** Refunds that need a person, and the provider's last note on each. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const refundAttention: Migration = {
  id: 16,
  name: 'refund attention',
  async up(trx) {
    const { schema } = trx;
    await schema.alterTable('refunds').addColumn('provider_note', 'text').execute();
    await schema
      .alterTable('refunds')
      .addColumn('attention', 'integer', (c) => c.notNull().defaultTo(0).check(sql`attention in (0, 1)`))
      .execute();
    // Late payments whose refund was refused before this column existed are still with the provider.
    await sql`update refunds set attention = 1
      where state = 'refused' and payment_id in (select id from payments where state = 'refundDue')`.execute(
      trx,
    );
  },
};
