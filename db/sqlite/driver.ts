import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
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
import type { Tables } from '../tables.ts';

/** More than the program's queries; lists of varying length (`in (?, ?, …)`) evict the oldest. */
const statementLimit = 1000;

interface Prepared {
  statement: StatementSync;
  returnsRows: boolean;
}

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

export function kyselyOn(db: DatabaseSync): Kysely<Tables> {
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

class FreeAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}
