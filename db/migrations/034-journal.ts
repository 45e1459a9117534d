/** What merchants changed, when, and by whom. Entries are added and never changed. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const journal: Migration = {
  id: 34,
  name: 'journal',
  async up(trx, engine) {
    const { schema } = trx;
    await schema
      .createTable('journal')
      .addColumn('no', 'bigint', (c) => c.primaryKey())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('subject_kind', 'text', (c) => c.notNull())
      .addColumn('subject_id', 'text', (c) => c.notNull())
      .addColumn('fields', 'text')
      .execute();
    await schema
      .createIndex('journal_subject')
      .on('journal')
      .columns(['subject_kind', 'subject_id', 'no'])
      .execute();
    if (engine === 'sqlite') {
      for (const event of ['update', 'delete'])
        await sql`create trigger ${sql.raw(`journal_no_${event} before ${event} on journal`)}
          begin select raise(abort, 'the journal is append-only'); end`.execute(trx);
      return;
    }
    await sql`create or replace function journal_is_append_only() returns trigger language plpgsql as
      $$ begin raise exception 'the journal is append-only'; end $$`.execute(trx);
    await sql`create trigger journal_append_only before update or delete on journal
      for each row execute function journal_is_append_only()`.execute(trx);
  },
};
