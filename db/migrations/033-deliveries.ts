/** One table of what is delivered at least once: emails, and the events of webhooks. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const deliveries: Migration = {
  id: 33,
  name: 'deliveries',
  async up(trx, engine) {
    const { schema } = trx;
    await schema
      .createTable('deliveries')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('endpoint_id', 'text', (c) => c.references('webhook_endpoints.id').onDelete('cascade'))
      .addColumn('event_id', 'text')
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('reference', 'text', (c) => c.unique())
      .addColumn('recipient', 'text')
      .addColumn('language', 'text')
      .addColumn('body', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('due_at', 'bigint', (c) => c.notNull())
      .addColumn('give_up_at', 'bigint')
      .addColumn('attempted_at', 'bigint')
      .addColumn('answer', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    if (engine === 'postgres') await sql`alter table deliveries set (fillfactor = 80)`.execute(trx);
    const columns = sql.raw(
      'id, kind, reference, body, state, attempts, due_at, attempted_at, answer, created_at, recipient, language, endpoint_id, event_id, give_up_at',
    );
    await sql`insert into deliveries (${columns})
      select id, kind, reference, data, case when state = 'sent' then 'delivered' else state end, attempts, due_at, sent_at, error,
        created_at, recipient, language, null, null, null
      from mails`.execute(trx);
    await sql`insert into deliveries (${columns})
      select d.id, e.type, e.reference || '@' || d.endpoint_id, e.body, d.state, d.attempts, d.due_at, d.attempted_at, d.answer,
        d.created_at, null, null, d.endpoint_id, e.id, d.give_up_at
      from webhook_deliveries d join webhook_events e on e.id = d.event_id`.execute(trx);
    await schema
      .createIndex('deliveries_due')
      .on('deliveries')
      .columns(['endpoint_id', 'state', 'due_at'])
      .execute();
    for (const table of ['mails', 'webhook_deliveries', 'webhook_events'])
      await schema.dropTable(table).execute();
  },
};
