/** The books: entries by date, which are added and never changed, and the periods that a person has closed. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const ledger: Migration = {
  id: 80,
  name: 'ledger',
  async up(trx, engine) {
    const { schema } = trx;
    const columns = (type: 'text' | 'bigint' | 'integer', names: readonly string[], isRequired = true) =>
      names.map((name) => sql`${sql.ref(name)} ${sql.raw(type)} ${sql.raw(isRequired ? 'not null' : '')}`);
    const text = [
      'event_id',
      'kind',
      'source',
      'currency',
      'account',
      'part',
      'place',
      'tax_class',
      'treatment',
      'tax',
      'way',
    ];
    const numbers = ['at', 'booked_at', 'amount_cents', 'base_cents'];
    const small = ['no', 'units', 'rate', 'rebuilt'];
    const absent = ['order_id', 'store_id', 'actor', 'line_id', 'product_id', 'sku', 'category_id', 'note'];
    const all = [
      ...columns('text', text),
      ...columns('bigint', numbers),
      ...columns('integer', small),
      ...columns('text', absent, false),
    ];
    await sql`create table ledger_entries (${sql.join(all)}, primary key (event_id, no))`.execute(trx);
    await schema
      .createIndex('ledger_entries_booked')
      .on('ledger_entries')
      .columns(['booked_at', 'event_id'])
      .execute();
    await schema.createIndex('ledger_entries_order').on('ledger_entries').column('order_id').execute();
    await schema
      .createTable('ledger_periods')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('from_at', 'bigint', (c) => c.notNull())
      .addColumn('to_at', 'bigint', (c) => c.notNull())
      .addColumn('from_day', 'text', (c) => c.notNull())
      .addColumn('to_day', 'text', (c) => c.notNull())
      .addColumn('figures', 'text', (c) => c.notNull())
      .addColumn('closed_at', 'bigint', (c) => c.notNull())
      .addColumn('closed_by', 'text', (c) => c.notNull())
      .addColumn('reopened_at', 'bigint')
      .addColumn('reopened_by', 'text')
      .execute();
    const closed = 'the books of a closed period take no entries';
    const inClosed = sql.raw(
      'exists (select 1 from ledger_periods where reopened_at is null and to_at > new.booked_at)',
    );
    if (engine === 'sqlite') {
      for (const event of ['update', 'delete'])
        await sql`create trigger ${sql.raw(`ledger_no_${event} before ${event} on ledger_entries`)}
          begin select raise(abort, 'the books are append-only'); end`.execute(trx);
      await sql`create trigger ledger_closed before insert on ledger_entries when ${inClosed}
        begin select raise(abort, ${sql.lit(closed)}); end`.execute(trx);
      return;
    }
    await sql`create or replace function ledger_is_append_only() returns trigger language plpgsql as
      $$ begin raise exception 'the books are append-only'; end $$`.execute(trx);
    await sql`create trigger ledger_append_only before update or delete on ledger_entries
      for each row execute function ledger_is_append_only()`.execute(trx);
    await sql`create or replace function ledger_takes_no_more() returns trigger language plpgsql as
      $$ begin if ${inClosed} then raise exception ${sql.lit(closed)}; end if; return new; end $$`.execute(
      trx,
    );
    await sql`create trigger ledger_closed before insert on ledger_entries
      for each row execute function ledger_takes_no_more()`.execute(trx);
  },
};
