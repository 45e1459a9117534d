/**
 * A Kysely dialect on a pool. It prepares fixed queries once per connection, and sends at once what is asked at once: the answers
 * of PostgreSQL cost less than the way to it and back.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  Transaction,
} from 'kysely';
import type pg from 'pg';
import type { Trx } from '../database.ts';
import { DirectExecutor } from '../direct-executor.ts';
import { sqlState } from '../engines/postgres.ts';
import { lentConnections } from '../lent-connections.ts';
import { isFixed } from '../statement.ts';
import type { Tables } from '../tables.ts';

/** The part of a client that is used here; a pool's client, or one that is rerouted. */
export type Client = Pick<pg.PoolClient, 'query'> & { release(broken?: boolean): void };

export interface ClientSource {
  connect(): Promise<Client>;
  /** Whether a pooler may be in between, which knows no prepared statements; left out: it may. */
  readonly pooler?: boolean;
}

/** SQLSTATE of a prepared query whose columns a migration has changed. */
export const planOutdated = '0A000';

export function isPlanOutdated(error: unknown): boolean {
  return sqlState(error) === planOutdated;
}

/** More than the program's fixed queries; those beyond are not prepared. */
const mostNames = 1000;
const names = new Map<string, string>();

/** The name under which connections prepare a query; undefined if there are too many. */
export function nameOf(sql: string): string | undefined {
  let name = names.get(sql);
  if (name === undefined && names.size < mostNames) {
    name = `q${names.size}`;
    names.set(sql, name);
  }
  return name;
}

/** Connections whose prepared queries are outdated. */
const outdated = new WeakSet<Client>();

class PostgresConnection implements DatabaseConnection {
  readonly client: Client;
  readonly #prepares: boolean;

  constructor(client: Client, { pooler = true }: Pick<ClientSource, 'pooler'>) {
    this.client = client;
    this.#prepares = !pooler;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const name = this.#prepares && isFixed(query) && !outdated.has(this.client) ? nameOf(query.sql) : undefined;
    try {
      return resultOf(await this.client.query({ text: query.sql, values: [...query.parameters], ...(name ? { name } : {}) }));
    } catch (error) {
      if (name !== undefined && isPlanOutdated(error)) outdated.add(this.client);
      throw error;
    }
  }

  // biome-ignore lint/correctness/useYield: Kysely requires the method, and no query streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not supported: read in pages instead');
  }
}

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

function resultOf<R>({ command, rowCount, rows }: pg.QueryResult): QueryResult<R> {
  return changing.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
}

/** A connection for reads outside transactions: one whose plan is outdated is repeated without. */
class ReadConnection extends PostgresConnection {
  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return await super.executeQuery<R>(query);
    } catch (error) {
      if (!isPlanOutdated(error)) throw error;
      return super.executeQuery<R>(query);
    }
  }
}

export function postgresDialect(source: ClientSource): Dialect {
  const driver = lentConnections({
    acquireConnection: async () => new ReadConnection(await source.connect(), source),
    releaseConnection: async (connection) => (connection as ReadConnection).client.release(),
  });
  return {
    createDriver: () => driver,
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

/**
 * A connection in a transaction, which begins with its first query. `begin` is sent together with a query that only reads: should
 * it fail on its own, nothing was written outside a transaction.
 */
class TransactionConnection extends PostgresConnection {
  begun: Promise<unknown> | null = null;
  #ended = false;

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#ended) throw new Error('A query came after its transaction had ended; was it awaited?');
    if (this.begun) {
      await this.begun;
      return super.executeQuery<R>(query);
    }
    this.begun = this.client.query('begin');
    if (!/^\s*select\b/i.test(query.sql)) {
      await this.begun;
      return super.executeQuery<R>(query);
    }
    const [result] = await Promise.all([super.executeQuery<R>(query), this.begun]);
    return result;
  }

  async commit(): Promise<void> {
    this.#ended = true;
    if (!this.begun) return;
    const { command } = await this.client.query('commit');
    if (command === 'ROLLBACK') throw new Error('The transaction was rolled back, because one of its queries had failed');
  }

  /** Rejects if the connection is of no more use. */
  async rollback(): Promise<void> {
    this.#ended = true;
    if (this.begun) await this.client.query('rollback');
  }
}

/** A connection for one query, which is a transaction of its own. */
class SingleQueryConnection extends PostgresConnection {
  #used = false;

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#used) throw new Error('A second query came in a transaction of a single query');
    this.#used = true;
    return super.executeQuery<R>(query);
  }

  async commit(): Promise<void> {}

  async rollback(): Promise<void> {}
}

/** Runs `work` in one transaction; with `single`, in one of a single query (`Database.single`). */
export type RunTransaction = <T>(work: (trx: Trx) => Promise<T>, single: boolean) => Promise<T>;

export function transactionsOn(source: ClientSource): RunTransaction {
  const dialect = postgresDialect(source);
  const compiler = new PostgresQueryCompiler();
  const adapter = new PostgresAdapter();
  const driver = dialect.createDriver();
  return async (work, single) => {
    const client = await source.connect();
    const connection = new (single ? SingleQueryConnection : TransactionConnection)(client, source);
    const executor = new DirectExecutor(compiler, adapter, connection);
    const trx = new Transaction<Tables>({ config: { dialect }, driver, dialect, executor });
    let broken = true;
    try {
      // The brand exists only in the types.
      const value = await work(trx as Trx);
      await connection.commit();
      broken = false;
      return value;
    } catch (error) {
      await connection.rollback().then(
        () => {
          broken = false;
        },
        () => {},
      );
      throw error;
    } finally {
      client.release(broken);
    }
  };
}
