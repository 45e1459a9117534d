import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type CatalogueChange, ChangeTracker } from '../change-tracker.ts';
import type { Database, Trx } from '../database.ts';
import { postgresQueries, sqlState } from '../engines/postgres.ts';
import { freshReader } from '../fresh-reader.ts';
import { Outage } from '../outage.ts';
import type { Tables } from '../tables.ts';
import { type Client, type ClientSource, kyselyOn, nameOf, planOutdated } from './dialect.ts';
import { openPrimary } from './primary.ts';
import { parsePostgresUrl } from './url.ts';

const attempts = 10;

/** Errors after which the same transaction can succeed when run again: serialization failure, deadlock, an outdated plan. */
const repeatable = new Set(['40001', '40P01', planOutdated]);

/** `durable: false` commits without waiting for the disk. @throws {Error} if the primary cannot be reached */
export async function openPostgres({ url, durable }: { url: string; durable: boolean }): Promise<Database> {
  const hosts = parsePostgresUrl(url);
  if (!hosts) throw new TypeError('The URL of the database is invalid');
  const primary = await openPrimary(hosts, durable);
  const read = kyselyOn(primary);
  const tracker = new ChangeTracker();
  const version = versionReader(primary, tracker);

  let closing: Promise<unknown> | null = null;

  const outage = new Outage((error) => {
    const cause = postgresQueries.outageCause(error);
    if (cause !== null) primary.suspect();
    return cause;
  });
  const transaction = repeating(read, outage);

  return {
    engine: 'postgres',
    queries: postgresQueries,
    outage,
    read,
    transaction,
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
function repeating(db: Kysely<Tables>, outage: Outage): <T>(work: (trx: Trx) => Promise<T>) => Promise<T> {
  return async (work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        // The brand exists only in the types.
        const result = await db.transaction().execute((trx) => work(trx as Trx));
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
    const { rows } = await client.query<[number]>({ text: versionQuery, rowMode: 'array', ...(name ? { name } : {}) });
    const version = rows[0]?.[0] ?? 0;
    const known = tracker.version ?? version;
    tracker.advance(version, version === known ? [] : (await client.query<CatalogueChange>(changesQuery, [known])).rows);
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
