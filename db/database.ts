/** The interface of the database for the rest of the program: reads, transactions, and the engine. */
import type { Kysely, RawBuilder } from 'kysely';
import type { BeforeCommit } from './before-commit.ts';
import type { ChangeLog } from './catalogue-version.ts';
import type { Outage } from './outage.ts';
import type { Tables } from './tables.ts';

export type EngineName = 'sqlite' | 'postgres';

/** A `Trx` is one too. */
export type Reader = Kysely<Tables>;

declare const writes: unique symbol;
/** A function that writes requires one, so that no write happens outside. */
export type Trx = Reader & { readonly [writes]: true };

export interface Database {
  readonly engine: EngineName;
  /** The differences between the engines behind one interface. */
  readonly queries: EngineQueries;
  /** Reads of committed data. */
  readonly read: Reader;
  /**
   * Atomic, and durable when it returns. `work` must await only queries on `trx` (on SQLite all other transactions wait for it)
   * and change nothing outside: PostgreSQL runs it again after a serialization failure or a deadlock. An error rolls it back and
   * is rethrown.
   */
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /** Runs `work` at the end of every transaction from now on, as a part of it. */
  beforeCommit(work: BeforeCommit): void;
  /** No older than this call. A plain number if no waiting is needed. */
  catalogueVersion(): number | Promise<number>;
  /** For caches. */
  readonly changes: ChangeLog;
  /** Rejects if the database cannot be reached. */
  ping(): Promise<void>;
  /** According to the latest transactions and queries. */
  readonly outage: Outage;
  /** Of PostgreSQL's primary: connections in use, idle ones, and requests that wait for one. */
  poolUse?(): { used: number; idle: number; waiting: number };
  /** PostgreSQL's server in use. */
  host?(): string;
  close(): Promise<void>;
}

interface DatabaseOptions {
  /** Of the SQLite file, created if missing; ':memory:' is a temporary one, deleted at `close`. */
  dataDir: string;
  /** Of one host or several (`parsePostgresUrl`); null means SQLite. */
  databaseUrl?: string | null;
  /** False trades durability on power loss for speed: for tests and bulk loads only. */
  durable?: boolean;
  /** Of PostgreSQL, at most: fewer for tests, where a connection takes longer than what it is for. */
  connections?: number;
}

/** Does not migrate it. Rejects if it cannot be reached. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const durable = options.durable ?? true;
  // Only the engine in use is loaded.
  if (options.databaseUrl) {
    const { openPostgres } = await import('./postgres/open.ts');
    return await openPostgres({ url: options.databaseUrl, durable, connections: options.connections });
  }
  const { openSqlite } = await import('./sqlite/open.ts');
  return openSqlite({ dataDir: options.dataDir, durable });
}

export interface EngineQueries {
  /** Until the transaction ends. On SQLite all transactions are serial anyway. */
  lock(trx: Trx, name: string): Promise<void>;
  /** Of a unique index or primary key. */
  isUniqueViolation(error: unknown): boolean;
  isCheckViolation(error: unknown): boolean;
  /** Null if the error does not mean that the database cannot serve. */
  outageCause(error: unknown): string | null;
  /** In the engine's own files, one per line. Reads all of a SQLite file. */
  integrityProblems(db: Reader): Promise<string[]>;
  readonly search: SearchIndex;
}

interface SearchDocument {
  /** The product's number. */
  no: number;
  /** Letters and digits only. */
  tokens: readonly string[];
}

/** Which products have which tokens. The server's search module makes the tokens. */
export interface SearchIndex {
  put(trx: Trx, documents: readonly SearchDocument[]): Promise<void>;
  remove(trx: Trx, nos: readonly number[]): Promise<void>;
  /** Those with at least one of the tokens, from `from` (inclusive) to `below` (exclusive), in no particular order. */
  productNos(db: Reader, tokens: readonly string[], from: number, below: number): Promise<Iterable<number>>;
  matching(groups: readonly (readonly string[])[]): RawBuilder<number>;
}
