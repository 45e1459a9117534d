/**
 * Reads that almost every request waits for: what has changed in the catalogue, and rows by a key. Requests that arrive together
 * share them, in one round trip: what each of them asks is sent at once, on one connection.
 */
import type { CatalogueChange, ChangeTracker } from '../change-tracker.ts';
import { freshReader } from '../fresh-reader.ts';
import type { KeyedQuery, KeyedReader } from '../keyed-reader.ts';
import { createRounds } from '../rounds.ts';
import { type Client, type ClientSource, isPlanOutdated, nameOf } from './dialect.ts';
import type { CatalogueClient } from './replica.ts';

const versionQuery = 'select version from catalogue_version where id = 1';
const changesQuery = 'select version, topics from catalogue_changes where version > $1 order by version';

/** A query whose rows come with the catalogue version; without a row there is one with the version alone. */
interface Prepared {
  text: string;
  name: string | undefined;
}

interface KeyedRow {
  catalogueVersion: number;
  keyedBy: string | null;
}

/** The rows of a query by their keys. A query that fails fails only for those who asked it. */
type Outcome = { rows: ReadonlyMap<string, object> } | { error: unknown };

/** What one round trip found. */
type Found = ReadonlyMap<Prepared, Outcome>;

export interface SharedReadsOptions {
  /** Where rows are read. */
  rows: ClientSource;
  /** Where the catalogue is read: another source if there is a replica. */
  catalogue: { connect(): Promise<CatalogueClient> };
  /** Learns of what has changed. */
  tracker: ChangeTracker;
}

export function createSharedReads({ rows, catalogue, tracker }: SharedReadsOptions) {
  const together = rows === catalogue;
  const named = !(rows.pooler ?? true);
  const versionName = named ? nameOf(versionQuery) : undefined;
  let asked = new Map<Prepared, Set<string>>();

  const nextRows = createRounds<Client, Found>({
    async connect() {
      try {
        return await rows.connect();
      } catch (error) {
        // Those who asked are told so.
        asked = new Map();
        throw error;
      }
    },
    run(client) {
      const wanted = asked;
      asked = new Map();
      return findRows(client, wanted, { named, tracker: together ? tracker : null, versionName });
    },
  });
  // Whether a replica is fresh enough is decided when a connection is lent, so no round keeps it for the next.
  const nextVersion = together
    ? async () => {
        await nextRows();
        return tracker.version ?? 0;
      }
    : freshReader(() => lend(catalogue, (client) => learnVersion(client, tracker, undefined)), { gathers: true });

  return {
    /** Learns of what has changed. Returns the version. */
    version: nextVersion,
    keyed<R extends object>(query: KeyedQuery): KeyedReader<R> {
      const prepared = prepare(query, named);
      return {
        refreshes: together,
        async read(key) {
          const keys = asked.get(prepared) ?? new Set();
          asked.set(prepared, keys.add(key));
          const outcome = (await nextRows()).get(prepared);
          if (outcome && 'error' in outcome) throw outcome.error;
          return (outcome?.rows.get(key) as R | undefined) ?? null;
        },
      };
    },
  };
}

function prepare({ columns, from, key }: KeyedQuery, named: boolean): Prepared {
  const text = `select catalogue_version.version as "catalogueVersion", found.*
    from catalogue_version left join (select ${key} as "keyedBy", ${columns} from ${from} where ${key} = any($1)) as found on true
    where catalogue_version.id = 1`;
  return { text, name: named ? nameOf(text) : undefined };
}

/** Runs `work` on a connection, which is closed if it fails. */
async function lend<C extends { release(broken?: boolean): void }, T>(
  source: { connect(): Promise<C> },
  work: (client: C) => Promise<T>,
): Promise<T> {
  const client = await source.connect();
  let broken = true;
  try {
    const result = await work(client);
    broken = false;
    return result;
  } finally {
    client.release(broken);
  }
}

/** Prepared under a name, the query takes the server two thirds of the time, and the shop as long as one without. */
async function learnVersion(client: CatalogueClient, tracker: ChangeTracker, name: string | undefined): Promise<number> {
  const { rows } = await client.query<[number]>({
    text: versionQuery,
    rowMode: 'array',
    ...(name === undefined ? {} : { name }),
  });
  const version = rows[0]?.[0] ?? 0;
  await learn(client, version, tracker);
  client.shows?.(tracker.version ?? 0);
  return version;
}

/** Takes over a version that was read, with the changes since the version that is known. */
async function learn(client: Pick<Client, 'query'>, version: number, tracker: ChangeTracker): Promise<void> {
  const known = tracker.version ?? version;
  const changes = version === known ? [] : (await client.query<CatalogueChange>(changesQuery, [known])).rows;
  tracker.advance(version, changes);
}

interface FindOptions {
  /** Whether queries have names and are sent at once: not so if a pooler is in between. */
  named: boolean;
  /** Learns of changes; null if it follows a replica. */
  tracker: ChangeTracker | null;
  versionName: string | undefined;
}

/** Finds the rows of keys, and what has changed; without keys what has changed alone. */
async function findRows(
  client: Client,
  wanted: ReadonlyMap<Prepared, ReadonlySet<string>>,
  { named, tracker, versionName }: FindOptions,
): Promise<Found> {
  const found = new Map<Prepared, Outcome>();
  let version: number | null = null;
  const take = async (prepared: Prepared, keys: ReadonlySet<string>) => {
    try {
      const rows = await query(client, prepared, [...keys]);
      for (const row of rows) version = Math.max(version ?? 0, row.catalogueVersion);
      found.set(prepared, { rows: new Map(rows.flatMap((row) => (row.keyedBy === null ? [] : [[row.keyedBy, row]]))) });
    } catch (error) {
      found.set(prepared, { error });
    }
  };
  if (!named) for (const [prepared, keys] of wanted) await take(prepared, keys);
  else await Promise.all([...wanted].map(([prepared, keys]) => take(prepared, keys)));
  if (tracker && version === null) await learnVersion(client, tracker, versionName);
  else if (tracker && version !== null) await learn(client, version, tracker);
  return found;
}

/** A query whose prepared plan a migration has outdated is no longer prepared. */
async function query(client: Client, prepared: Prepared, keys: readonly string[]): Promise<KeyedRow[]> {
  const { text, name } = prepared;
  try {
    return (await client.query<KeyedRow>({ text, values: [keys], ...(name === undefined ? {} : { name }) })).rows;
  } catch (error) {
    if (name === undefined || !isPlanOutdated(error)) throw error;
    prepared.name = undefined;
    return query(client, prepared, keys);
  }
}
