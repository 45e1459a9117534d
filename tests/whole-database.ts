/** Everything a database holds, for tests that look for a change or for a text. */
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';

const names = new WeakMap<Database, string[]>();

/** The rows of every table, each as JSON, in an order that does not depend on the engine. */
export async function everyTable({ db }: { db: Database }): Promise<Map<string, string[]>> {
  const tables = names.get(db) ?? (await db.read.introspection.getTables()).map(({ name }) => name);
  names.set(db, tables);
  const rows = await Promise.all(tables.map((name) => sql<object>`select * from ${sql.table(name)}`.execute(db.read)));
  return new Map(rows.map((result, index) => [tables[index] ?? '', result.rows.map((row) => JSON.stringify(row)).sort()]));
}

export const wholeDatabase = async (shop: { db: Database }): Promise<string> => JSON.stringify([...(await everyTable(shop))]);
