/**
 * Since this version amounts are in the smallest unit of their currency. Orders in currencies without two digits, which were placed before, have
 * hundredths: when that ended is kept, so that `doctor` can tell them apart. Their bills stay as the customers have them.
 */
import { sql } from 'kysely';
import type { Migration } from './index.ts';

/** Of ISO 4217, as it was then. */
const currencies =
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF BHD IQD JOD KWD LYD OMR TND CLF UYW'.split(
    ' ',
  );

export const amountsInHundredths: Migration = {
  id: 85,
  name: 'amounts in hundredths',
  async up(db) {
    await sql`insert into counters (name, value) select 'hundredths until', ${Date.now()}
      where exists (select 1 from orders where placed_at is not null and currency in (${sql.join(currencies)}))`.execute(
      db,
    );
  },
};
