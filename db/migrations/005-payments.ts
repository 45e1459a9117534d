/** More columns of payment attempts, refunds, and the house gateway's records of challenges and refunds. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const payments: Migration = {
  id: 5,
  name: 'payments',
  async up(trx) {
    const { schema } = trx;
    for (const column of ['provider_id', 'error_type'] as const)
      await schema.alterTable('payments').addColumn(column, 'text').execute();
    await schema.alterTable('payments').addColumn('waits_since', 'bigint').execute();
    await schema
      .alterTable('payments')
      .addColumn('tip_cents', 'bigint', (c) =>
        c.notNull().defaultTo(0).check(sql`tip_cents between 0 and amount_cents`),
      )
      .execute();
    // Refunds under way count too, so that two parallel ones never refund more than was paid.
    await schema
      .alterTable('payments')
      .addColumn('refunded_cents', 'bigint', (c) =>
        c.notNull().defaultTo(0).check(sql`refunded_cents between 0 and amount_cents`),
      )
      .execute();
    await schema
      .alterTable('payments')
      .addColumn('refunded_tip_cents', 'bigint', (c) =>
        c
          .notNull()
          .defaultTo(0)
          .check(sql`refunded_tip_cents between 0 and tip_cents and refunded_tip_cents <= refunded_cents`),
      )
      .execute();
    await sql`update payments set refunded_cents = amount_cents where state in ('refunded', 'refundDue')`.execute(
      trx,
    );
    await schema
      .createTable('refunds')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('payment_id', 'text', (c) => c.notNull().references('payments.id'))
      .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id'))
      .addColumn('amount_cents', 'bigint', (c) => c.notNull().check(sql`amount_cents > 0`))
      .addColumn('tip_cents', 'bigint', (c) => c.notNull().check(sql`tip_cents between 0 and amount_cents`))
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute();
    // Payments that were already due for a refund.
    await sql`insert into refunds
      (id, payment_id, order_id, amount_cents, tip_cents, currency, reason, state, created_at, updated_at)
      select 'late-' || id, id, order_id, amount_cents, 0, currency, 'paid too late', 'due', created_at, updated_at
      from payments where state = 'refundDue' and amount_cents > 0`.execute(trx);
    await schema.createIndex('refunds_order').on('refunds').column('order_id').execute();
    await schema.createIndex('refunds_state').on('refunds').columns(['state', 'created_at']).execute();
    await schema
      .alterTable('house_charges')
      .addColumn('tries', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await schema
      .createTable('house_refunds')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('reference', 'text', (c) => c.notNull())
      .addColumn('amount_cents', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema
      .createTable('house_secrets')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('value', 'text', (c) => c.notNull())
      .execute();
  },
};
