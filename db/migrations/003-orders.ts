/** Sessions, carts and orders, holds, pickup slots and payments. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const orders: Migration = {
  id: 3,
  name: 'orders',
  async up(trx) {
    const { schema } = trx;
    await schema
      .createTable('sessions')
      .addColumn('id_hash', 'text', (c) => c.primaryKey())
      .addColumn('customer_id', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_seen_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute();
    await schema
      .createTable('orders')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('order_number', 'text', (c) => c.unique())
      .addColumn('session_hash', 'text')
      .addColumn('customer_id', 'text')
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('language', 'text', (c) => c.notNull())
      .addColumn('method', 'text')
      .addColumn('store_id', 'text', (c) => c.references('stores.id'))
      .addColumn('table_number', 'text')
      .addColumn('pickup_at', 'bigint')
      .addColumn('customer_comment', 'text', (c) => c.notNull())
      .addColumn('contact', 'text')
      .addColumn('shipping_contact', 'text')
      .addColumn('shipping_address', 'text')
      .addColumn('billing_address', 'text')
      .addColumn('shipping_method', 'text')
      .addColumn('pay_at_store', 'integer', (c) => c.notNull())
      .addColumn('coupon_code', 'text')
      .addColumn('tip_basis_points', 'integer', (c) => c.notNull().check(sql`tip_basis_points >= 0`))
      .addColumn('bill', 'text')
      .addColumn('bill_version', 'text')
      .addColumn('total_cents', 'bigint', (c) => c.notNull().check(sql`total_cents >= 0`))
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('placed_at', 'bigint')
      .execute();
    // One cart per session, including one being paid: two tabs that both start a cart conflict here.
    await sql`create unique index orders_one_cart on orders (session_hash) where state in ('cart', 'paying')`.execute(
      trx,
    );
    await schema.createIndex('orders_session').on('orders').column('session_hash').execute();
    await schema.createIndex('orders_customer').on('orders').columns(['customer_id', 'placed_at']).execute();
    await schema.createIndex('orders_state').on('orders').columns(['state', 'updated_at']).execute();
    await schema
      .createTable('order_lines')
      .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id').onDelete('cascade'))
      .addColumn('sku', 'text', (c) => c.notNull())
      .addColumn('product_id', 'text', (c) => c.notNull())
      .addColumn('quantity', 'integer', (c) => c.notNull().check(sql`quantity between 1 and 98`))
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('name', 'text')
      .addColumn('option_pairs', 'text')
      .addColumn('option_text', 'text')
      .addColumn('unit_price_cents', 'integer')
      .addColumn('tax_class', 'text')
      .addColumn('image', 'text')
      .addColumn('location_id', 'text')
      .addPrimaryKeyConstraint('order_lines_pk', ['order_id', 'sku'])
      .execute();
    await schema.createIndex('order_lines_sku').on('order_lines').column('sku').execute();
    await schema
      .createTable('order_events')
      .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id').onDelete('cascade'))
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('from_state', 'text', (c) => c.notNull())
      .addColumn('to_state', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('order_events_pk', ['order_id', 'version'])
      .execute();
    await schema
      .createTable('holds')
      .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id'))
      .addColumn('sku', 'text', (c) => c.notNull())
      .addColumn('location_id', 'text', (c) => c.notNull())
      .addColumn('quantity', 'integer', (c) => c.notNull().check(sql`quantity > 0`))
      .addColumn('expires_at', 'bigint')
      .addPrimaryKeyConstraint('holds_pk', ['order_id', 'sku', 'location_id'])
      .execute();
    await schema.createIndex('holds_expiry').on('holds').column('expires_at').execute();
    await schema
      .createTable('pickup_slots')
      .addColumn('store_id', 'text', (c) => c.notNull().references('stores.id'))
      .addColumn('slot_at', 'bigint', (c) => c.notNull())
      .addColumn('taken', 'integer', (c) => c.notNull().check(sql`taken >= 0`))
      .addPrimaryKeyConstraint('pickup_slots_pk', ['store_id', 'slot_at'])
      .execute();
    await schema
      .createTable('payments')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id'))
      .addColumn('provider', 'text', (c) => c.notNull())
      .addColumn('provider_reference', 'text', (c) => c.notNull())
      .addColumn('amount_cents', 'bigint', (c) => c.notNull().check(sql`amount_cents >= 0`))
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('error_key', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('payments_reference', ['provider', 'provider_reference'])
      .execute();
    await schema.createIndex('payments_order').on('payments').column('order_id').execute();
    await schema.createIndex('payments_state').on('payments').columns(['state', 'created_at']).execute();
    await schema
      .createTable('house_charges')
      .addColumn('reference', 'text', (c) => c.primaryKey())
      .addColumn('amount_cents', 'bigint', (c) => c.notNull().check(sql`amount_cents >= 0`))
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('error', 'text')
      .addColumn('refunded_cents', 'bigint', (c) =>
        c.notNull().check(sql`refunded_cents between 0 and amount_cents`),
      )
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
  },
};
