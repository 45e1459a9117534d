import pg from 'pg';
import { abandon, createPool, isPooler, poolIsBusy } from './pool.ts';
import type { PostgresHosts } from './url.ts';

/** Of each host. */
const probeMs = 2000;

/** No host accepts writes at present. */
export class NoPrimaryError extends Error {
  override name = 'NoPrimaryError';
  /** SQLSTATE: a connection could not be established. */
  readonly code = '08001';

  /** `states`: why each host is not usable, such as `db1:5432 (read-only)`. */
  constructor(states: readonly string[]) {
    super(`No PostgreSQL host accepts writes: ${states.join(', ')}`);
  }
}

interface Server {
  index: number;
  pool: pg.Pool;
  clients: Set<pg.PoolClient>;
}

/** @throws {Error} if it cannot be reached @throws {NoPrimaryError} if none accepts writes */
export async function openPrimary(hosts: PostgresHosts, durable: boolean): Promise<Primary> {
  const first = hosts.writable ? await findWritable(hosts) : 0;
  const pooler = await isPooler(hosts.urls[first] ?? '');
  return new Primary(hosts, first, (index) => openServer(hosts, index, { durable, pooler }), pooler);
}

function openServer(hosts: PostgresHosts, index: number, options: { durable: boolean; pooler: boolean }): Server {
  const pool = createPool(hosts.urls[index] ?? '', { ...options, ...(hosts.writable ? { verify: requireWritable } : {}) });
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

  constructor(hosts: PostgresHosts, first: number, open: (index: number) => Server, pooler: boolean) {
    this.#hosts = hosts;
    this.#open = open;
    this.#server = open(first);
    this.pooler = pooler;
  }

  async connect(): Promise<pg.PoolClient> {
    if (!this.#hosts.writable) return this.#server.pool.connect();
    if (this.#suspected) await this.#find();
    try {
      return await this.#server.pool.connect();
    } catch (error) {
      if (error instanceof Error && error.message === poolIsBusy) throw error;
      await this.#find();
      return this.#server.pool.connect();
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

/** A former primary that came back as a replica accepts connections, and shows old data. */
async function requireWritable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ readOnly: string }>(`select current_setting('transaction_read_only') as "readOnly"`);
  if (rows[0]?.readOnly !== 'off') throw Object.assign(new Error('The server no longer accepts writes'), { code: '25006' });
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
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: probeMs, query_timeout: probeMs });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: string | null }>(timelineQuery);
    return rows[0]?.timeline ? Number.parseInt(rows[0].timeline, 16) : 'read-only';
  } catch (error) {
    return error instanceof Error ? ('code' in error && error.code ? String(error.code) : error.message) : String(error);
  } finally {
    client.end().catch(() => {});
  }
}

/** The timeline is the first eight digits of a WAL file's name. */
const timelineQuery = `select case when current_setting('transaction_read_only') = 'off'
  then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`;
