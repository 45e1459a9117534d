/** Money that was recorded at the counter and undone counts in takings on the day it came, and against them on the day of the undoing. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const undonePayments: Migration = {
  id: 73,
  name: 'undone payments',
  async up(trx) {
    await trx.schema.alterTable('payments').addColumn('undone_at', 'bigint').execute();
    await sql`update payments set undone_at = updated_at where state = 'failed' and received_at is not null`.execute(
      trx,
    );
    await sql`create index payments_undone on payments (undone_at, id) where undone_at is not null`.execute(
      trx,
    );
  },
};
