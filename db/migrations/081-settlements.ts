/**
 * What payment providers say of the merchant's balance with them: each payment, refund, dispute, fee and payout. What a provider says
 * otherwise later is a further revision, and rows never change.
 */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const settlements: Migration = {
  id: 81,
  name: 'settlements',
  async up(trx, engine) {
    const { schema } = trx;
    await schema
      .createTable('settlement_rows')
      .addColumn('provider', 'text', (c) => c.notNull())
      .addColumn('row_id', 'text', (c) => c.notNull())
      .addColumn('revision', 'integer', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('available_at', 'bigint')
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('gross_cents', 'bigint', (c) => c.notNull())
      .addColumn('fee_cents', 'bigint')
      .addColumn('net_cents', 'bigint')
      .addColumn('charged_cents', 'bigint')
      .addColumn('charged_currency', 'text')
      .addColumn('payout_id', 'text')
      .addColumn('complete', 'integer', (c) => c.notNull())
      .addColumn('about', 'text', (c) => c.notNull())
      .addColumn('payment_id', 'text')
      .addColumn('refund_id', 'text')
      .addColumn('dispute_id', 'text')
      .addColumn('order_id', 'text')
      .addColumn('kept_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('settlement_rows_pk', ['provider', 'row_id', 'revision'])
      .execute();
    const index = (name: string, columns: string[]) =>
      schema.createIndex(`settlement_rows_${name}`).on('settlement_rows').columns(columns).execute();
    await index('at', ['at', 'provider', 'row_id']);
    await index('payout', ['provider', 'payout_id']);
    await index('payment', ['payment_id']);
    await index('refund', ['refund_id']);
    await appendOnly(trx, engine);
    await schema
      .createTable('settlement_readings')
      .addColumn('provider', 'text', (c) => c.primaryKey())
      .addColumn('read_until', 'bigint')
      .addColumn('read_at', 'bigint')
      .addColumn('tried_at', 'bigint')
      .addColumn('problem', 'text')
      .addColumn('claimed_until', 'bigint')
      .execute();
    await schema
      .createTable('settlement_notes')
      .addColumn('finding', 'text', (c) => c.primaryKey())
      .addColumn('note', 'text', (c) => c.notNull())
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .execute();
    await schema
      .createTable('bank_lines')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('amount_cents', 'bigint', (c) => c.notNull())
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('kept_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('bank_lines_day').on('bank_lines').column('day').execute();
    await schema
      .createTable('bank_statements')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('first_day', 'text', (c) => c.notNull())
      .addColumn('last_day', 'text', (c) => c.notNull())
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('kept_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema
      .createTable('payout_arrivals')
      .addColumn('provider', 'text', (c) => c.notNull())
      .addColumn('payout_id', 'text', (c) => c.notNull())
      .addColumn('bank_line_id', 'text', (c) => c.notNull().unique().references('bank_lines.id'))
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('payout_arrivals_pk', ['provider', 'payout_id'])
      .execute();
    await sql`create index payments_provider_id on payments (provider_id) where provider_id is not null`.execute(
      trx,
    );
    await sql`create index refunds_provider_refund on refunds (provider_refund_id) where provider_refund_id is not null`.execute(
      trx,
    );
    await schema
      .createIndex('disputes_provider_dispute')
      .on('disputes')
      .column('provider_dispute_id')
      .execute();
  },
};

async function appendOnly(
  trx: Parameters<Migration['up']>[0],
  engine: Parameters<Migration['up']>[1],
): Promise<void> {
  if (engine === 'sqlite') {
    for (const event of ['update', 'delete'])
      await sql`create trigger ${sql.raw(`settlement_rows_no_${event} before ${event} on settlement_rows`)}
        begin select raise(abort, 'rows of settlements are append-only'); end`.execute(trx);
    return;
  }
  await sql`create or replace function settlement_rows_are_append_only() returns trigger language plpgsql as
    $$ begin raise exception 'rows of settlements are append-only'; end $$`.execute(trx);
  await sql`create trigger settlement_rows_append_only before update or delete on settlement_rows
    for each row execute function settlement_rows_are_append_only()`.execute(trx);
}
