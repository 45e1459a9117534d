import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { migrate } from '#db/migrate.ts';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { runShop } from '#server/start.ts';
import { type ShopProcess, spawnShop, startShop } from '#tests/processes.ts';

const cleaning: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'shopwright-start-'));
  cleaning.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function start(env: Record<string, string> = {}, ownGroup = false): Promise<ShopProcess> {
  const shop = await startShop({ DATA_DIR: folder(), ...env }, ownGroup);
  cleaning.push(() => shop.end('SIGKILL'));
  return shop;
}

test('the server makes its folder and database, prints where it and the office are, and stops on a signal', async () => {
  const shop = await start({ DATA_DIR: join(folder(), 'new', 'data') });
  expect(shop.stdout()).toMatch(
    /^Listening on (http:\/\/127\.0\.0\.1:\d+)\nThe office is at \1\/office\nIts first owner joins within 72 hours at \1\/office\/join#[\w-]{43}\n$/,
  );
  for (const [path, body] of [
    ['/healthz', { status: 'ok' }],
    ['/readyz', { status: 'ready' }],
  ] as const) {
    const answer = await fetch(shop.url + path);
    expect([answer.status, await answer.json()]).toEqual([200, body]);
  }
  expect(await shop.end('SIGTERM')).toBe(0);
  expect(shop.stderr()).toBe('');
});

test('a bad configuration stops the start and every bad variable is named', async () => {
  const shop = spawnShop({ DATA_DIR: folder(), PORT: 'high', WORKERS: '-1' });
  expect(await shop.end()).toBe(1);
  expect(shop.stderr()).toMatch(/PORT must be .*\n.*WORKERS must be /);
  expect(shop.stderr()).not.toContain('at ');
  expect(shop.stdout()).toBe('');
});

test('a database of a newer program stops the start', async () => {
  const dataDir = folder();
  const db = await openDatabase({ dataDir });
  await migrate(db);
  await db.transaction((trx) =>
    sql`insert into schema_migrations (id, name) values (9999, 'future')`.execute(trx),
  );
  await db.close();
  expect(await failure({ DATA_DIR: dataDir })).toMatch(
    /^The database is at version 9999; this program supports versions up to \d+\. .*\n$/,
  );
});

/** What a start prints that fails, in this process: one of its own would load the whole program for it. */
async function failure(env: Record<string, string>): Promise<string> {
  for (const [name, value] of Object.entries({ PORT: '0', LOG_LEVEL: 'warn', DEMO: '0', ...env }))
    vi.stubEnv(name, value);
  const [printed, said] = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error').mockReturnValue()];
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`Ended with ${code}`);
  });
  cleaning.push(() => [printed, said, exit].map((spy) => spy.mockRestore()));
  cleaning.push(() => vi.unstubAllEnvs());
  await expect(runShop({ web: null })).rejects.toThrow('Ended with 1');
  expect(printed).not.toHaveBeenCalled();
  const lines = said.mock.calls.flat();
  said.mockClear();
  expect(lines.filter((line) => typeof line !== 'string')).toEqual([]);
  return lines.map((line) => `${line}\n`).join('');
}

test('an unusable database file stops the start with its name and what to do', async () => {
  const foreign = folder();
  const other = new DatabaseSync(join(foreign, sqliteFileName));
  other.exec('create table notes (text)');
  other.close();
  const spoiled = folder();
  writeFileSync(join(spoiled, sqliteFileName), 'This is no database. '.repeat(500));
  const empty = folder();
  writeFileSync(join(empty, sqliteFileName), '');
  for (const [dataDir, sentence] of [
    [foreign, /shop\.db belongs to another program: .*\. Set DATA_DIR/],
    [spoiled, /shop\.db is not a database\. Restore a backup/],
    [empty, /shop\.db is empty\. Restore a backup/],
  ] as const) {
    const before = readFileSync(join(dataDir, sqliteFileName));
    const said = await failure({ DATA_DIR: dataDir, DEMO: '1' });
    expect(said).toContain(dataDir);
    expect(said).toMatch(sentence);
    expect(readFileSync(join(dataDir, sqliteFileName))).toEqual(before);
  }
});

test('a data folder that cannot be made, or a database out of reach, stops the start with a sentence', {
  timeout: 120_000,
}, async () => {
  const file = join(folder(), 'file');
  writeFileSync(file, '');
  expect(await failure({ DATA_DIR: join(file, 'data') })).toMatch(
    /^The data folder .*file\/data cannot be used \(ENOTDIR.*\)\. Give /,
  );
  const said = await failure({ DATA_DIR: folder(), DATABASE_URL: 'postgres://shop:secret@127.0.0.1:1/shop' });
  expect(said).toBe(
    'PostgreSQL at 127.0.0.1:1 cannot be reached (ECONNREFUSED). Start it, or correct DATABASE_URL.\n',
  );
});

/** A port that another program listens on. */
async function takenPort(): Promise<string> {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  cleaning.push(() => other.close());
  return String((other.address() as AddressInfo).port);
}

test('a port in use stops the start with one sentence, and the database is not touched', async () => {
  const PORT = await takenPort();
  for (const WORKERS of ['1', '2']) {
    const DATA_DIR = join(folder(), 'data');
    expect(await failure({ DATA_DIR, PORT, WORKERS, LOG_LEVEL: 'info' })).toBe(
      `Port ${PORT} of 127.0.0.1 is in use. Stop the other program, or set PORT to another port.\n`,
    );
    expect(existsSync(DATA_DIR)).toBe(false);
  }
});
