/** By what the office finds customers, and what staff write about them. */
import { type Kysely, sql } from 'kysely';
import { personWords } from '../order-words.ts';
import type { Tables } from '../tables.ts';
import type { Migration } from './index.ts';

const batchSize = 500;

export const customerDesk: Migration = {
  id: 54,
  name: 'customer desk',
  async up(trx, engine) {
    const { schema } = trx;
    await schema
      .createTable('customer_notes')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('customer_id', 'text', (c) => c.notNull().references('customers.id').onDelete('cascade'))
      .addColumn('staff_id', 'text', (c) => c.references('staff.id').onDelete('set null'))
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .execute();
    await schema
      .createIndex('customer_notes_customer')
      .on('customer_notes')
      .columns(['customer_id', 'at'])
      .execute();
    await schema.createIndex('customers_created').on('customers').columns(['created_at', 'id']).execute();
    // A prefix is a range of code points, which the collation of a PostgreSQL database need not follow.
    const word = engine === 'postgres' ? sql`text collate "C"` : sql`text`;
    await schema
      .createTable('customer_words')
      .addColumn('word', word, (c) => c.notNull())
      .addColumn('customer_id', 'text', (c) => c.notNull().references('customers.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('customer_words_pkey', ['word', 'customer_id'])
      .modifyEnd(engine === 'sqlite' ? sql`without rowid` : sql``)
      .execute();
    await schema
      .createIndex('customer_words_customer')
      .on('customer_words')
      .columns(['customer_id', 'word'])
      .execute();
    await fillCustomerWords(trx);
  },
};

/** Writes by what every customer is found. */
export async function fillCustomerWords(trx: Kysely<Tables>): Promise<void> {
  for (let after = ''; ; ) {
    const customers = await trx
      .selectFrom('customers')
      .select(['id', 'first_name', 'last_name', 'email', 'mobile_phone'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(batchSize)
      .execute();
    const last = customers.at(-1);
    if (!last) return;
    const rows = customers.flatMap(
      ({ id, first_name: firstName, last_name: lastName, email, mobile_phone: phoneNumber }) =>
        personWords({ firstName, lastName, email, phoneNumber }).map((each) => ({
          word: each,
          customer_id: id,
        })),
    );
    // Below the number of values that one statement may have.
    for (let from = 0; from < rows.length; from += 5000)
      await trx
        .insertInto('customer_words')
        .values(rows.slice(from, from + 5000))
        .execute();
    after = last.id;
  }
}
