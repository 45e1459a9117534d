/** Products are found in both Chinese scripts and by parts of their SKUs. */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

export const searchForms: Migration = {
  id: 89,
  name: 'search forms',
  async up(trx) {
    // Their words are written again when the server starts.
    await sql`insert into counters (name, value) select 'outdated lists', 1 where exists (select 1 from products)
      and not exists (select 1 from counters where name = 'outdated lists')`.execute(trx);
  },
};
