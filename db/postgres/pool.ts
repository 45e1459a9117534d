/** To one server, or to a pooler in front of it. */
import pg from 'pg';

const poolSize = 10;
const connectTimeoutMs = 10_000;
const statementTimeoutMs = 30_000;
/** A transaction that went idle must not keep its locks. */
const idleInTransactionMs = 30_000;
/** With nothing arriving for so long, the server is frozen or gone: it and the pool end their waits sooner. */
const silenceMs = 35_000;

/** The pool's message when no connection became free in time. */
export const poolIsBusy = 'timeout exceeded when trying to connect';

/** bigint and numeric arrive as text; the shop's are cents, times and counts, all below 2^53. */
const int8 = 20;
const numeric = 1700;
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === int8 || oid === numeric ? Number : pg.types.getTypeParser(oid, format)),
};

export interface PoolOptions {
  /** False commits without waiting for the disk. */
  durable?: boolean;
  /** Such as PgBouncer: it shares connections, which so have no settings of one session. */
  pooler: boolean;
  /** Before a new connection is used; a rejection closes it. */
  verify?: (client: pg.ClientBase) => Promise<void>;
  /** For opening a connection, and for waiting for a free one. */
  connectMs?: number;
}

export function createPool(url: string, { durable = true, pooler, verify, connectMs = connectTimeoutMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: poolSize,
    connectionTimeoutMillis: connectMs,
    application_name: 'shopwright',
    ...(pooler ? {} : sessionSettings),
    ...(verify ? { onConnect: verify } : {}),
    ...(durable || pooler ? {} : { options: '-c synchronous_commit=off' }),
  });
  // The pool replaces a connection that breaks, and its user gets the error with the next query; without listeners the error
  // would end the process, when idle or between two queries of a transaction.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    guard(client);
  });
  return pool;
}

/** Without a pooler. */
const sessionSettings = {
  pipeline: true,
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
};

/** The part of the driver's connection that its types leave out. */
interface DriverConnection {
  stream: { setTimeout(ms: number, onSilence: () => void): unknown; destroy(error?: Error): unknown };
  emit(event: 'error', error: Error): unknown;
}

function connectionOf(client: pg.PoolClient | pg.Client): DriverConnection {
  return (client as unknown as { connection: DriverConnection }).connection;
}

/** A connection must neither wait for ever nor report a commit that could still be lost. */
function guard(client: pg.PoolClient): void {
  const connection = connectionOf(client);
  connection.stream.setTimeout(silenceMs, () => connection.stream.destroy(unreachable('PostgreSQL does not answer')));
  client.on('notice', (notice) => {
    // The server gave up waiting for its synchronous replica and is about to report success, but a fail-over could lose the
    // transaction. The caller gets what a broken connection gives: an error that leaves the outcome open.
    if (notice.routine === 'SyncRepWaitForLSN') connection.emit('error', unreachable('The commit was not replicated'));
  });
}

export function unreachable(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}

/** A pooler gives clients keys of its own instead of the server's process, and may reject settings of a session. */
export async function isPooler(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs, ...sessionSettings });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]?.pid !== (client as unknown as { processID: number }).processID;
  } catch (error) {
    if (error instanceof Error && /unsupported startup parameter/.test(error.message)) return true;
    throw error;
  } finally {
    client.end().catch(() => {});
  }
}

/** Does not wait for what still uses it: its server is no longer asked. */
export function abandon(pool: pg.Pool, clients: Iterable<pg.PoolClient>): void {
  pool.end().catch(() => {});
  for (const client of clients) connectionOf(client).stream.destroy(unreachable('The server is no longer used'));
}
