/** Customers, temporary passwords, counts of attempts, and queued emails. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const accounts: Migration = {
  id: 4,
  name: 'accounts',
  async up(trx) {
    const { schema } = trx;
    await schema
      .createTable('customers')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('email_key', 'text', (c) => c.notNull().unique())
      .addColumn('first_name', 'text', (c) => c.notNull())
      .addColumn('last_name', 'text', (c) => c.notNull())
      .addColumn('mobile_phone', 'text', (c) => c.notNull())
      .addColumn('password_hash', 'text', (c) => c.notNull())
      .addColumn('accept_newsletter', 'integer', (c) => c.notNull())
      .addColumn('language', 'text', (c) => c.notNull())
      .addColumn('shipping_addresses', 'text', (c) => c.notNull())
      .addColumn('billing_addresses', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('password_changed_at', 'bigint', (c) => c.notNull())
      .addColumn('last_login_at', 'bigint')
      .execute();
    await schema
      .createTable('mails')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('reference', 'text', (c) => c.unique())
      .addColumn('recipient', 'text', (c) => c.notNull())
      .addColumn('language', 'text', (c) => c.notNull())
      .addColumn('data', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('due_at', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('sent_at', 'bigint')
      .addColumn('error', 'text')
      .execute();
    await schema.createIndex('mails_due').on('mails').columns(['state', 'due_at']).execute();
    await schema.createIndex('mails_recipient').on('mails').column('recipient').execute();
    await schema
      .createTable('temporary_passwords')
      .addColumn('mail_id', 'text', (c) => c.primaryKey())
      .addColumn('customer_id', 'text', (c) => c.notNull().references('customers.id').onDelete('cascade'))
      .addColumn('secret_hash', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema
      .createIndex('temporary_passwords_customer')
      .on('temporary_passwords')
      .column('customer_id')
      .execute();
    await schema
      .createTable('known_places')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('customer_id', 'text', (c) => c.notNull().references('customers.id').onDelete('cascade'))
      .addColumn('seen_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('known_places_customer').on('known_places').column('customer_id').execute();
    await schema
      .createTable('attempts')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('count', 'integer', (c) => c.notNull())
      .addColumn('blocked_until', 'bigint', (c) => c.notNull())
      .addColumn('last_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('attempts_age').on('attempts').column('last_at').execute();
    await schema.createIndex('sessions_customer').on('sessions').column('customer_id').execute();
    // One cart per customer, whichever device it was started on.
    await sql`create unique index orders_one_customer_cart on orders (customer_id) where state in ('cart', 'paying')`.execute(
      trx,
    );
    await schema
      .alterTable('orders')
      .addColumn('forget', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await sql`create index orders_to_forget on orders (id) where forget = 1`.execute(trx);
  },
};
