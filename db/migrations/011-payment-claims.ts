/** Claims of due refunds, and the order that a cart is a copy of. */
import type { Migration } from './index.ts';

export const paymentClaims: Migration = {
  id: 11,
  name: 'payment claims',
  async up({ schema }) {
    await schema.alterTable('refunds').addColumn('claimed_until', 'bigint').execute();
    await schema.alterTable('orders').addColumn('copied_from', 'text').execute();
    await schema.createIndex('orders_copied_from').on('orders').column('copied_from').execute();
  },
};
