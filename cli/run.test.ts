import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { copyTemplate, type TestDatabase } from '#tests/databases.ts';
import { forEachEngine } from '#tests/world.ts';
import { run } from './run.ts';

let world: TestDatabase | undefined;

afterEach(async () => {
  await world?.drop();
  world = undefined;
});

/** The command as typed, with what it printed. */
async function shop(command: string, env: Record<string, string> = {}): Promise<{ code: number; printed: string }> {
  const lines: string[] = [];
  const here = world ? { DATA_DIR: world.dataDir, ...(world.databaseUrl ? { DATABASE_URL: world.databaseUrl } : {}) } : {};
  const code = await run(command.split(' ').filter(Boolean), { ...here, ...env }, (line) => lines.push(line));
  return { code, printed: lines.join('\n') };
}

test('without a command, the list of them', async () => {
  expect(await shop('')).toMatchObject({ code: 0, printed: expect.stringContaining('backup <file>') });
  expect(await shop('sell-everything')).toMatchObject({
    code: 2,
    printed: expect.stringContaining('no command sell-everything'),
  });
});

test('bad configuration is named, every part of it', async () => {
  const { code, printed } = await shop('doctor', { PORT: 'many', DEMO: 'perhaps' });
  expect(code).toBe(1);
  expect(printed).toContain('PORT');
  expect(printed).toContain('DEMO');
});

forEachEngine((engine) => {
  test('doctor finds a fresh database in order', async () => {
    world = await copyTemplate(engine, 'empty', async () => {});
    const { code, printed } = await shop('doctor');
    expect(printed).not.toContain('MEND');
    expect(code).toBe(0);
  });

  test('doctor names the picture and the translation that are missing', async () => {
    world = await copyTemplate(engine, 'empty', async () => {});
    await world.db.transaction(async (trx) => {
      const empty = JSON.stringify({ en: '' });
      await trx
        .insertInto('brands')
        .values({ id: 'kiln', name: JSON.stringify({ en: 'Kiln' }), story: empty, image: 'kiln.jpg', position: 0 })
        .execute();
    });
    const { code, printed } = await shop('doctor');
    expect(code).toBe(1);
    expect(printed).toContain('brand kiln: kiln.jpg was never imported');
    expect(printed).toContain('brand kiln: name has no zh');
  });

  test('migrate runs what has not run, and says so', async () => {
    world = await copyTemplate(engine, 'empty', async () => {});
    expect(await shop('migrate')).toEqual({ code: 0, printed: 'The database is up to date.' });
  });
});

test('doctor leaves a shop alone that has no database yet', async () => {
  world = await copyTemplate('sqlite', 'empty', async () => {});
  const nowhere = join(world.dataDir, 'nowhere');
  const { code, printed } = await shop('doctor', { DATA_DIR: nowhere });
  expect(code).toBe(1);
  expect(printed).toContain('npm start makes it');
  expect(existsSync(nowhere)).toBe(false);
});

test('doctor says when a database needs migrations', async () => {
  world = await copyTemplate('sqlite', 'empty', async () => {});
  const DATA_DIR = join(world.dataDir, 'old');
  await (await openDatabase({ dataDir: DATA_DIR })).close();
  expect((await shop('doctor', { DATA_DIR })).printed).toContain('has not run');
  expect((await shop('migrate', { DATA_DIR })).code).toBe(0);
  expect((await shop('doctor', { DATA_DIR })).code).toBe(0);
});

test('a backup taken while the shop sells is one moment of it, sound and complete', async () => {
  world = await copyTemplate('sqlite', 'empty', async () => {});
  const { db, dataDir } = world;
  let selling = true;
  const sales = (async () => {
    for (let n = 0; selling; n++) {
      await db.transaction(async (trx) => {
        // Always in pairs: half a pair in the backup would be half a transaction.
        for (const half of ['a', 'b'])
          await trx
            .insertInto('counters')
            .values({ name: `${n}${half}`, value: n })
            .execute();
      });
    }
  })();
  const file = join(dataDir, 'backups/now.db');
  const { code, printed } = await shop(`backup ${file}`);
  selling = false;
  await sales;
  expect(printed).toContain('verified');
  expect(code).toBe(0);
  expect(readdirSync(join(dataDir, 'backups'))).toEqual(['now.db']);

  const copy = new DatabaseSync(file, { readOnly: true });
  const unpaired = copy.prepare('select value, count(*) as n from counters group by value having n <> 2').all();
  copy.close();
  expect(unpaired).toEqual([]);
});

test('a backup never overwrites, and never leaves half a file', async () => {
  world = await copyTemplate('sqlite', 'empty', async () => {});
  const file = join(world.dataDir, 'mine.db');
  expect((await shop(`backup ${file}`)).code).toBe(0);
  expect(await shop(`backup ${file}`)).toMatchObject({ code: 1, printed: expect.stringContaining('never overwrites') });
  expect((await shop('backup')).code).toBe(1);
});

test('PostgreSQL is backed up by its own tools', async () => {
  world = await copyTemplate('postgres', 'empty', async () => {});
  expect(await shop('backup x.db')).toMatchObject({ code: 1, printed: expect.stringContaining('pg_dump') });
});
