/** The responses and logs while the database cannot serve. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import { openDatabase } from '#db/database.ts';
import { createContainer } from '#server/container.ts';
import { openPostgresGate } from '#tests/postgres-gate.ts';
import { startShop } from '#tests/processes.ts';
import { renderedPage, renderFromSources } from '#tests/rendered.ts';
import { createTestApp } from '#tests/test-app.ts';
import { buildApp } from './app.ts';

const cleaning: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

/** A call that always writes. */
const writing = '/api/istore/client/common3/forgotPassword?emailID=nobody%40example.com';
const headers = { [clientTokenHeader]: clientToken };
const refused = { errorType: 'SYSTEM_ERROR', errorKey: 'error.unavailable' };

/** The log lines that name a cause. */
function causesIn(log: string): (string | undefined)[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number; msg: string; cause?: string })
    .filter(({ level }) => level >= 50)
    .map(({ msg, cause }) => `${msg}: ${cause}`);
}

// The system's limit on file size simulates a full disk: only Linux can change it for a running process.
test.runIf(process.platform === 'linux')(
  'a full disk is answered with 503 until it takes writes again',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'shopwright-outage-'));
    cleaning.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const shop = await startShop({ DATA_DIR: dataDir, LOG_LEVEL: 'error' });
    cleaning.push(() => shop.end('SIGKILL'));
    const limit = (size: string) =>
      execFileSync('prlimit', ['--pid', String(shop.child.pid), `--fsize=${size}`]);
    const write = () => fetch(shop.url + writing, { headers });
    const ready = async () => {
      const answer = await fetch(`${shop.url}/readyz`);
      return [answer.status, ((await answer.json()) as { status: string }).status];
    };
    expect((await write()).status).toBe(200);

    limit('100:unlimited');
    for (let i = 0; i < 3; i++) {
      const answer = await write();
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
      expect(await answer.json()).toMatchObject(refused);
    }
    await expect.poll(ready, { timeout: 5000 }).toEqual([503, 'databaseNotWritable']);
    expect((await fetch(`${shop.url}/api/istore/client/productManagement/brands`)).status).toBe(200);
    expect(causesIn(shop.stderr())).toEqual(['database unavailable: the disk cannot be read or written']);

    limit('unlimited:unlimited');
    await expect.poll(ready, { timeout: 5000 }).toEqual([200, 'ready']);
    expect((await write()).status).toBe(200);
  },
);

test('an unreachable or exhausted PostgreSQL is answered with 503 until it is back', async () => {
  const testApp = await createTestApp({ engine: 'postgres' });
  const gate = await openPostgresGate(testApp.env.databaseUrl ?? '');
  const db = await openDatabase({ dataDir: testApp.dataDir, databaseUrl: gate.url });
  const log: string[] = [];
  const env = { ...testApp.env, logLevel: 'error' } as const;
  const services = createContainer({ db, env, now: Date.now });
  const app = await buildApp({ env, db, services, logStream: { write: (line) => log.push(line) } });
  cleaning.push(
    () => gate.close(),
    () => db.close(),
    () => app.close(),
  );
  const brands = '/api/istore/client/productManagement/brands';
  const write = () => app.inject({ url: writing, headers });
  expect((await write()).statusCode).toBe(200);

  for (const state of ['closed', 'full'] as const) {
    gate.set(state);
    for (const answer of [await write(), await app.inject(brands), await write()]) {
      expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toMatchObject([
        503,
        '10',
        refused,
      ]);
    }
    expect((await app.inject('/readyz')).statusCode).toBe(503);
  }
  expect(causesIn(log.join(''))).toEqual([
    'database unavailable: PostgreSQL cannot be reached',
    'database unavailable: PostgreSQL is out of connections',
  ]);

  gate.set('open');
  await expect.poll(async () => (await app.inject('/readyz')).statusCode, { timeout: 5000 }).toBe(200);
  expect((await write()).statusCode).toBe(200);
});

test('pages rendered before a PostgreSQL outage are served during it; others answer 503 in the visitor’s language', {
  timeout: 120_000,
}, async () => {
  const testApp = await createTestApp({ engine: 'postgres', demo: true });
  const gate = await openPostgresGate(testApp.env.databaseUrl ?? '');
  const db = await openDatabase({ dataDir: testApp.dataDir, databaseUrl: gate.url });
  const services = createContainer({ db, env: testApp.env, now: Date.now });
  const app = await buildApp({
    env: testApp.env,
    db,
    services,
    web: renderFromSources,
    logStream: { write: () => {} },
  });
  cleaning.push(
    () => gate.close(),
    () => db.close(),
    () => app.close(),
  );
  const made = await renderedPage(app, '/zh/contact');
  expect(made.status).toBe(200);
  gate.set('closed');
  const during = await renderedPage(app, '/zh/contact');
  expect(during).toEqual({ ...made, headers: { ...made.headers, date: during.headers.date } });
  for (const [path, language, said] of [
    ['/contact', 'en-CA', 'We couldn’t load this page. Please try again.'],
    ['/zh/about', 'zh-CN', '页面加载失败，请重试。'],
  ] as const) {
    const { status, headers, html } = await renderedPage(app, path);
    expect([status, headers['retry-after'], headers['cache-control'], headers['content-type']]).toEqual([
      503,
      '10',
      'no-store',
      'text/html; charset=utf-8',
    ]);
    expect(html).toContain(`<html lang="${language}"`);
    expect(html).toContain(said);
  }
  gate.set('open');
  await expect.poll(async () => (await renderedPage(app, '/contact')).status, { timeout: 5000 }).toBe(200);
});
