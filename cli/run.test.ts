import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { copyTemplate, type TestDatabase } from '#tests/databases.ts';
import { forEachEngine } from '#tests/test-app.ts';
import { run } from './run.ts';

let testApp: TestDatabase | undefined;

afterEach(async () => {
  await testApp?.drop();
  testApp = undefined;
});

/** Runs the command and returns what it printed. */
async function shop(
  command: string,
  env: Record<string, string> = {},
): Promise<{ code: number; printed: string }> {
  const lines: string[] = [];
  const here = testApp
    ? { DATA_DIR: testApp.dataDir, ...(testApp.databaseUrl ? { DATABASE_URL: testApp.databaseUrl } : {}) }
    : {};
  const code = await run(command.split(' ').filter(Boolean), { ...here, ...env }, (line) => lines.push(line));
  return { code, printed: lines.join('\n') };
}

test('the shop command without arguments lists its commands', async () => {
  expect(await shop('')).toMatchObject({ code: 0, printed: expect.stringMatching(/^ {2}backup +Copies/m) });
  expect(await shop('sell-everything')).toMatchObject({
    code: 2,
    printed: expect.stringContaining("Unknown command 'sell-everything'."),
  });
});

test('the shop command names every part of a bad configuration', async () => {
  const { code, printed } = await shop('doctor', { PORT: 'many', DEMO: 'perhaps' });
  expect(code).toBe(1);
  expect(printed).toContain('PORT');
  expect(printed).toContain('DEMO');
});

forEachEngine((engine) => {
  test('a command creates nothing where there is no shop', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shopwright-none-'));
    const file = join(folder, 'posts.json');
    await writeFile(file, '{"posts":[]}');
    try {
      for (const command of ['messages', `blog ${file}`, `fill ${file}`, 'orders']) {
        const { code, printed } = await shop(command, { DATA_DIR: join(folder, 'data') });
        expect([code, printed]).toEqual([
          1,
          expect.stringMatching(/There is no database|Nothing was imported/),
        ]);
      }
      expect(existsSync(join(folder, 'data'))).toBe(false);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('doctor finds a fresh database in order', async () => {
    testApp = await copyTemplate(engine, 'empty', async () => {});
    const { code, printed } = await shop('doctor');
    expect(printed).not.toContain('FAIL');
    expect(code).toBe(0);
  });

  test('doctor names the missing image and the missing translation', async () => {
    testApp = await copyTemplate(engine, 'empty', async () => {});
    await testApp.db.transaction(async (trx) => {
      const empty = JSON.stringify({ en: '' });
      await trx
        .insertInto('brands')
        .values({
          id: 'kiln',
          name: JSON.stringify({ en: 'Kiln' }),
          story: empty,
          image: 'kiln.jpg',
          position: 0,
        })
        .execute();
    });
    const { code, printed } = await shop('doctor');
    expect(code).toBe(1);
    expect(printed).toContain('brand kiln: kiln.jpg has not been imported');
    expect(printed).toContain('brand kiln: name has no zh');
  });

  test('the migrate command runs pending migrations and lists them', async () => {
    testApp = await copyTemplate(engine, 'empty', async () => {});
    expect(await shop('migrate')).toEqual({ code: 0, printed: 'The database is up to date.' });
  });
});

test('doctor does not touch a shop without a database', async () => {
  testApp = await copyTemplate('sqlite', 'empty', async () => {});
  const nowhere = join(testApp.dataDir, 'nowhere');
  const { code, printed } = await shop('doctor', { DATA_DIR: nowhere });
  expect(code).toBe(1);
  expect(printed).toContain('Run "npm start" to create it');
  expect(existsSync(nowhere)).toBe(false);
});

test('doctor says when a database needs migrations', async () => {
  testApp = await copyTemplate('sqlite', 'empty', async () => {});
  const DATA_DIR = join(testApp.dataDir, 'old');
  await (await openDatabase({ dataDir: DATA_DIR })).close();
  expect((await shop('doctor', { DATA_DIR })).printed).toContain('is pending');
  expect((await shop('migrate', { DATA_DIR })).code).toBe(0);
  expect((await shop('doctor', { DATA_DIR })).code).toBe(0);
});

test('commands refuse a database of a newer program, as the server does', async () => {
  testApp = await copyTemplate('sqlite', 'empty', async () => {});
  const { db } = testApp;
  await db.transaction((trx) =>
    sql`insert into schema_migrations (id, name) values (9999, 'future')`.execute(trx),
  );
  for (const command of ['orders', 'refunds', 'settings list'])
    expect(await shop(command)).toEqual({
      code: 1,
      printed: expect.stringContaining('The database is at version 9999'),
    });
});

test('a backup taken while the shop sells is one consistent, complete snapshot', async () => {
  testApp = await copyTemplate('sqlite', 'empty', async () => {});
  const { db, dataDir } = testApp;
  let selling = true;
  const sales = (async () => {
    for (let n = 0; selling; n++) {
      await db.transaction(async (trx) => {
        // Always in pairs: one half of a pair in the backup would be half a transaction.
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
  expect([join(dataDir, 'backups'), file].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);

  const copy = new DatabaseSync(file, { readOnly: true });
  const unpaired = copy
    .prepare('select value, count(*) as n from counters group by value having n <> 2')
    .all();
  copy.close();
  expect(unpaired).toEqual([]);
});

test('a backup never overwrites a file and never leaves half a file', async () => {
  testApp = await copyTemplate('sqlite', 'empty', async () => {});
  const file = join(testApp.dataDir, 'mine.db');
  expect((await shop(`backup ${file}`)).code).toBe(0);
  expect(await shop(`backup ${file}`)).toMatchObject({
    code: 1,
    printed: expect.stringContaining('never overwrites'),
  });
  expect((await shop('backup')).code).toBe(1);
});

test('a PostgreSQL backup is left to PostgreSQL’s own tools', async () => {
  testApp = await copyTemplate('postgres', 'empty', async () => {});
  expect(await shop('backup x.db')).toMatchObject({ code: 1, printed: expect.stringContaining('pg_dump') });
});

forEachEngine((engine) => {
  test('the messages command lists form messages and, separately, suspected spam', async () => {
    testApp = await copyTemplate(engine, 'empty', async () => {});
    expect(await shop('messages')).toEqual({ code: 0, printed: 'No messages.' });
    const row = (id: string, suspected: 0 | 1, value: string) => ({
      id,
      form_name: 'questions',
      mail_to: 'questions@maple-and-clay.example',
      language: 'en',
      details: JSON.stringify([{ name: 'text', label: 'Question', value }]),
      reply_to: null,
      suspected,
      fingerprint: id,
      created_at: Date.UTC(2026, 4, 16, 14),
    });
    await testApp.db.transaction(async (trx) => {
      await trx
        .insertInto('form_messages')
        .values([row('a', 0, 'Tea?\n\u001b[2JPots?'), row('b', 1, 'Buy now')])
        .execute();
    });
    expect((await shop('messages')).printed).toBe(
      '2026-05-16T14:00+00:00  questions → questions@maple-and-clay.example\n  Question: Tea? / [2JPots?',
    );
    expect((await shop('messages --spam')).printed).toContain('Buy now');
    expect((await shop('messages --all')).code).not.toBe(0);
  });
});
