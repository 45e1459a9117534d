/** Copies a shop's database to the other engine, and proves that the copy is equal. */
import { hash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { sqliteFileName } from '../sqlite/open.ts';
import { openPostgres, openPostgresTarget } from './postgres.ts';
import {
  batchRows,
  columnsOf,
  MoveTargetError,
  quoted,
  type Source,
  searchIndex,
  type Table,
  type Target,
  type Value,
  withSearchIndex,
} from './side.ts';

export interface TableContent {
  rows: number;
  /** The sum of the rows' hashes: the engines do not sort texts alike. */
  digest: string;
}

const progressMs = 5000;

export type Place = { dataDir: string } | { databaseUrl: string };

/**
 * `from` has to be at this version of the program, `to` empty; an unfinished move into the same target is deleted first. Returns
 * each table's content, and whether others used the source meanwhile, whose later changes are missing. @throws {MoveTargetError}
 * if the target is not empty @throws {Error} if the copy differs
 */
export async function moveDatabase(
  from: Place,
  to: Place,
  onProgress: (line: string) => void,
): Promise<{ tables: Map<string, TableContent>; sourceInUse: boolean }> {
  const target =
    'dataDir' in to ? await openSqliteTarget(to.dataDir) : await openPostgresTarget(to.databaseUrl);
  try {
    const source = 'dataDir' in from ? openSqlite(from.dataDir) : await openPostgres(from.databaseUrl);
    try {
      const tables = await source.tables();
      const expected = new Map((await target.tables()).map((table) => [table.name, table]));
      const copied = new Map<string, TableContent>();
      onProgress(`Copying ${tables.length} tables.`);
      for (const table of tables) {
        const own = expected.get(table.name);
        if (!own || namesOf(own) !== namesOf(table) || tables.length !== expected.size)
          throw new Error(`The tables differ at ${table.name}. Were both migrated by this version?`);
        const watch = progressOf(table.name, onProgress);
        copied.set(
          table.name,
          await measure(source.batches(table), async (rows) => {
            await target.insert(own, rows);
            watch(rows.length);
          }),
        );
      }
      onProgress('Making indexes and comparing every row.');
      await target.restore();
      for (const table of expected.values())
        requireEqual(table.name, copied.get(table.name), await measure(target.batches(table)));
      const sourceInUse = await source.isInUse();
      await target.finish();
      return { tables: copied, sourceInUse };
    } finally {
      await source.close();
    }
  } finally {
    await target.close();
  }
}

/** For tests and comparisons. */
export async function contentOf(place: Place): Promise<Map<string, TableContent>> {
  const source = 'dataDir' in place ? openSqlite(place.dataDir) : await openPostgres(place.databaseUrl);
  try {
    const content = new Map<string, TableContent>();
    for (const table of await source.tables()) content.set(table.name, await measure(source.batches(table)));
    return content;
  } finally {
    await source.close();
  }
}

const namesOf = ({ columns }: Table) => columns.map(({ name }) => name).join();

function progressOf(table: string, print: (line: string) => void): (rows: number) => void {
  let done = 0;
  let saidAt = Date.now();
  return (rows) => {
    done += rows;
    if (Date.now() - saidAt < progressMs) return;
    saidAt = Date.now();
    print(`${table}: ${done} rows`);
  };
}

function requireEqual(table: string, wanted: TableContent | undefined, found: TableContent): void {
  if (wanted?.rows !== found.rows || wanted.digest !== found.digest)
    throw new Error(
      `The copy of ${table} differs: ${found.rows} rows instead of ${wanted?.rows}, or other values. It was not put into use.`,
    );
}

async function measure(
  batches: AsyncIterable<Value[][]>,
  use: (rows: Value[][]) => Promise<void> = async () => {},
): Promise<TableContent> {
  let [rows, sum] = [0, 0n];
  for await (const batch of batches) {
    for (const row of batch) sum += BigInt(`0x${hash('sha256', row.map(encode).join())}`);
    rows += batch.length;
    await use(batch);
  }
  return { rows, digest: BigInt.asUintN(256, sum).toString(16).padStart(64, '0') };
}

function encode(value: Value): string {
  if (value === null) return 'n';
  if (typeof value === 'string') return `t${value.length}:${value}`;
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('hex')}`;
  return `${typeof value === 'bigint' ? 'i' : 'r'}${value}`;
}

export function openSqlite(dataDir: string): Source {
  const db = new DatabaseSync(join(dataDir, sqliteFileName), { readOnly: true, timeout: 10_000 });
  const version = () => JSON.stringify(db.prepare('PRAGMA data_version').get());
  const before = version();
  // A read transaction sees one moment, while a running shop writes on.
  db.exec('BEGIN');
  return {
    ...readSqlite(db),
    async isInUse() {
      db.exec('COMMIT');
      return version() !== before;
    },
    close: async () => db.close(),
  };
}

function readSqlite(db: DatabaseSync): Pick<Source, 'tables' | 'batches'> {
  db.exec(
    `create virtual table temp.search_terms_by_product using fts5vocab('main', '${searchIndex}', 'instance')`,
  );
  return {
    async tables() {
      const names = db
        .prepare(
          "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite~_%' escape '~'",
        )
        .all()
        .map(({ name }) => String(name));
      const columns = db.prepare('select name, type from pragma_table_info(?) order by name');
      const read = (name: string): Table => ({
        name,
        columns: columns
          .all(name)
          .map((column) => ({ name: String(column.name), type: String(column.type) })),
      });
      return withSearchIndex(names.filter((name) => name !== 'schema_migrations').map(read));
    },
    async *batches(table) {
      const statement = db.prepare(
        table.name === searchIndex
          ? `select doc, group_concat(term, ' ' order by term) from search_terms_by_product group by doc`
          : `select ${columnsOf(table)} from ${quoted(table.name)}`,
      );
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      let batch: Value[][] = [];
      for (const row of statement.iterate() as unknown as Iterable<Value[]>) {
        batch.push(row);
        if (batch.length < batchRows) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
  };
}

/** The file is made in a folder of its own, which no shop opens, and takes its place at the end. */
async function openSqliteTarget(dataDir: string): Promise<Target> {
  const [file, folder] = [join(dataDir, sqliteFileName), join(dataDir, 'unfinished-move')];
  const claim = claimFolder(dataDir);
  if (existsSync(file)) {
    claim.end();
    throw new MoveTargetError(`${file} exists already. Move it away, or name another folder.`);
  }
  rmSync(folder, { recursive: true, force: true });
  const unfinished = await openDatabase({ dataDir: folder, durable: false });
  await migrate(unfinished).finally(() => unfinished.close());
  const draft = join(folder, sqliteFileName);
  const db = new DatabaseSync(draft, { enableForeignKeyConstraints: false });
  db.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000');
  const reading = readSqlite(db);
  const indexes = db
    .prepare("select name, sql from sqlite_master where type = 'index' and sql is not null")
    .all();
  for (const { name } of indexes) db.exec(`drop index ${quoted(String(name))}`);
  for (const { name } of await reading.tables()) db.exec(`delete from ${quoted(name)}`);
  const statements = new Map<string, StatementSync>();
  db.exec('BEGIN');
  return {
    ...reading,
    async insert(table, rows) {
      const columns = table.name === searchIndex ? 'rowid, tokens' : columnsOf(table);
      const text = `insert into ${quoted(table.name)} (${columns}) values (${columnsOf(table, () => '?')})`;
      const statement = statements.get(table.name) ?? db.prepare(text);
      // A full-text index reports row numbers beyond 2^53.
      statement.setReadBigInts(true);
      statements.set(table.name, statement);
      for (const row of rows) statement.run(...(row as SQLInputValue[]));
    },
    async restore() {
      for (const { sql } of indexes) db.exec(String(sql));
      db.exec('COMMIT');
      const orphans = db.prepare('PRAGMA foreign_key_check').all();
      if (orphans.length > 0)
        throw new Error(`${orphans.length} rows of the source refer to rows that do not exist.`);
    },
    async finish() {
      db.close();
      const descriptor = openSync(draft, 'r+');
      fsyncSync(descriptor);
      closeSync(descriptor);
      renameSync(draft, file);
      rmSync(folder, { recursive: true, force: true });
    },
    close: async () => {
      if (db.isOpen) db.close();
      claim.end();
    },
  };
}

/** No other move writes into the folder meanwhile. The system ends the claim of a process that dies. @throws {MoveTargetError} */
function claimFolder(dataDir: string): { end(): void } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'move.lock');
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    throw new MoveTargetError(`Another move writes into ${dataDir}.`);
  }
  return {
    end() {
      rmSync(path, { force: true });
      lock.close();
    },
  };
}
