/** A Kysely driver over `node:sqlite`: one connection, statements prepared once. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { lentConnections } from '../lent-connections.ts';

/** More than the program's queries; lists of varying length (`in (?, ?, …)`) evict the oldest. */
const statementLimit = 1000;

interface Prepared {
  statement: StatementSync;
  returnsRows: boolean;
}

/** Runs queries on a connection and caches their prepared statements. Results are synchronous. */
export class SqliteConnection implements DatabaseConnection {
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

  // biome-ignore lint/correctness/useYield: Kysely requires the method, and no query streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not supported: read in pages instead');
  }

  /** Drops prepared statements, whose columns may have changed in a migration. */
  forget(): void {
    this.#statements.clear();
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

/** A dialect on a connection whose owner opens it, lends it to transactions and closes it. */
export function sqliteDialect(connection: DatabaseConnection): Dialect {
  const driver = lentConnections({ acquireConnection: async () => connection, releaseConnection: async () => {} });
  return {
    createDriver: () => driver,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    // The base adapter reports a single connection, which would make Kysely queue reads behind a mutex.
    createAdapter: () => new FreeAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

class FreeAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}
