/** A primary and its streaming replica: which of them serves when one dies, becomes read-only or takes over. */
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startupErrorMessage } from '#server/startup-errors.ts';
import { type PostgresPair, startPostgresPair } from '#tests/postgres-pair.ts';
import { bumpCatalogueVersion } from '../catalogue-version.ts';
import { type Database, openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';

const dead = '127.0.0.1:1';

let pair: PostgresPair;
beforeAll(async () => {
  pair = await startPostgresPair();
  const db = await open();
  await migrate(db);
  await db.close();
});
afterAll(() => pair.end());

const opened: Database[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()));
});

async function open(...hosts: string[]): Promise<Database> {
  const db = await openDatabase({
    dataDir: '',
    databaseUrl: pair.url(...(hosts.length > 0 ? hosts : [pair.primary.host])),
  });
  opened.push(db);
  return db;
}

const change = (db: Database) => db.transaction((trx) => bumpCatalogueVersion(trx));

test('the host that accepts writes is used, and a replica and a dead host are not', {
  timeout: 120_000,
}, async () => {
  const db = await open(dead, pair.replica.host, pair.primary.host);
  expect(db.host?.()).toBe(pair.primary.host);
  await change(db);
});

test('the start fails without a host that accepts writes, and names the state of each', async () => {
  const url = pair.url(dead, pair.replica.host);
  const error = await openDatabase({ dataDir: '', databaseUrl: url }).catch((thrown: unknown) => thrown);
  expect(startupErrorMessage(error, { dataDir: '', databaseUrl: url, host: '', port: 0 })).toBe(
    `No PostgreSQL host accepts writes: ${dead} (ECONNREFUSED), ${pair.replica.host} (read-only). ` +
      'Start the primary, or correct DATABASE_URL.',
  );
});

/** Gives up waiting for the replica as soon as the commit does so. */
async function changeUnconfirmed(db: Database): Promise<string> {
  let isOver = false;
  const committing = change(db)
    .then(
      () => 'committed',
      () => 'not confirmed',
    )
    .finally(() => {
      isOver = true;
    });
  while (!isOver)
    await pair.primary.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
    );
  return committing;
}

test('a commit that the synchronous replica has not confirmed is an error, never a success', async () => {
  const db = await open();
  const thaw = await pair.replica.freeze();
  await pair.primary.query(`alter system set synchronous_standby_names = '*'`);
  await pair.primary.query('select pg_reload_conf()');
  try {
    // The server's processes learn of the setting one after another; until the last does, a commit waits for nobody.
    await expect.poll(() => changeUnconfirmed(db)).toBe('not confirmed');
    expect(db.outage.cause).toBe('PostgreSQL cannot be reached');
  } finally {
    thaw();
    await pair.primary.query('alter system reset synchronous_standby_names');
    await pair.primary.query('select pg_reload_conf()');
  }
  await change(db);
  expect(db.outage.cause).toBeNull();
});

test('a host that has become read-only is not read, though no write has failed there', async () => {
  const db = await open(pair.primary.host, pair.replica.host);
  expect(db.host?.()).toBe(pair.primary.host);
  // What a former primary is when it comes back as a replica: it takes connections and shows old data.
  await pair.primary.query('alter database shop set default_transaction_read_only = on');
  try {
    await pair.primary.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'shopwright'`,
    );
    const read = () => db.read.selectFrom('catalogue_version').select('version').execute();
    await expect.poll(() => read().catch((error: Error) => error.name)).toBe('NoPrimaryError');
  } finally {
    await pair.primary.query(
      'begin read write; alter database shop reset default_transaction_read_only; commit',
    );
  }
  await change(db);
});

// Last: the pair is not what it was.
test('after a fail-over the new primary takes writes', async () => {
  const db = await open(pair.primary.host, pair.replica.host);
  await change(db);
  const before = await db.catalogueVersion();
  const replayed = () =>
    pair.replica.query<{ version: number }>('select version::int from catalogue_version');
  await expect.poll(replayed).toEqual([{ version: before }]);
  const ended = once(pair.primary.process, 'exit');
  pair.primary.process.kill('SIGQUIT');
  // A change that reaches it before could be committed without an answer.
  await ended;
  await expect(change(db)).rejects.toThrow();
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
  expect(await db.catalogueVersion()).toBe(before + 1);
});
