/** Everything a database holds, for tests that look for a change or for a text. */
import { type CompiledQuery, sql } from 'kysely';
import type { Database } from '#db/database.ts';

/** The rows of every table, each as JSON, in an order that does not depend on the engine. Tables that nothing changed are the same list. */
export type Tables = ReadonlyMap<string, readonly string[]>;

interface Known {
  tables: Tables;
  /** Of SQLite: as it was when the rows were read, and what each table then held. */
  version: string;
  contents: ReadonlyMap<string, string>;
}

/** Of SQLite: writes each table's rows as one text. */
type Contents = ReadonlyMap<string, CompiledQuery<{ content: string | null }>>;

const statements = new WeakMap<Database, Contents>();
const latest = new WeakMap<Database, Known>();
const texts = new WeakMap<readonly string[], string>();
const quieted = new WeakMap<readonly string[], Map<string, readonly string[]>>();

/** The tables that SQLite keeps its full-text index in are numbered beyond what JavaScript counts. */
const isOwn = (name: string) => !name.startsWith('search_index_');

export async function everyTable({ db }: { db: Database }): Promise<Tables> {
  if (db.engine !== 'sqlite') return new Map(await Promise.all((await tablesOf(db)).map(({ name }) => readRows(db, name))));
  // Read before the rows: what is written in between is seen the next time.
  const version = await versionOf(db);
  const known = latest.get(db);
  if (known?.version === version) return known.tables;
  const contents = await contentsOf(db);
  const reads = [...contents].map(async ([name, content]) => {
    const rows = known?.contents.get(name) === content ? known.tables.get(name) : undefined;
    return rows ? ([name, rows] as const) : readRows(db, name);
  });
  const tables = new Map(await Promise.all(reads));
  latest.set(db, { tables, version, contents });
  return tables;
}

export const wholeDatabase = async (shop: { db: Database }): Promise<string> => textOf(await everyTable(shop));

export function textOf(tables: Iterable<readonly [name: string, rows: readonly string[]]>): string {
  const written = [...tables].map(([name, rows]) => {
    const text = texts.get(rows) ?? rows.join('\n');
    texts.set(rows, text);
    return `${name}\n${text}`;
  });
  return written.join('\n\n');
}

/** The rows of each table without what matches, in their new order. */
export function withoutFields(tables: Iterable<readonly [name: string, rows: readonly string[]]>, fields: RegExp): Tables {
  const quiet = (rows: readonly string[]) => {
    const known = quieted.get(rows) ?? new Map<string, readonly string[]>();
    quieted.set(rows, known);
    const without = known.get(fields.source) ?? rows.map((row) => row.replace(fields, '')).sort();
    known.set(fields.source, without);
    return without;
  };
  return new Map([...tables].map(([name, rows]) => [name, quiet(rows)]));
}

async function tablesOf({ read }: Database) {
  return (await read.introspection.getTables()).filter(({ name }) => isOwn(name));
}

async function readRows({ read }: Database, name: string): Promise<readonly [string, string[]]> {
  const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(read);
  return [name, rows.map((row) => JSON.stringify(row)).sort()];
}

/** SQLite tells a connection whether another one has committed anything since. */
async function versionOf({ read }: Database): Promise<string> {
  return JSON.stringify((await sql`pragma data_version`.execute(read)).rows);
}

/** Each table's rows as one text: reading them as objects takes ten times as long. */
async function contentsOf(db: Database): Promise<Map<string, string>> {
  const all = statements.get(db) ?? (await contentStatements(db));
  statements.set(db, all);
  const read = [...all].map(async ([name, statement]) => {
    const { rows } = await db.read.executeQuery(statement);
    return [name, rows[0]?.content ?? ''] as const;
  });
  return new Map(await Promise.all(read));
}

async function contentStatements(db: Database): Promise<Contents> {
  const tables = (await tablesOf(db)).map(({ name, columns }) => {
    // `quote` ends a text at a NUL.
    const values = columns
      .map((column) => sql.ref(column.name))
      .map((value) => sql`iif(instr(${value}, char(0)), hex(${value}), quote(${value}))`);
    const row = sql.join(values, sql` || ',' || `);
    const statement = sql<{ content: string | null }>`select group_concat(${row}, ';') as content from ${sql.table(name)}`;
    return [name, statement.compile(db.read)] as const;
  });
  return new Map(tables);
}
