import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { sqliteFileName } from './open.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'shopwright-sqlite-'));
  folders.push(made);
  return made;
}

test('a durable database waits for the disk, checks references and does not block readers', async () => {
  const dataDir = folder();
  const db = await openDatabase({ dataDir });
  await migrate(db);
  const orphan = db.transaction((trx) =>
    sql`insert into stock (sku, location_id, quantity) values ('none', 'none', 1)`.execute(trx),
  );
  await expect(orphan).rejects.toThrow(/FOREIGN KEY/);
  await db.close();
  const file = new DatabaseSync(join(dataDir, sqliteFileName));
  expect(file.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  file.close();
});

test('a transaction inside a transaction is rejected instead of waiting for ever', async () => {
  const db = await openDatabase({ dataDir: ':memory:' });
  await expect(db.transaction(() => db.transaction(async () => 1))).rejects.toThrow(/inside a transaction/);
  expect(await db.transaction(async () => 'still working')).toBe('still working');
  await db.close();
});

test('a query that was not awaited cannot slip into another transaction', async () => {
  const db = await openDatabase({ dataDir: ':memory:' });
  await migrate(db);
  const late = await db.transaction(async (trx) => ({
    write: () => trx.insertInto('settings').values({ key: 'late', value: '' }).execute(),
  }));
  await expect(late.write()).rejects.toThrow(/already committed/);
  await db.close();
});

test('closing the database finishes running transactions and accepts no more', async () => {
  const dataDir = folder();
  const db = await openDatabase({ dataDir });
  await migrate(db);
  const begun = db.transaction((trx) =>
    trx.insertInto('settings').values({ key: 'last', value: '' }).execute(),
  );
  const closing = db.close();
  await expect(db.transaction(async () => 1)).rejects.toThrow(/closed/);
  await begun;
  await closing;
  const again = await openDatabase({ dataDir });
  expect(await again.read.selectFrom('settings').select('key').execute()).toEqual([{ key: 'last' }]);
  await again.close();
});

test('several processes write to one file without losing a transaction', async () => {
  const dataDir = folder();
  const db = await openDatabase({ dataDir });
  await migrate(db);
  await db.transaction((trx) => trx.insertInto('counters').values({ name: 'shared', value: 0 }).execute());
  const program = `
    import { openDatabase } from ${JSON.stringify(new URL('../database.ts', import.meta.url).href)};
    const db = await openDatabase({ dataDir: ${JSON.stringify(dataDir)} });
    const once = () => db.transaction((trx) => trx.updateTable('counters').set((eb) => ({ value: eb('value', '+', 1) })).execute());
    for (let i = 0; i < 20; i++) await Promise.all(Array.from({ length: 5 }, once));
    await db.close();`;
  const children = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  const codes = await Promise.all(
    children.map((child) => once(child, 'exit').then(([code]) => code as number)),
  );
  expect(codes).toEqual([0, 0, 0]);
  expect(await db.read.selectFrom('counters').select('value').executeTakeFirst()).toEqual({ value: 300 });
  await db.close();
});

test('the data folder and the database are readable by their owner only, even if they were open to others before', async () => {
  const dataDir = join(folder(), 'data');
  const modes = () =>
    [dataDir, ...readdirSync(dataDir).map((file) => join(dataDir, file))].map(
      (path) => statSync(path).mode & 0o777,
    );
  const before = process.umask(0o022);
  try {
    const db = await openDatabase({ dataDir });
    await migrate(db);
    expect(modes()).toEqual([0o700, 0o600, 0o600, 0o600]);
    await db.close();
    chmodSync(dataDir, 0o755);
    chmodSync(join(dataDir, sqliteFileName), 0o644);
    const again = await openDatabase({ dataDir });
    await again.ping();
    expect(modes()).toEqual([0o700, 0o600, 0o600, 0o600]);
    await again.close();
  } finally {
    process.umask(before);
  }
});
