import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { sqlState } from '../engines/postgres.ts';
import { NoPrimaryError, type PostgresHosts } from './url.ts';

const poolSize = 10;
const connectTimeoutMs = 10_000;
const statementTimeoutMs = 30_000;
/** A transaction that went idle must not keep its locks. */
const idleInTransactionMs = 30_000;
/** With nothing arriving for so long, the server is frozen or gone: it and the pool end their waits sooner. */
const silenceMs = 35_000;

/** PostgreSQL has no further connection, for this shop or for anybody. */
const outOfConnections = '53300';
/** How long a request then waits for a connection that the shop already has. */
const ownConnectionMs = 1000;
const betweenTriesMs = 50;

/** The pool's message when no connection became free in time. */
const poolIsBusy = 'timeout exceeded when trying to connect';

/** bigint and numeric arrive as text; the shop's are cents, times and counts, all below 2^53. */
const int8 = 20;
const numeric = 1700;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === int8 || oid === numeric ? Number : pg.types.getTypeParser(oid, format),
};

/** Without a pooler. */
const sessionSettings = {
  pipeline: true,
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
};

/** Of each host. */
const probeMs = 2000;

interface Server {
  index: number;
  pool: pg.Pool;
  clients: Set<pg.PoolClient>;
}

/** @throws {Error} if it cannot be reached @throws {NoPrimaryError} if none accepts writes */
export async function openPrimary(hosts: PostgresHosts, options: PrimaryOptions): Promise<Primary> {
  const first = hosts.writable ? await findWritable(hosts) : 0;
  const open = (pooler: boolean) => (index: number) => openServer(hosts, index, { ...options, pooler });
  const server = open(false)(first);
  const pooler = await isPooler(server.pool).catch(async (error: unknown) => {
    await server.pool.end();
    throw error;
  });
  if (!pooler) return new Primary(hosts, server, open(false), pooler);
  await server.pool.end();
  return new Primary(hosts, open(true)(first), open(true), pooler);
}

function openServer(hosts: PostgresHosts, index: number, options: PoolOptions): Server {
  const pool = createPool(hosts.urls[index] ?? '', {
    ...options,
    ...(hosts.writable ? { verify: requireWritable } : {}),
  });
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  return { index, pool, clients };
}

/** Replaced when another host accepts writes. */
export class Primary {
  /** No LISTEN, no named statements, no settings of a session. */
  readonly pooler: boolean;
  readonly #hosts: PostgresHosts;
  readonly #open: (index: number) => Server;
  #server: Server;
  #suspected = false;
  #searching: Promise<void> | null = null;

  constructor(hosts: PostgresHosts, first: Server, open: (index: number) => Server, pooler: boolean) {
    this.#hosts = hosts;
    this.#open = open;
    this.#server = first;
    this.pooler = pooler;
  }

  async connect(): Promise<pg.PoolClient> {
    if (!this.#hosts.writable) return connectTo(this.#server.pool);
    if (this.#suspected) await this.#find();
    try {
      return await connectTo(this.#server.pool);
    } catch (error) {
      if (error instanceof Error && error.message === poolIsBusy) throw error;
      await this.#find();
      return connectTo(this.#server.pool);
    }
  }

  end(): Promise<void> {
    return this.#server.pool.end();
  }

  get options(): object {
    return this.#server.pool.options;
  }

  /** The host and port in use. */
  get host(): string {
    return this.#hosts.names[this.#server.index] ?? '';
  }

  use(): { used: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#server.pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /** The current host may no longer accept writes: the next connection looks for the one that does. */
  suspect(): void {
    this.#suspected = this.#hosts.writable;
  }

  /** Shared by all that wait for it. */
  #find(): Promise<void> {
    this.#searching ??= this.#search().finally(() => {
      this.#searching = null;
    });
    return this.#searching;
  }

  async #search(): Promise<void> {
    const index = await findWritable(this.#hosts);
    this.#suspected = false;
    if (index === this.#server.index) return;
    const former = this.#server;
    this.#server = this.#open(index);
    abandon(former.pool, former.clients);
  }
}

/** The pool asks the server for a further connection as long as it has fewer than its most, and gives one that became free before that. */
async function connectTo(pool: pg.Pool): Promise<pg.PoolClient> {
  const end = performance.now() + ownConnectionMs;
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      if (sqlState(error) !== outOfConnections || performance.now() >= end) throw error;
      await pause(betweenTriesMs);
    }
  }
}

/** A former primary that came back as a replica accepts connections, and shows old data. */
async function requireWritable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ readOnly: string }>(
    `select current_setting('transaction_read_only') as "readOnly"`,
  );
  if (rows[0]?.readOnly !== 'off')
    throw Object.assign(new Error('The server no longer accepts writes'), { code: '25006' });
}

