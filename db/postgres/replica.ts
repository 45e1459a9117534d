/**
 * Catalogue reads from a replica while it is known to be fresh enough, and from the primary otherwise.
 *
 * A replica is as fresh as the last position of the primary that it has replayed. While the catalogue is read, a check asks both
 * servers for their positions about once a second. Without a recent answer the replica does not count as fresh, so reads never
 * rely on a replica that is frozen, cut off or behind.
 */
import type pg from 'pg';
import { sqlState } from '../engines/postgres.ts';
import { abandon, createPool, isPooler, unreachable } from './pool.ts';
import type { Primary } from './primary.ts';

/** How long a replica may take to tell its position or to open a connection, ms. */
const answerMs = 1000;
/** How often positions are compared, ms; more often if less lag is allowed. */
const checkEveryMs = 1000;

/** A connection for reads of the catalogue. */
export interface CatalogueClient {
  query: pg.PoolClient['query'];
  release(broken?: boolean): void;
  /** Reports the catalogue version that a read on this connection showed. */
  shows?(version: number): void;
}

/** The form of `query` that reads use, with a promise. */
type Read = (query: string | pg.QueryConfig, values?: unknown[]) => Promise<pg.QueryResult>;

export interface CatalogueReads {
  connect(): Promise<CatalogueClient>;
  end(): Promise<void>;
  readonly options: object;
}

export interface ReplicaOptions {
  urls: readonly string[];
  primary: Primary;
  /** How far behind the primary reads may be, ms. */
  maxLagMs: number;
  /** The newest catalogue version that this process has read; null before the first. */
  knownVersion: () => number | null;
}

interface Replica {
  pool: pg.Pool;
  clients: Set<pg.PoolClient>;
  /** What it has replayed, bytes of WAL. */
  position: number;
  /** Until when it is fresh enough, ms. */
  freshUntil: number;
  /** The newest catalogue version that it is known to show. */
  version: number;
}

