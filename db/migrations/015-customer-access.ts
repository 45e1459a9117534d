/** Blocks of customers by the merchant, and the customer who sent a form message. */
import type { Migration } from './index.ts';

export const customerAccess: Migration = {
  id: 15,
  name: 'customer access',
  async up({ schema }) {
    await schema.alterTable('customers').addColumn('blocked_at', 'bigint').execute();
    await schema.alterTable('form_messages').addColumn('customer_id', 'text').execute();
  },
};
