/**
 * What a sale writes to, and what it reads by. Entries of the books stand in the order in which they are read: a new one goes to the end
 * of one index, and not to a random place of a second one too. Payments of an order are found by all that is asked of them: SQLite
 * preferred the index of their states, whose order is of time, and read every payment that ever succeeded. Refunds of a payment, which
 * every sale asks for, had no index.
 */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

const key = 'booked_at, event_id, no';

export const indexesOfASale: Migration = {
  id: 94,
  name: 'indexes of a sale',
  async up(trx, engine) {
    const { schema } = trx;
    await schema.dropIndex('payments_order').execute();
    await schema
      .createIndex('payments_order')
      .on('payments')
      .columns(['order_id', 'state', 'created_at'])
      .execute();
    await schema.createIndex('refunds_payment').on('refunds').column('payment_id').execute();
    const run = (text: string) => sql.raw(text).execute(trx);
    if (engine === 'postgres') {
      await run(`alter table ledger_entries drop constraint ledger_entries_pkey, add primary key (${key})`);
      await schema.dropIndex('ledger_entries_booked').execute();
      return;
    }
    // SQLite changes no primary key: the table is made again, with its other indexes and its triggers.
    const { rows } = await sql<{ type: string; text: string }>`select type, sql as text from sqlite_master
      where tbl_name = 'ledger_entries' and sql is not null and name <> 'ledger_entries_booked'`.execute(trx);
    const [table, others] = [
      rows.find(({ type }) => type === 'table'),
      rows.filter(({ type }) => type !== 'table'),
    ];
    const text = table?.text.replace('primary key (event_id, no)', `primary key (${key})`) ?? '';
    await run(text.replace('ledger_entries', 'ledger_entries_new'));
    await run(`insert into ledger_entries_new select * from ledger_entries order by ${key}`);
    await run('drop table ledger_entries');
    await run('alter table ledger_entries_new rename to ledger_entries');
    for (const other of others) await run(other.text);
  },
};
