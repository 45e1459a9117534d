/** A primary and its streaming replica: which of them serves when one lags, freezes, dies or takes over. */
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startupErrorMessage } from '#server/startup-errors.ts';
import { type PostgresPair, startPostgresPair } from '#tests/postgres-pair.ts';
import { bumpCatalogueVersion } from '../catalogue-version.ts';
import { type Database, openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';

const dead = '127.0.0.1:1';
const maxReplicaLagMs = 1000;

let pair: PostgresPair;
beforeAll(async () => {
  pair = await startPostgresPair();
  const db = await open();
  await migrate(db);
  await db.close();
}, 120_000);
afterAll(() => pair.end());

const opened: Database[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()));
});

async function open(replicaUrls: string[] = [], hosts = [pair.primary.host], lagMs = maxReplicaLagMs): Promise<Database> {
  const db = await openDatabase({ dataDir: '', databaseUrl: pair.url(...hosts), replicaUrls, maxReplicaLagMs: lagMs });
  opened.push(db);
  return db;
}

/** A shop that reads its catalogue from the replica. */
async function openWithReplica(hosts?: string[], lagMs?: number): Promise<Database> {
  const db = await open([pair.url(pair.replica.host)], hosts, lagMs);
  await expect.poll(() => readsReplica(db), { timeout: 20_000 }).toBe(true);
  return db;
}

async function readsReplica(db: Database): Promise<boolean> {
  const { rows } = await sql<{ replica: boolean }>`select pg_is_in_recovery() as replica`.execute(db.catalogue);
  return rows[0]?.replica === true;
}

async function versionIn(db: Database): Promise<number> {
  return (await db.catalogue.selectFrom('catalogue_version').select('version').executeTakeFirstOrThrow()).version;
}

/** Reads again and again for this long, ms. */
async function readFor<T>(ms: number, read: () => Promise<T>): Promise<T[]> {
  const end = performance.now() + ms;
  const seen: T[] = [];
  await expect.poll(async () => seen.push(await read()) > 0 && performance.now() > end, { timeout: ms + 20_000 }).toBe(true);
  return seen;
}

const change = (db: Database) => db.transaction((trx) => bumpCatalogueVersion(trx));

test('the host that accepts writes is used, and a replica and a dead host are not', {
  timeout: 60_000,
}, async () => {
  const db = await open([], [dead, pair.replica.host, pair.primary.host]);
  expect(db.host?.()).toBe(pair.primary.host);
  await change(db);
});

test('the start fails without a host that accepts writes, and names the state of each', { timeout: 60_000 }, async () => {
  const url = pair.url(dead, pair.replica.host);
  const error = await openDatabase({ dataDir: '', databaseUrl: url }).catch((thrown: unknown) => thrown);
  expect(startupErrorMessage(error, { dataDir: '', databaseUrl: url, host: '', port: 0 })).toBe(
    `No PostgreSQL host accepts writes: ${dead} (ECONNREFUSED), ${pair.replica.host} (read-only). ` +
      'Start the primary, or correct DATABASE_URL.',
  );
});

test('a change is visible within the allowed lag though the replica has stopped replaying', { timeout: 60_000 }, async () => {
  const db = await openWithReplica();
  const shop = await open();
  await pair.replica.query('select pg_wal_replay_pause()');
  try {
    const before = await versionIn(db);
    await change(shop);
    const changedAt = performance.now();
    expect([await readsReplica(db), await versionIn(db)]).toEqual([true, before]);
    await expect.poll(() => versionIn(db), { interval: 20, timeout: 10_000 }).toBe(before + 1);
    expect(performance.now() - changedAt).toBeLessThan(maxReplicaLagMs + 1000);
    expect(await readsReplica(db)).toBe(false);
  } finally {
    await pair.replica.query('select pg_wal_replay_resume()');
  }
  await expect.poll(() => readsReplica(db), { timeout: 20_000 }).toBe(true);
});

