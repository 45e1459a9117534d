/** How many people are at the table of an order, on which a service charge can depend. */
import type { Migration } from './index.ts';

export const partySize: Migration = {
  id: 39,
  name: 'party size',
  async up({ schema }) {
    await schema.alterTable('orders').addColumn('party_size', 'integer').execute();
  },
};
