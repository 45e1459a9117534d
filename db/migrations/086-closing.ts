/** Closing the books: it waits for entries under way. Cash that staff count and move, and what was handed over to other books. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const closing: Migration = {
  id: 86,
  name: 'closing',
  async up(trx, engine) {
    const { schema } = trx;
    await schema.alterTable('ledger_periods').addColumn('reopened_why', 'text').execute();
    await sql`create index ledger_entries_cash on ledger_entries (store_id, booked_at)
      where account = 'money' and way = 'cash'`.execute(trx);
    await schema
      .createTable('cash_moves')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('amount_cents', 'bigint', (c) => c.notNull())
      .addColumn('counted_cents', 'bigint')
      .addColumn('note', 'text', (c) => c.notNull())
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('entered_at', 'bigint', (c) => c.notNull())
      .addColumn('corrects', 'text', (c) => c.unique().references('cash_moves.id'))
      .execute();
    await schema.createIndex('cash_moves_store').on('cash_moves').columns(['store_id', 'at']).execute();
    await schema
      .createTable('handed_files')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('program', 'text', (c) => c.notNull())
      .addColumn('from_day', 'text')
      .addColumn('to_day', 'text')
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('actor', 'text', (c) => c.notNull())
      .execute();
    await schema
      .createTable('handed_journals')
      .addColumn('no', 'integer', (c) => c.primaryKey())
      .addColumn('file_id', 'text', (c) => c.notNull().references('handed_files.id'))
      .addColumn('program', 'text', (c) => c.notNull())
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('corrects', 'integer', (c) => c.notNull())
      .addColumn('lines', 'text', (c) => c.notNull())
      .execute();
    // A day is handed over once. What was booked later is in journals that correct it.
    await sql`create unique index handed_journals_day on handed_journals (program, day) where corrects = 0`.execute(
      trx,
    );
    await schema.createIndex('handed_journals_file').on('handed_journals').column('file_id').execute();
    await keepAsFiled(trx, engine);
  },
};

const filed = ['id', 'from_at', 'to_at', 'from_day', 'to_day', 'figures', 'closed_at', 'closed_by'];
const kept = ['cash_moves', 'handed_files', 'handed_journals'];

async function keepAsFiled(...[trx, engine]: Parameters<Migration['up']>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(trx);
  if (engine === 'sqlite') {
    const refuse = (name: string, event: string, message: string) =>
      run(`create trigger ${name} before ${event} begin select raise(abort, '${message}'); end`);
    await refuse(
      'periods_filed',
      `update of ${filed.join(', ')} on ledger_periods`,
      'a closed period stays as it was filed',
    );
    await refuse('periods_kept', 'delete on ledger_periods', 'a closed period stays as it was filed');
    for (const table of kept)
      for (const event of ['update', 'delete'])
        await refuse(`${table}_no_${event}`, `${event} on ${table}`, 'the books are append-only');
    return;
  }
  await run(`create or replace function period_is_filed() returns trigger language plpgsql as
    $$ begin raise exception 'a closed period stays as it was filed'; end $$`);
  const trigger = (name: string, event: string, table: string, body: string) =>
    run(`create trigger ${name} before ${event} on ${table} ${body}`);
  await trigger(
    'periods_filed',
    `update of ${filed.join(', ')}`,
    'ledger_periods',
    'for each row execute function period_is_filed()',
  );
  await trigger(
    'periods_kept',
    'delete',
    'ledger_periods',
    'for each row execute function period_is_filed()',
  );
  for (const table of kept)
    await trigger(
      `${table}_append_only`,
      'update or delete',
      table,
      'for each row execute function ledger_is_append_only()',
    );
  // Entries under way and the closing of a period wait for each other: whoever closes holds this lock alone. An entry that has
  // waited sees the closed period, and its transaction is run again, which dates it into the open one.
  await run(`create or replace function ledger_waits() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(hashtextextended('closing the books', 0)); return null; end $$`);
  await trigger(
    'ledger_waits',
    'insert',
    'ledger_entries',
    'for each statement execute function ledger_waits()',
  );
  await run(`create or replace function ledger_takes_no_more() returns trigger language plpgsql as
    $$ begin
      if exists (select 1 from ledger_periods where reopened_at is null and to_at > new.booked_at) then
        raise exception 'the books of a closed period take no entries' using errcode = '40001';
      end if;
      return new;
    end $$`);
}
