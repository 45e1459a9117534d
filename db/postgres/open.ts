import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely';
import type pg from 'pg';
import { CommitWork } from '../before-commit.ts';
import { type CatalogueChange, ChangeTracker } from '../catalogue-version.ts';
import type { Database, Reader, Trx } from '../database.ts';
import { postgresQueries, sqlState } from '../engines/postgres.ts';
import { freshReader } from '../fresh-reader.ts';
import { Outage } from '../outage.ts';
import type { Tables } from '../tables.ts';
import { openPrimary, type PrimaryOptions } from './primary.ts';
import { parsePostgresUrl } from './url.ts';

/** A migration has changed the columns of a prepared query. */
const planOutdated = '0A000';

/** More than the program's queries; of those whose text varies, such as lists of values, the first are prepared. */
const mostNames = 1000;
const names = new Map<string, string>();

/** Connections whose prepared queries are outdated. */
const outdated = new WeakSet<Client>();

const attempts = 10;

/** Errors after which the same transaction can succeed when run again: serialization failure, deadlock, an outdated plan. */
const repeatable = new Set(['40001', '40P01', planOutdated]);

/** @throws {Error} if the primary cannot be reached */
export async function openPostgres({ url, ...options }: PrimaryOptions & { url: string }): Promise<Database> {
  const hosts = parsePostgresUrl(url);
  if (!hosts) throw new TypeError('The URL of the database is invalid');
  const primary = await openPrimary(hosts, options);
  const read = kyselyOn(primary);
  const tracker = new ChangeTracker();
  const version = versionReader(primary, tracker);

  let closing: Promise<unknown> | null = null;

  const outage = new Outage((error) => {
    const cause = postgresQueries.outageCause(error);
    if (cause !== null) primary.suspect();
    return cause;
  });
  const work = new CommitWork();
  const transaction = repeating({ db: read, work, outage });

  return {
    engine: 'postgres',
    queries: postgresQueries,
    outage,
    read,
    transaction,
    beforeCommit: (each) => work.add(each),
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
    poolUse: () => primary.use(),
    host: () => primary.host,
    async ping() {
      await sql`select 1`.execute(read);
    },
    async close() {
      closing ??= primary.end();
      await closing;
    },
  };
}

/** After an error that another try can get past. */
function repeating({
  db,
  work: last,
  outage,
}: {
  db: Kysely<Tables>;
  work: CommitWork;
  outage: Outage;
}): <T>(work: (trx: Trx) => Promise<T>) => Promise<T> {
  return async (work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        // The brand exists only in the types.
        const result = await db.transaction().execute((trx) => last.finish(trx as Reader as Trx, work));
        outage.end();
        return result;
      } catch (error) {
        outage.note(error);
        if (attempt >= attempts || !repeatable.has(sqlState(error) ?? '')) throw error;
      }
      await pause(Math.random() * 2 ** attempt * 2);
    }
  };
}

const versionQuery = 'select version from catalogue_version where id = 1';
const changesQuery = 'select version, topics from catalogue_changes where version > $1 order by version';

/** Almost every request waits for it: those that arrive together share a round trip. `tracker` learns the changes. */
function versionReader(source: ClientSource, tracker: ChangeTracker): () => Promise<number> {
  // Prepared, the query takes the server two thirds of the time.
  const name = source.pooler ? undefined : nameOf(versionQuery);

  async function learn(client: Client): Promise<number> {
    const { rows } = await client.query<[number]>({
      text: versionQuery,
      rowMode: 'array',
      ...(name ? { name } : {}),
    });
    const version = rows[0]?.[0] ?? 0;
    const known = tracker.version ?? version;
    tracker.advance(
      version,
      version === known ? [] : (await client.query<CatalogueChange>(changesQuery, [known])).rows,
    );
    return version;
  }

  return freshReader(
    async () => {
      const client = await source.connect();
      let broken = true;
      try {
        const version = await learn(client);
        broken = false;
        return version;
      } finally {
        client.release(broken);
      }
    },
    { gathers: true },
  );
}

type Client = Pick<pg.PoolClient, 'query'> & { release(broken?: boolean): void };

interface ClientSource {
  connect(): Promise<Client>;
  end(): Promise<void>;
  readonly options: object;
  /** Such as PgBouncer: it knows no prepared statements. */
  readonly pooler: boolean;
}

function kyselyOn(source: ClientSource): Kysely<Tables> {
  const pool = {
    connect: async () => lentClient(await source.connect(), !source.pooler),
    end: () => source.end(),
    options: source.options,
  };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < mostNames) {
    name = `q${names.size}`;
    names.set(text, name);
  }
  return name;
}

/** For one transaction or read. Queries are prepared; one that was not awaited must not run outside its transaction. */
function lentClient(client: Client, prepares: boolean): PostgresPoolClient {
  let ended = false;
  const query = async (text: string, given: readonly unknown[]) => {
    if (ended && text !== 'rollback')
      throw new Error('A query came after its transaction had ended; was it awaited?');
    ended = text === 'commit' || text === 'rollback';
    const name = prepares && given.length > 0 && !outdated.has(client) ? nameOf(text) : undefined;
    const values = [...given];
    try {
      return await client.query({ text, values, ...(name ? { name } : {}) });
    } catch (error) {
      if (name === undefined || sqlState(error) !== planOutdated) throw error;
      outdated.add(client);
      // A transaction has failed with it, and is run again.
      return client.query({ text, values }).catch(() => Promise.reject(error));
    }
  };
  return { query, release: (broken?: boolean) => client.release(broken) } as unknown as PostgresPoolClient;
}
