/** Coupons and their uses; tips as a custom amount. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const coupons: Migration = {
  id: 6,
  name: 'coupons',
  async up(trx) {
    const { schema } = trx;
    await schema
      .createTable('coupons')
      .addColumn('code_key', 'text', (c) => c.primaryKey())
      .addColumn('code', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull().check(sql`kind in ('percent', 'amount', 'freeShipping')`))
      .addColumn('percent', 'integer', (c) => c.notNull().check(sql`percent between 0 and 100000`))
      .addColumn('amount_cents', 'bigint', (c) => c.notNull().check(sql`amount_cents >= 0`))
      .addColumn('min_subtotal_cents', 'bigint', (c) => c.notNull().check(sql`min_subtotal_cents >= 0`))
      .addColumn('countries', 'text', (c) => c.notNull())
      .addColumn('starts_at', 'bigint')
      .addColumn('ends_at', 'bigint')
      .addColumn('total_limit', 'integer')
      .addColumn('customer_limit', 'integer')
      .addColumn('used', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addCheckConstraint(
        'coupons_within_limit',
        sql`used >= 0 and (total_limit is null or used <= total_limit)`,
      )
      .execute();
    await schema
      .createTable('coupon_uses')
      .addColumn('order_id', 'text', (c) => c.primaryKey().references('orders.id'))
      .addColumn('code_key', 'text', (c) => c.notNull().references('coupons.code_key'))
      .addColumn('customer_id', 'text')
      .addColumn('email_hash', 'text')
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('taken_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema
      .createIndex('coupon_uses_customer')
      .on('coupon_uses')
      .columns(['code_key', 'customer_id'])
      .execute();
    await schema
      .createIndex('coupon_uses_email')
      .on('coupon_uses')
      .columns(['code_key', 'email_hash'])
      .execute();
    await schema
      .alterTable('orders')
      .addColumn('tip_cents', 'bigint', (c) => c.check(sql`tip_cents > 0`))
      .execute();
  },
};
