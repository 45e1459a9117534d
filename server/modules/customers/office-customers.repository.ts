/** Queries customers as the office lists them. */
import { sql } from 'kysely';
import type { Reader } from '#db/database.ts';
import { queryWords } from '#db/order-words.ts';
import type { CustomerRow } from './accounts.repository.ts';

/**
 * Customers after one of them: of a text, by the word that it begins; without a text, the newest first. Null if that one is gone.
 * Both are walks of an index, so a page takes as long for a letter that everybody has as for a name.
 */
export async function customerPage(db: Reader, text: string, after: string | null, count: number): Promise<CustomerRow[] | null> {
  const [first, ...others] = queryWords(text);
  if (first === undefined) return text.trim() === '' ? newestCustomers(db, after, count) : [];
  const [from, to] = rangeOf(first);
  const last = after === null ? null : await firstWordOf(db, after, from, to);
  if (last === undefined) return null;
  // One lower bound: with two, PostgreSQL walks its index from the lower of them.
  const start = last ? sql`(found.word, found.customer_id) > (${last.word}, ${last.customer_id})` : sql`found.word >= ${from}`;
  // Cross joins: SQLite then starts from the words. A customer comes once, with the first of their words.
  const found = await sql<CustomerRow>`select customers.* from customer_words as found cross join customers
    where ${start} and found.word < ${to}
      and customers.id = found.customer_id
      and not exists (select 1 from customer_words as earlier where earlier.customer_id = found.customer_id
        and earlier.word >= ${from} and earlier.word < found.word)
      ${sql.join(
        others.map((word) => {
          const [least, beyond] = rangeOf(word);
          return sql`and exists (select 1 from customer_words as other where other.customer_id = found.customer_id
            and other.word >= ${least} and other.word < ${beyond})`;
        }),
        sql` `,
      )}
    order by found.word, found.customer_id limit ${count}`.execute(db);
  return found.rows;
}

async function newestCustomers(db: Reader, after: string | null, count: number): Promise<CustomerRow[] | null> {
  let query = db.selectFrom('customers').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(count);
  if (after !== null) {
    const last = await db.selectFrom('customers').select('created_at').where('id', '=', after).executeTakeFirst();
    if (!last) return null;
    query = query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(last.created_at, after)));
  }
  return query.execute();
}

async function firstWordOf(db: Reader, customerId: string, from: string, to: string) {
  const words = db.selectFrom('customer_words').selectAll().where('customer_id', '=', customerId);
  return words.where('word', '>=', from).where('word', '<', to).orderBy('word').limit(1).executeTakeFirst();
}

/** What begins with a word. The column compares by code points, on PostgreSQL as well. */
const rangeOf = (word: string) => [word, word + String.fromCodePoint(0x10ffff)] as const;