/** @throws {NoPrimaryError} */
export async function findWritable({ urls, names }: PostgresHosts): Promise<number> {
  const answers = await Promise.all(urls.map(probe));
  // After a fail-over the former primary may accept writes for a moment; the new one is on a later timeline.
  const timelines = answers.map((answer) => (typeof answer === 'number' ? answer : 0));
  const latest = Math.max(...timelines);
  if (latest === 0) throw new NoPrimaryError(names.map((name, index) => `${name} (${answers[index]})`));
  return timelines.indexOf(latest);
}

/** Or why the server cannot be used. */
async function probe(url: string): Promise<number | string> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: string | null }>(timelineQuery);
    return rows[0]?.timeline ? Number.parseInt(rows[0].timeline, 16) : 'read-only';
  } catch (error) {
    return error instanceof Error
      ? 'code' in error && error.code
        ? String(error.code)
        : error.message
      : String(error);
  } finally {
    client.end().catch(() => {});
  }
}

/** The timeline is the first eight digits of a WAL file's name. */
const timelineQuery = `select case when current_setting('transaction_read_only') = 'off'
  then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`;

export interface PrimaryOptions {
  /** False commits without waiting for the disk. */
  durable: boolean;
  /** At most; by default `poolSize`. */
  connections?: number | undefined;
}

interface PoolOptions extends PrimaryOptions {
  /** Such as PgBouncer: it shares connections, which so have no settings of one session. */
  pooler: boolean;
  /** Before a new connection is used; a rejection closes it. */
  verify?: (client: pg.ClientBase) => Promise<void>;
}

/** To one server, or to a pooler in front of it. */
function createPool(url: string, { durable, connections = poolSize, pooler, verify }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
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
  connection.stream.setTimeout(silenceMs, () =>
    connection.stream.destroy(unreachable('PostgreSQL does not answer')),
  );
  client.on('notice', (notice) => {
    // The server gave up waiting for its synchronous replica and is about to report success, but a fail-over could lose the
    // transaction. The caller gets what a broken connection gives: an error that leaves the outcome open.
    if (notice.routine === 'SyncRepWaitForLSN')
      connection.emit('error', unreachable('The commit was not replicated'));
  });
}

function unreachable(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}

/**
 * A pooler gives clients keys of its own instead of the server's process, and may reject settings of a session. The pool keeps the
 * connection for its first query.
 */
async function isPooler(pool: pg.Pool): Promise<boolean> {
  try {
    const client = await pool.connect();
    try {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      return rows[0]?.pid !== (client as unknown as { processID: number }).processID;
    } finally {
      client.release();
    }
  } catch (error) {
    if (error instanceof Error && /unsupported startup parameter/.test(error.message)) return true;
    throw error;
  }
}

/** Does not wait for what still uses it: its server is no longer asked. */
function abandon(pool: pg.Pool, clients: Iterable<pg.PoolClient>): void {
  pool.end().catch(() => {});
  for (const client of clients)
    connectionOf(client).stream.destroy(unreachable('The server is no longer used'));
}
