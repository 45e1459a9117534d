/** Payments that staff take, and refunds after which the bill stands. Earlier refunds took nothing off what is due. */
import type { Migration } from './index.ts';

export const severalPayments: Migration = {
  id: 43,
  name: 'several payments',
  async up({ schema }) {
    await schema.alterTable('payments').addColumn('kind', 'text').execute();
    await schema
      .alterTable('refunds')
      .addColumn('corrects', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