export class ReplicaReads implements CatalogueReads {
  readonly #options: ReplicaOptions;
  /** In an order of this process, so that processes spread over the replicas. */
  readonly #urls: readonly string[];
  #index = 0;
  #replica: Replica | null = null;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> | null = null;
  #askingPrimary: Promise<void> | null = null;
  /** Where the primary was, and when; oldest first. */
  #positions: { at: number; position: number }[] = [];
  #ended = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    const start = Math.floor(Math.random() * options.urls.length);
    this.#urls = [...options.urls.slice(start), ...options.urls.slice(0, start)];
  }

  get options(): object {
    return this.#options.primary.options;
  }

  /** Looks for a replica that is fresh. */
  async open(): Promise<void> {
    for (let tries = 0; tries < this.#urls.length && !this.#fresh(); tries++) await this.#check();
  }

  async connect(): Promise<CatalogueClient> {
    if (performance.now() - this.#checkedAt >= Math.min(checkEveryMs, this.#options.maxLagMs / 4)) void this.#check();
    const replica = this.#fresh();
    return (replica && (await this.#connectTo(replica))) ?? (await this.#connectToPrimary());
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#checking;
    await this.#replica?.pool.end();
  }

  /** The replica, if reads may use it now. */
  #fresh(): Replica | null {
    const replica = this.#consistent();
    return replica && performance.now() < replica.freshUntil ? replica : null;
  }

  /** The replica, unless it shows an older version than was read already: caches would keep its data as if they were newer. */
  #consistent(): Replica | null {
    return this.#replica && this.#replica.version >= (this.#options.knownVersion() ?? 0) ? this.#replica : null;
  }

  /** Null if the replica cannot be reached. */
  async #connectTo(replica: Replica): Promise<CatalogueClient | null> {
    try {
      return this.#rerouting(await replica.pool.connect(), replica);
    } catch {
      this.#lose(replica);
      return null;
    }
  }

  /**
   * While the primary cannot be reached nothing changes, so a replica that had replayed everything then known serves, however
   * long ago that was.
   */
  async #connectToPrimary(): Promise<CatalogueClient> {
    try {
      return await this.#options.primary.connect();
    } catch (error) {
      const replica = this.#consistent();
      const isUpToDate = replica && replica.position >= (this.#positions.at(-1)?.position ?? Number.POSITIVE_INFINITY);
      const client = isUpToDate ? await this.#connectTo(replica) : null;
      if (!client) throw error;
      return client;
    }
  }

  /** A connection whose reads are repeated on the primary if the replica fails. */
  #rerouting(client: pg.PoolClient, replica: Replica): CatalogueClient {
    let failed = false;
    const read: Read = async (query, values) => {
      if (failed) return this.#onPrimary(query, values);
      // A replica that is frozen does not close its connections; the check does.
      const slow = setTimeout(() => void this.#check(), answerMs);
      try {
        return await client.query(query, values);
      } catch (error) {
        const trouble = troubleIn(error);
        if (!trouble) throw error;
        failed = true;
        if (trouble === 'lost') this.#lose(replica);
      } finally {
        clearTimeout(slow);
      }
      return this.#onPrimary(query, values);
    };
    return {
      query: read as pg.PoolClient['query'],
      release: (broken) => client.release(failed || broken === true),
      shows(version) {
        if (!failed) replica.version = Math.max(replica.version, version);
      },
    };
  }

  async #onPrimary(...[query, values]: Parameters<Read>): Promise<pg.QueryResult> {
    const client = await this.#options.primary.connect();
    try {
      return await client.query(query, values);
    } finally {
      client.release();
    }
  }

  /** Stops using a replica; the next check tries the next one. */
  #lose(replica: Replica): void {
    if (this.#replica !== replica) return;
    this.#replica = null;
    this.#index = (this.#index + 1) % this.#urls.length;
    abandon(replica.pool, replica.clients);
  }

  #check(): Promise<void> {
    this.#checking ??= this.#compare().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async #compare(): Promise<void> {
    this.#checkedAt = performance.now();
    if (this.#ended) return;
    // Without a limit: a position that arrives late is still a position. One question at a time.
    this.#askingPrimary ??= this.#askPrimary().finally(() => {
      this.#askingPrimary = null;
    });
    await Promise.all([within(this.#askingPrimary, answerMs).catch(() => {}), this.#askReplica()]);
    if (this.#replica) this.#assess(this.#replica);
  }

  async #askPrimary(): Promise<void> {
    const at = performance.now();
    try {
      const { position } = await ask<{ position: number }>(this.#options.primary, primaryQuery);
      this.#positions.push({ at, position });
    } catch {
      // Callers of the primary learn of its outage themselves.
    }
  }

  async #askReplica(): Promise<void> {
    try {
      this.#replica ??= await within(openReplica(this.#urls[this.#index] ?? ''), answerMs);
    } catch {
      this.#index = (this.#index + 1) % this.#urls.length;
      return;
    }
    const replica = this.#replica;
    try {
      const { position, version } = await within(ask<ReplicaState>(replica.pool, replicaQuery), answerMs);
      replica.position = position ?? 0;
      replica.version = Math.max(replica.version, version);
    } catch (error) {
      // Other errors: its database is not migrated yet.
      if (troubleIn(error) === 'lost') this.#lose(replica);
    }
  }

  /** It is as fresh as the newest position of the primary that it has passed. */
  #assess(replica: Replica): void {
    const passed = this.#positions.findLastIndex(({ position }) => position <= replica.position);
    const newest = this.#positions[passed];
    if (!newest) return;
    replica.freshUntil = newest.at + this.#options.maxLagMs;
    this.#positions = this.#positions.slice(passed);
  }
}

async function openReplica(url: string): Promise<Replica> {
  const pool = createPool(url, { pooler: await isPooler(url), connectMs: answerMs });
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  return { pool, clients, position: 0, freshUntil: Number.NEGATIVE_INFINITY, version: 0 };
}

const primaryQuery = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as position`;

interface ReplicaState {
  /** Null from a server that is no streaming replica. */
  position: number | null;
  version: number;
}

/** A replica that was promoted has a position of its own. */
const replicaQuery = `select
  pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0') as position,
  (select version from catalogue_version where id = 1) as version`;

async function ask<R extends pg.QueryResultRow>(source: { connect(): Promise<pg.PoolClient> }, query: string): Promise<R> {
  const client = await source.connect();
  let broken = true;
  try {
    const { rows } = await client.query<R>(query);
    broken = false;
    if (!rows[0]) throw new Error('The server returned no row');
    return rows[0];
  } finally {
    client.release(broken);
  }
}

/** @throws {Error} with code ETIMEDOUT if the answer takes longer; it is not waited for then */
async function within<T>(answer: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(unreachable(`No answer in ${ms} ms`)), ms);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** `lost`: the replica is not to be used; `conflict`: only this read failed; null: the read itself is wrong. */
function troubleIn(error: unknown): 'lost' | 'conflict' | null {
  const state = sqlState(error) ?? '';
  // A read that stood in the way of what the replica had to replay.
  if (state === '40001' || state === '40P01') return 'conflict';
  if (/^(?:08|53|57P|58|E[A-Z]{3,})/.test(state)) return 'lost';
  return error instanceof Error && /^(?:Connection terminated|timeout exceeded|Client has encountered)/.test(error.message)
    ? 'lost'
    : null;
}
