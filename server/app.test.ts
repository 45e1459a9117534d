import Fastify from 'fastify';
import { expect, it, test } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { migrate } from '#db/migrate.ts';
import { createTestApp } from '#tests/test-app.ts';
import { registerHealth } from './app.ts';

test('the server is ready once the database answers and has the current version', async () => {
  const app = Fastify();
  const db = await openDatabase({ dataDir: ':memory:', durable: false });
  registerHealth(app, db);
  const ask = async (url: string) => {
    const answer = await app.inject(url);
    return [answer.statusCode, answer.json().status];
  };
  expect(await ask('/readyz')).toEqual([503, 'notMigrated']);
  await migrate(db);
  expect(await ask('/readyz')).toEqual([200, 'ready']);
  await db.close();
  expect(await ask('/readyz')).toEqual([503, 'databaseUnreachable']);
  expect(await ask('/healthz')).toEqual([200, 'ok']);
  await app.close();
});

test('the server is not ready while no page can be drawn, and says so in its log', async () => {
  const log: string[] = [];
  const app = Fastify({ logger: { stream: { write: (line: string) => log.push(line) } } });
  const db = await openDatabase({ dataDir: ':memory:', durable: false });
  await migrate(db);
  registerHealth(app, db, () => Promise.reject(new Error('no such file: entry.server.js')));
  const answer = await app.inject('/readyz');
  expect([answer.statusCode, answer.json()]).toEqual([503, { status: 'pagesNotDrawn' }]);
  expect(log.join('')).toContain('no such file: entry.server.js');
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  await db.close();
});

const office = async () => '<!doctype html><title>Office</title>';

const web = async () => ({
  render: async () => Promise.reject(new Error('no page')),
  office,
  asset: async () => null,
  close: async () => {},
});

const stripe = {
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};

it('the office has one document for all of its addresses, which nothing caches, indexes or frames', async () => {
  const { app } = await createTestApp({ engine: 'sqlite', env: stripe, app: { web } });
  for (const url of ['/office', '/office/journal', '/office/join']) {
    const { statusCode, headers, body } = await app.inject(url);
    expect([statusCode, body]).toEqual([200, await office()]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    // Nothing inline, no other site, no hash: without exceptions, also where payment providers have some.
    expect(headers['content-security-policy']).toBe(
      "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self'; img-src 'self' data:; connect-src 'self'",
    );
  }
});

it('the document of stock-takes, and no other, may use the camera and run a decoder in WebAssembly', async () => {
  const { app } = await createTestApp({ engine: 'sqlite', env: stripe, app: { web } });
  for (const url of ['/office/scan', '/office/scan?place=warehouse', '/office/scan/']) {
    const { statusCode, headers } = await app.inject(url);
    expect(statusCode).toBe(200);
    expect(headers['content-security-policy']).toBe(
      "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self'; img-src 'self' data:; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
    );
    expect(headers['permissions-policy']).toContain('camera=(self), microphone=()');
  }
  for (const url of ['/office', '/office/stock', '/office/scanner']) {
    const { headers } = await app.inject(url);
    expect(headers['content-security-policy'], url).not.toContain('wasm');
    expect(headers['permissions-policy'], url).toContain('camera=()');
  }
});

it('the office with an address of its own answers nowhere else, nor do its calls', async () => {
  const { app } = await createTestApp({
    engine: 'sqlite',
    env: { OFFICE_URL: 'https://office.shop.example' },
    app: { web },
  });
  const status = async (url: string, host: string) =>
    (await app.inject({ url, headers: { host } })).statusCode;
  for (const url of ['/office', '/office/staff', '/office?x', '/api/staff/me'])
    expect(await status(url, 'shop.example'), url).toBe(404);
  expect(await status('/office', 'office.shop.example')).toBe(200);
  expect(await status('/api/staff/me', 'office.shop.example')).toBe(401);
});
