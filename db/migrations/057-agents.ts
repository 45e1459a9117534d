/** Agents that shop for people: their profiles, carts, orders and kept answers. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const agents: Migration = {
  id: 57,
  name: 'agents',
  async up({ schema }) {
    await schema
      .createTable('agents')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('profile', 'text', (c) => c.notNull().unique())
      .addColumn('blocked', 'integer', (c) => c.notNull())
      .addColumn('approved', 'integer', (c) => c.notNull())
      .addColumn('document', 'text', (c) => c.notNull())
      .addColumn('fresh_until', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_seen_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema
      .createTable('agent_carts')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('agent_id', 'text', (c) => c.notNull().references('agents.id').onDelete('cascade'))
      .addColumn('is_checkout', 'integer', (c) => c.notNull())
      .addColumn('canceled', 'integer', (c) => c.notNull())
      .addColumn('request', 'text', (c) => c.notNull())
      .addColumn('problems', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('agent_carts_updated').on('agent_carts').columns(['updated_at']).execute();
    await schema
      .createTable('agent_orders')
      .addColumn('order_id', 'text', (c) => c.primaryKey().references('orders.id').onDelete('cascade'))
      .addColumn('cart_id', 'text', (c) => c.notNull())
      .addColumn('agent_id', 'text', (c) => c.notNull())
      .execute();
    await schema.createIndex('agent_orders_cart').on('agent_orders').columns(['cart_id']).execute();
    await schema.createIndex('agent_orders_agent').on('agent_orders').columns(['agent_id']).execute();
    await schema
      .createTable('agent_requests')
      .addColumn('agent_id', 'text', (c) => c.notNull())
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('status', 'integer')
      .addColumn('answer', 'text')
      .addColumn('claimed_until', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('agent_requests_pkey', ['agent_id', 'key'])
      .execute();
    await schema.createIndex('agent_requests_created').on('agent_requests').columns(['created_at']).execute();
    await schema
      .createTable('agent_calls')
      .addColumn('agent_id', 'text', (c) => c.notNull())
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('operation', 'text', (c) => c.notNull())
      .addColumn('problem', 'text', (c) => c.notNull().defaultTo(sql`''`))
      .addColumn('calls', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('agent_calls_pkey', ['agent_id', 'day', 'operation', 'problem'])
      .execute();
  },
};
