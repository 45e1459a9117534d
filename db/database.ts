/** The database as the rest of the program sees it: reads, a transaction, and which engine it is. */
import type { Kysely, Transaction } from 'kysely';
import type { EngineQueries } from './engines/engine.ts';
import type { Outage } from './outage.ts';
import type { Tables } from './tables.ts';

export type EngineName = 'sqlite' | 'postgres';

/** Anything that can be read from; a `Trx` will do. */
export type Reader = Kysely<Tables>;

declare const writes: unique symbol;
/** Inside a transaction. A function that writes asks for one, so that nothing is written outside. */
export type Trx = Transaction<Tables> & { readonly [writes]: true };

export interface Database {
  readonly engine: EngineName;
  /** What the engines do differently, behind one interface. */
  readonly queries: EngineQueries;
  /** Reads of committed data. */
  readonly read: Reader;
  /** Reads of catalogue and content; on PostgreSQL a replica where one is set, so possibly a moment old. */
  readonly catalogue: Reader;
  /**
   * Runs `work` whole or not at all, and returns once the result is durable. `work` must await
   * nothing but queries on `trx` (on SQLite everybody else waits for it) and must stand being run
   * again (PostgreSQL repeats it after a serialization failure or a deadlock), so it changes nothing
   * outside the database. What it throws undoes it and is thrown on.
   */
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /** The catalogue version, not older than this call. A plain number where no waiting is needed. */
  catalogueVersion(): number | Promise<number>;
  /** Fails when the database cannot be reached. */
  ping(): Promise<void>;
  /** Whether the database can serve at present, as its last transactions and queries showed. */
  readonly outage: Outage;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Folder of the SQLite file, made if missing; ':memory:' is a throw-away one, gone at `close`. */
  dataDir: string;
  /** A postgres:// address; null means SQLite. */
  databaseUrl?: string | null;
  /** Read replicas, of which each process takes one. */
  replicaUrls?: readonly string[];
  /** False gives up surviving a power cut for speed: tests and bulk loads only. */
  durable?: boolean;
}

/** Opens the database without migrating it (see `migrate`). Throws where it cannot be reached. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const durable = options.durable ?? true;
  // Only the engine that is used is loaded.
  if (options.databaseUrl) {
    const { openPostgres } = await import('./postgres/open.ts');
    return await openPostgres({ url: options.databaseUrl, replicaUrls: options.replicaUrls ?? [], durable });
  }
  const { openSqlite } = await import('./sqlite/open.ts');
  return openSqlite({ dataDir: options.dataDir, durable });
}