test('a replica is not read while it shows an older version than was read from the primary', { timeout: 60_000 }, async () => {
  // So much lag is allowed that only the version speaks against this replica.
  const db = await openWithReplica([pair.primary.host], 60_000);
  await pair.replica.query('select pg_wal_replay_pause()');
  const thaw = await pair.replica.freeze();
  await change(db);
  await expect.poll(() => readsReplica(db), { timeout: 20_000 }).toBe(false);
  const known = await db.catalogueVersion();
  thaw();
  try {
    const connections = `select 1 from pg_stat_activity where application_name = 'shopwright' and backend_start > now() - interval '1 s'`;
    const isReopened = async () => {
      await versionIn(db);
      return (await pair.replica.query(connections)).length > 0;
    };
    await expect.poll(isReopened, { timeout: 20_000 }).toBe(true);
    const seen = await readFor(2000, () => versionIn(db));
    expect(new Set(seen)).toEqual(new Set([known]));
  } finally {
    await pair.replica.query('select pg_wal_replay_resume()');
  }
  await expect.poll(() => readsReplica(db), { timeout: 20_000 }).toBe(true);
  expect(await versionIn(db)).toBe(known);
});

test('a frozen replica delays reads by seconds at most, and then the primary serves them', { timeout: 60_000 }, async () => {
  const db = await openWithReplica();
  const thaw = await pair.replica.freeze();
  try {
    const frozenAt = performance.now();
    expect(await Promise.all(Array.from({ length: 20 }, () => readsReplica(db)))).toEqual(Array(20).fill(false));
    expect(performance.now() - frozenAt).toBeLessThan(8000);
    const againAt = performance.now();
    expect(await readsReplica(db)).toBe(false);
    expect(performance.now() - againAt).toBeLessThan(1000);
  } finally {
    thaw();
  }
  await expect.poll(() => readsReplica(db), { timeout: 20_000 }).toBe(true);
});

test('a commit that the synchronous replica has not confirmed is an error, never a success', { timeout: 60_000 }, async () => {
  const db = await open();
  const thaw = await pair.replica.freeze();
  await pair.primary.query(`alter system set synchronous_standby_names = '*'`);
  await pair.primary.query('select pg_reload_conf()');
  try {
    const committing = change(db).then(
      () => 'committed',
      () => 'not confirmed',
    );
    const cancel = () =>
      pair.primary
        .query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
        .then((rows) => rows.length);
    await expect.poll(cancel, { timeout: 10_000 }).toBe(1);
    expect(await committing).toBe('not confirmed');
    expect(db.outage.cause).toBe('PostgreSQL cannot be reached');
  } finally {
    thaw();
    await pair.primary.query('alter system reset synchronous_standby_names');
    await pair.primary.query('select pg_reload_conf()');
  }
  await change(db);
  expect(db.outage.cause).toBeNull();
});

test('a host that has become read-only is not read, though no write has failed there', { timeout: 60_000 }, async () => {
  const db = await open([], [pair.primary.host, pair.replica.host]);
  expect(db.host?.()).toBe(pair.primary.host);
  // What a former primary is when it comes back as a replica: it takes connections and shows old data.
  await pair.primary.query('alter database shop set default_transaction_read_only = on');
  try {
    await pair.primary.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'shopwright'`);
    const read = () => db.read.selectFrom('catalogue_version').select('version').execute();
    await expect.poll(() => read().catch((error: Error) => error.name), { timeout: 10_000 }).toBe('NoPrimaryError');
  } finally {
    await pair.primary.query('begin read write; alter database shop reset default_transaction_read_only; commit');
  }
  await change(db);
});

// Last: the pair is not what it was.
test('after a fail-over the new primary takes writes, and meanwhile the catalogue is read from the replica', {
  timeout: 60_000,
}, async () => {
  const db = await openWithReplica([pair.primary.host, pair.replica.host]);
  await change(db);
  const { version: before } = await db.read.selectFrom('catalogue_version').select('version').executeTakeFirstOrThrow();
  await expect.poll(() => versionIn(db), { timeout: 20_000 }).toBe(before);
  await expect.poll(() => readsReplica(db), { timeout: 20_000 }).toBe(true);
  const ended = once(pair.primary.process, 'exit');
  pair.primary.process.kill('SIGQUIT');
  // A change that reaches it before could be committed without an answer.
  await ended;
  await expect(change(db)).rejects.toThrow();
  expect(await versionIn(db)).toBe(before);
  // Longer than the allowed lag: without a primary nothing can be newer.
  expect(new Set(await readFor(2 * maxReplicaLagMs, () => readsReplica(db)))).toEqual(new Set([true]));
  await pair.replica.query('select pg_promote()');
  await expect
    .poll(
      () =>
        change(db).then(
          () => 'sold',
          () => 'not yet',
        ),
      { timeout: 20_000 },
    )
    .toBe('sold');
  expect(db.host?.()).toBe(pair.replica.host);
  expect(await versionIn(db)).toBe(before + 1);
});
