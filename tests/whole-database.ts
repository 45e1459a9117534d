/** Everything a database holds, for tests that look for a change or for a text. */
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';

const names = new WeakMap<Database, string[]>();
const latest = new WeakMap<Database, { version: string; tables: Map<string, string[]> }>();

/** The tables that SQLite keeps its full-text index in are numbered beyond what JavaScript counts. */
const isOwn = (name: string) => !name.startsWith('search_index_');

/** The rows of every table, each as JSON, in an order that does not depend on the engine. */
export async function everyTable({ db }: { db: Database }): Promise<Map<string, string[]>> {
  const tables = names.get(db) ?? (await db.read.introspection.getTables()).map(({ name }) => name).filter(isOwn);
  names.set(db, tables);
  const version = await versionOf(db);
  const known = latest.get(db);
  if (known && known.version === version) return known.tables;
  const rows = await Promise.all(tables.map((name) => sql<object>`select * from ${sql.table(name)}`.execute(db.read)));
  const read = new Map(rows.map((result, index) => [tables[index] ?? '', result.rows.map((row) => JSON.stringify(row)).sort()]));
  if (version !== null) latest.set(db, { version, tables: read });
  return read;
}

/** SQLite tells a connection whether another one has committed anything since: reading every table takes long. Null: unknown. */
async function versionOf(db: Database): Promise<string | null> {
  return db.engine === 'sqlite' ? JSON.stringify((await sql`pragma data_version`.execute(db.read)).rows) : null;
}

export const wholeDatabase = async (shop: { db: Database }): Promise<string> => JSON.stringify([...(await everyTable(shop))]);
