/** Opens PostgreSQL: a pool to the primary, and one to a replica if any is set. */
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { type CatalogueChange, ChangeTracker } from '../change-tracker.ts';
import type { Database, Trx } from '../database.ts';
import { postgresQueries, sqlState } from '../engines/postgres.ts';
import { freshReader } from '../fresh-reader.ts';
import { Outage } from '../outage.ts';
import type { Tables } from '../tables.ts';

const poolSize = 10;
const connectTimeoutMs = 10_000;
const statementTimeoutMs = 30_000;
/** A transaction that went idle must not keep its locks. */
const idleInTransactionMs = 30_000;
const attempts = 10;
/** The pool's message when no connection became free in time. */
const poolIsBusy = 'timeout exceeded when trying to connect';
/** How long an unreachable replica is not used, ms. */
const lostForMs = 30_000;

/** Errors after which the same transaction can succeed when run again: serialization failure and deadlock. */
const repeatable = new Set(['40001', '40P01']);

/** bigint and numeric arrive as text; the shop's are cents, times and counts, all below 2^53. */
const int8 = 20;
const numeric = 1700;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === int8 || oid === numeric ? Number : pg.types.getTypeParser(oid, format)),
};

/** Opens the pools. Rejects if the primary cannot be reached. `durable: false` commits without waiting for the disk. */
export async function openPostgres(options: {
  url: string;
  replicaUrls: readonly string[];
  durable: boolean;
}): Promise<Database> {
  const primary = pool(options.url, options.durable);
  const read = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: primary }) });
  try {
    await primary.query('select 1');
  } catch (error) {
    await primary.end();
    throw error;
  }
  const replica = await openReplica(options.replicaUrls);
  const catalogues = replica ? orElse(replica, primary) : primary;
  const catalogue = replica ? new Kysely<Tables>({ dialect: new PostgresDialect({ pool: catalogues }) }) : read;
  const tracker = new ChangeTracker();
  const version = freshReader(() => readVersion(catalogues, tracker));

  const outage = new Outage(postgresQueries.outageCause);

  return {
    engine: 'postgres',
    queries: postgresQueries,
    outage,
    read,
    catalogue,
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          // The brand exists only in the types.
          const result = await read.transaction().execute((trx) => work(trx as Trx));
          outage.end();
          return result;
        } catch (error) {
          outage.note(error);
          if (attempt >= attempts || !repeatable.has(sqlState(error) ?? '')) throw error;
        }
        await pause(Math.random() * 2 ** attempt * 2);
      }
    },
    catalogueVersion: version,
    changes: {
      refresh: async () => {
        await version();
      },
      get moment() {
        return tracker.moment;
      },
      changedSince: (moment, topics) => tracker.changedSince(moment, topics),
    },
    poolUse: () => ({
      used: primary.totalCount - primary.idleCount,
      idle: primary.idleCount,
      waiting: primary.waitingCount,
    }),
    async ping() {
      await sql`select 1`.execute(read);
    },
    async close() {
      await Promise.all([read.destroy(), replica ? catalogue.destroy() : undefined]);
    },
  };
}

const versionQuery = 'select version from catalogue_version where id = 1';
const changesQuery = 'select version, topics from catalogue_changes where version > $1 order by version';

/**
 * Reads the catalogue version, and what changed since the version that is known. Almost every request waits for it, so it is one
 * message without parameters, which takes half the time of a query that is built and prepared.
 */
async function readVersion(catalogues: Pick<pg.Pool, 'connect'>, tracker: ChangeTracker): Promise<number> {
  const client = await catalogues.connect();
  let broken = true;
  try {
    const { rows } = await client.query<[number]>({ text: versionQuery, rowMode: 'array' });
    const version = rows[0]?.[0] ?? 0;
    const known = tracker.version ?? version;
    const changes = version === known ? [] : (await client.query<CatalogueChange>(changesQuery, [known])).rows;
    tracker.advance(version, changes);
    broken = false;
    return version;
  } finally {
    client.release(broken);
  }
}

function pool(url: string, durable = true): pg.Pool {
  const made = new pg.Pool({
    connectionString: url,
    types,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    application_name: 'shopwright',
    ...(durable ? {} : { options: '-c synchronous_commit=off' }),
  });
  // The pool replaces a connection that breaks, and its user gets the error with the next query; without listeners the error
  // would end the process, when idle or between two queries of a transaction.
  made.on('error', () => {});
  made.on('connect', (client) => client.on('error', () => {}));
  return made;
}

/** Connections to the replica; while it cannot be reached, to the primary, so that the shop survives the loss of its replica. */
function orElse(
  replica: pg.Pool,
  primary: pg.Pool,
): { connect(): Promise<pg.PoolClient>; end(): Promise<void>; options: object } {
  let lostUntil = 0;
  return {
    async connect() {
      if (Date.now() >= lostUntil) {
        try {
          return await replica.connect();
        } catch (error) {
          // A busy pool is not lost: its load would only move to the primary, which orders need.
          if (error instanceof Error && error.message === poolIsBusy) throw error;
          lostUntil = Date.now() + lostForMs;
        }
      }
      return primary.connect();
    },
    end: () => replica.end(),
    options: replica.options,
  };
}

/** A random replica, so that processes spread over them; null if none answers. */
async function openReplica(urls: readonly string[]): Promise<pg.Pool | null> {
  const start = Math.floor(Math.random() * urls.length);
  for (const url of [...urls.slice(start), ...urls.slice(0, start)]) {
    const candidate = pool(url);
    try {
      await candidate.query('select 1');
      return candidate;
    } catch {
      await candidate.end();
    }
  }
  return null;
}
