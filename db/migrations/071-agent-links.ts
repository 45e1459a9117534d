/** Links of agents: a secret of their own, what they brought into a person's cart, and orders that they only read. */
import type { Migration } from './index.ts';

export const agentLinks: Migration = {
  id: 71,
  name: 'agent links',
  async up({ schema }) {
    await schema.alterTable('agent_carts').addColumn('link', 'text').execute();
    await schema.createIndex('agent_carts_link').unique().on('agent_carts').column('link').execute();
    await schema.alterTable('agent_orders').addColumn('brought', 'text').execute();
    await schema
      .alterTable('order_links')
      .addColumn('reads_only', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
