/** Refunds and disputes that begin at a payment provider, and whether their items go back to stock. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const providerActivity: Migration = {
  id: 17,
  name: 'provider activity',
  async up({ schema }) {
    await schema.alterTable('refunds').addColumn('provider_refund_id', 'text').execute();
    await schema.alterTable('payments').addColumn('next_check_at', 'bigint').execute();
    await schema.alterTable('orders').addColumn('restock_asked_at', 'bigint').execute();
    await schema
      .createTable('disputes')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('payment_id', 'text', (c) => c.notNull().references('payments.id'))
      .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id'))
      .addColumn('provider_dispute_id', 'text', (c) => c.notNull())
      .addColumn('amount_cents', 'bigint', (c) => c.notNull().check(sql`amount_cents >= 0`))
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('respond_by', 'bigint')
      .addColumn('opened_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('disputes_order').on('disputes').column('order_id').execute();
    await schema.createIndex('disputes_state').on('disputes').column('state').execute();
  },
};
