/** Payments and refunds are read by when money arrived and was given back. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const takings: Migration = {
  id: 47,
  name: 'takings',
  async up(trx) {
    const { schema } = trx;
    await schema.alterTable('payments').addColumn('received_at', 'bigint').execute();
    // A payment that was given back changed once more since, and began minutes before it arrived.
    await sql`update payments set received_at = case state when 'refunded' then created_at else updated_at end
      where state in ('succeeded', 'refundDue', 'refunded')`.execute(trx);
    await sql`create index payments_received on payments (received_at, id) where received_at is not null`.execute(
      trx,
    );
    await schema.createIndex('refunds_created').on('refunds').columns(['created_at', 'id']).execute();
  },
};
