/** Everything a database holds, for tests that look for a change or for a text. */
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';

/** The rows of every table, each as JSON, in an order that does not depend on the engine. Tables that nothing changed are the same list. */
export type Tables = ReadonlyMap<string, readonly string[]>;

/** A table of SQLite as it was read. */
interface Known {
  /** How many rows of it had been written by then; null: that is not counted. */
  writes: number | null;
  rows: readonly string[];
}

const latest = new WeakMap<Database, ReadonlyMap<string, Known>>();
const texts = new WeakMap<readonly string[], string>();
const quieted = new WeakMap<readonly string[], Map<string, readonly string[]>>();

/** The tables that SQLite keeps its full-text index in are numbered beyond what JavaScript counts. */
const isOwn = (name: string) => !name.startsWith('search_index_');

export async function everyTable({ db }: { db: Database }): Promise<Tables> {
  const before = latest.get(db) ?? (await nothingRead(db));
  // Read before the rows: what is written in between is seen the next time.
  const writes = await writesOf(db);
  const reads = [...before].map(async ([name, known]) => {
    const written = writes.get(name) ?? null;
    return [
      name,
      written !== null && known.writes === written ? known : await readAgain(db, name, known, written),
    ] as const;
  });
  const tables = new Map(await Promise.all(reads));
  latest.set(db, tables);
  return new Map([...tables].map(([name, { rows }]) => [name, rows]));
}

export const wholeDatabase = async (shop: { db: Database }): Promise<string> =>
  textOf(await everyTable(shop));

export function textOf(tables: Iterable<readonly [name: string, rows: readonly string[]]>): string {
  const written = [...tables].map(([name, rows]) => {
    const text = texts.get(rows) ?? rows.join('\n');
    texts.set(rows, text);
    return `${name}\n${text}`;
  });
  return written.join('\n\n');
}

/** The rows of each table without what matches, in their new order. */
export function withoutFields(
  tables: Iterable<readonly [name: string, rows: readonly string[]]>,
  fields: RegExp,
): Tables {
  const quiet = (rows: readonly string[]) => {
    const known = quieted.get(rows) ?? new Map<string, readonly string[]>();
    quieted.set(rows, known);
    const without = known.get(fields.source) ?? rows.map((row) => row.replace(fields, '')).sort();
    known.set(fields.source, without);
    return without;
  };
  return new Map([...tables].map(([name, rows]) => [name, quiet(rows)]));
}

async function nothingRead(db: Database): Promise<ReadonlyMap<string, Known>> {
  if (db.engine === 'sqlite') await countWrites(db);
  const tables = await db.read.introspection.getTables();
  return new Map(
    tables.filter(({ name }) => isOwn(name)).map(({ name }) => [name, { writes: null, rows: [] }]),
  );
}

async function readAgain(
  { read }: Database,
  name: string,
  known: Known,
  writes: number | null,
): Promise<Known> {
  const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(read);
  const found = rows.map((row) => JSON.stringify(row)).sort();
  const isSame = found.length === known.rows.length && found.every((row, index) => row === known.rows[index]);
  return { writes, rows: isSame ? known.rows : found };
}

/** Where the triggers count, which no list of the shop's tables has: SQLite keeps the last numbers of tables there. */
const countOf = (name: string) => `writes of ${name}`;

async function writesOf({ engine, read }: Database): Promise<Map<string, number>> {
  if (engine !== 'sqlite') return new Map();
  const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(
    read,
  );
  return new Map(rows.map(({ name, seq }) => [name.slice(countOf('').length), seq]));
}

/** Counts what is written from now on, over whichever connection. */
async function countWrites(db: Database): Promise<void> {
  await db.transaction(async (trx) => {
    // Indexes of words, which are called tables too, can have no triggers.
    const { rows } = await sql<{ name: string }>`select name from pragma_table_list
      where schema = 'main' and type = 'table' and name not like 'sqlite~_%' escape '~'`.execute(trx);
    // The first table with numbers makes the one that they are kept in.
    await sql`create table numbered (id integer primary key autoincrement)`.execute(trx);
    await sql`drop table numbered`.execute(trx);
    // Those of the full-text index are written within SQLite's own work, and nobody reads them here.
    for (const { name } of rows.filter((each) => isOwn(each.name))) {
      await sql`insert into sqlite_sequence (name, seq) values (${countOf(name)}, 0)`.execute(trx);
      for (const event of ['insert', 'update', 'delete'])
        await sql`create trigger ${sql.id(`${name} ${event}`)} after ${sql.raw(event)} on ${sql.table(name)} begin
          update sqlite_sequence set seq = seq + 1 where name = ${sql.lit(countOf(name))}; end`.execute(trx);
    }
  });
}
