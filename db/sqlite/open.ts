/** One file in write-ahead mode, one connection that writes and one that reads. */
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { CommitWork } from '../before-commit.ts';
import { type CatalogueChange, ChangeTracker } from '../catalogue-version.ts';
import type { Database, Reader, Trx } from '../database.ts';
import { sqliteQueries } from '../engines/sqlite.ts';
import { freshReader } from '../fresh-reader.ts';
import { Outage } from '../outage.ts';
import type { Tables } from '../tables.ts';
import { GroupCommit } from './group-commit.ts';

const folderMode = 0o700;
const fileMode = 0o600;

function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: folderMode });
  restrict(folder, folderMode);
}

export function makePrivateFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', fileMode));
  restrict(file, fileMode);
}

function restrict(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    // A folder of another owner, or a file system without modes: its administrator controls access.
  }
}

/** More than the program's queries; lists of varying length (`in (?, ?, …)`) evict the oldest. */
const statementLimit = 1000;

/** Results are synchronous. */
class SqliteConnection {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, returnsRows } = this.#prepare(query.sql);
    // Kysely types parameters as unknown; `node:sqlite` rejects values that SQLite does not support.
    const parameters = query.parameters as SQLInputValue[];
    if (!returnsRows) return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
    const rows = statement.all(...parameters) as R[];
    return query.query.kind === 'SelectQueryNode' ? { rows } : { rows, numAffectedRows: BigInt(rows.length) };
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#statements.get(sql);
    if (!prepared) {
      const statement = this.#db.prepare(sql);
      prepared = { statement, returnsRows: statement.columns().length > 0 };
      // A full-text index numbers its own rows beyond 2^53, and `run` reports the last one.
      if (!prepared.returnsRows) statement.setReadBigInts(true);
      if (this.#statements.size >= statementLimit) {
        for (const oldest of this.#statements.keys()) {
          this.#statements.delete(oldest);
          break;
        }
      }
      this.#statements.set(sql, prepared);
    }
    return prepared;
  }
}

/** For one transaction, or one read: a query that was not awaited must not run in another transaction. */
class LentConnection implements DatabaseConnection {
  ended = false;
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.ended) throw new Error('A query came after its transaction had ended; was it awaited?');
    return this.#connection.executeQuery<R>(query);
  }

  // biome-ignore lint/correctness/useYield: Kysely requires the method, and no query streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not supported: read in pages instead');
  }
}

class FreeAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

export const sqliteFileName = 'shop.db';

/** The file is empty, which this program never leaves behind. */
export class EmptyDatabaseFileError extends Error {
  override name = 'EmptyDatabaseFileError';

  constructor(file: string) {
    super(`${file} is empty. Restore a backup in its place, or delete it to start with a new database.`);
  }
}

/** The file has tables of another program, and none of this one. */
export class ForeignDatabaseError extends Error {
  override name = 'ForeignDatabaseError';

  constructor(file: string) {
    super(
      `${file} belongs to another program: it has tables, but none of the shop. Set DATA_DIR to another folder.`,
    );
  }
}

function requireOwn(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return;
  if (size === 0) throw new EmptyDatabaseFileError(file);
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    const names = db
      .prepare("select name from sqlite_master where type = 'table'")
      .all()
      .map(({ name }) => name);
    if (names.length > 0 && !names.includes('schema_migrations')) throw new ForeignDatabaseError(file);
  } finally {
    db.close();
  }
}

/**
 * `durable: false` does not wait for the disk. @throws {ForeignDatabaseError} if the file has tables of another program @throws
 * {EmptyDatabaseFileError} if it exists and is empty: its content was lost, and a new shop must not hide that
 */
