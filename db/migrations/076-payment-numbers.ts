/** The number under which a provider knows an attempt to pay the rest of an order, so that each request says the same. */
import type { Migration } from './index.ts';

export const paymentNumbers: Migration = {
  id: 76,
  name: 'payment numbers',
  async up({ schema }) {
    await schema.alterTable('payments').addColumn('number', 'text').execute();
  },
};
