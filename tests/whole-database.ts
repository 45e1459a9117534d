/** Everything a database holds, for tests that look for a change or for a text. */
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';

/** The rows of every table, in an order that does not depend on the engine. */
export async function wholeDatabase({ db }: { db: Database }): Promise<string> {
  const tables = (await db.read.introspection.getTables()).map(({ name }) => name);
  const rows = await Promise.all(tables.map((name) => sql<object>`select * from ${sql.table(name)}`.execute(db.read)));
  return JSON.stringify(rows.map((result, index) => [tables[index], result.rows.map((row) => JSON.stringify(row)).sort()]));
}