export function openSqlite({ dataDir, durable }: { dataDir: string; durable: boolean }): Database {
  const throwAway = dataDir === ':memory:';
  const folder = throwAway ? mkdtempSync(join(tmpdir(), 'shopwright-')) : dataDir;
  makePrivateFolder(folder);
  const file = join(folder, sqliteFileName);
  requireOwn(file);
  // SQLite gives the files beside it (-wal, -shm) the same mode.
  makePrivateFile(file);
  for (const beside of ['-wal', '-shm'].map((ending) => file + ending))
    if (existsSync(beside)) makePrivateFile(beside);

  const writer = connect(file, durable);
  const reader = connect(file, durable);
  reader.exec('PRAGMA query_only = ON');
  const version = new VersionReader(reader);
  const log = durable ? new WalSync(`${file}-wal`) : null;
  const commits = new GroupCommit(writer, { committed: () => version.forget(), durable: () => log?.wait() });
  const read = kyselyOn(reader);
  const outage = new Outage(sqliteQueries.outageCause);
  const work = new CommitWork();
  const transaction = committing(commits, { db: kyselyOn(writer), work, outage });

  return {
    engine: 'sqlite',
    queries: sqliteQueries,
    read,
    outage,
    transaction,
    beforeCommit: (each) => work.add(each),
    catalogueVersion: () => version.read(),
    changes: {
      refresh() {
        version.read();
        return undefined;
      },
      get moment() {
        return version.tracker.moment;
      },
      changedSince: (moment, topics) => version.tracker.changedSince(moment, topics),
    },
    async ping() {
      reader.exec('select 1');
    },
    async close() {
      await commits.close();
      await log?.close();
      reader.close();
      writer.close();
      if (throwAway) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function committing(
  commits: GroupCommit,
  { db, work: last, outage }: { db: Kysely<Tables>; work: CommitWork; outage: Outage },
): <T>(work: (trx: Trx) => Promise<T>) => Promise<T> {
  return async (work) => {
    try {
      // The brand exists only in the types.
      const result = await commits.run(() =>
        db.transaction().execute((trx) => last.finish(trx as Reader as Trx, work)),
      );
      outage.end();
      return result;
    } catch (error) {
      outage.note(error);
      throw error;
    }
  };
}

function connect(file: string, durable: boolean): DatabaseSync {
  // The time-out covers the short locks of opening and recovery; transactions wait for their own.
  const db = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true });
  db.exec('PRAGMA journal_mode = WAL');
  // NORMAL still waits for the disk where the file's integrity depends on it; for each commit `WalSync` waits.
  db.exec(`PRAGMA synchronous = ${durable ? 'NORMAL' : 'OFF'}`);
  // A checkpoint waits for the disk inside a commit: with every 16 MB of log instead of 4 there are fewer.
  db.exec('PRAGMA wal_autocheckpoint = 4000');
  // 100,000 products take half of the mapped size; each page beyond it costs a system call.
  db.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32000; PRAGMA mmap_size = 1073741824');
  // A bulk load writes all over large indexes: touched pages stay in memory, and are written in large steps.
  if (!durable) db.exec('PRAGMA cache_size = -200000; PRAGMA wal_autocheckpoint = 25000');
  return db;
}

/** SQLite itself would wait inside COMMIT, on the thread that answers requests, for milliseconds at a time. */
export class WalSync {
  readonly #file: string;
  readonly #sync: () => Promise<void>;
  #handle: Promise<FileHandle> | null = null;

  /** The log beside the database, which SQLite keeps as long as a connection is open. */
  constructor(file: string, sync: (handle: FileHandle) => Promise<void> = (handle) => handle.datasync()) {
    this.#file = file;
    // Commits that arrive during one wait share the next.
    this.#sync = freshReader(async () => sync(await this.#open()));
  }

  /** For all that was committed before the call. */
  wait(): Promise<void> {
    return this.#sync();
  }

  async close(): Promise<void> {
    await (await this.#handle?.catch(() => null))?.close();
  }

  #open(): Promise<FileHandle> {
    // Windows syncs only files that are open for writing.
    this.#handle ??= open(this.#file, 'r+');
    return this.#handle;
  }
}

const versionQuery = 'select version from catalogue_version where id = 1';
const changesQuery = 'select version, topics from catalogue_changes where version > ? order by version';

/** With the changes that led to it. */
class VersionReader {
  readonly tracker = new ChangeTracker();
  readonly #db: DatabaseSync;
  #known: number | null = null;
  #versions: StatementSync | undefined;
  #changes: StatementSync | undefined;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Read once for all requests that arrive together. */
  read(): number {
    if (this.#known !== null) return this.#known;
    if (!this.#versions) {
      this.#versions = this.#db.prepare(versionQuery);
      // Without an object for the row it takes a quarter less.
      this.#versions.setReturnArrays(true);
    }
    const [version] = this.#versions.get() as unknown as [number];
    this.#learn(version);
    this.#known = version;
    // A caller that knows of a later change, in any process, asks in a later turn of the event loop.
    setImmediate(() => this.forget());
    return version;
  }

  /** The next `read` asks again. */
  forget(): void {
    this.#known = null;
  }

  #learn(version: number): void {
    if (version === this.tracker.version) return;
    this.#changes ??= this.#db.prepare(changesQuery);
    const changes = this.tracker.version === null ? [] : this.#changes.all(this.tracker.version);
    this.tracker.advance(version, changes as unknown as CatalogueChange[]);
  }
}

interface Prepared {
  statement: StatementSync;
  returnsRows: boolean;
}

function kyselyOn(db: DatabaseSync): Kysely<Tables> {
  const connection = new SqliteConnection(db);
  const nothing = async () => {};
  const end = async (lent: DatabaseConnection) => {
    (lent as LentConnection).ended = true;
  };
  const driver: Driver = {
    init: nothing,
    acquireConnection: async () => new LentConnection(connection),
    releaseConnection: nothing,
    beginTransaction: nothing,
    commitTransaction: end,
    rollbackTransaction: end,
    destroy: nothing,
  };
  return new Kysely<Tables>({
    dialect: {
      createDriver: () => driver,
      createQueryCompiler: () => new SqliteQueryCompiler(),
      // The base adapter reports a single connection, which would make Kysely queue reads behind a mutex.
      createAdapter: () => new FreeAdapter(),
      createIntrospector: (each) => new SqliteIntrospector(each),
    },
  });
}
