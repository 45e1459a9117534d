import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import { openDatabase } from '#db/database.ts';
import { migrate } from '#db/migrate.ts';
import { demoPassword } from '#demo/customer.ts';
import { demoCustomerId } from '#demo/customer-id.ts';
import { createServices } from '#server/services.ts';
import { type ShopProcess, spawnShop, startShop } from '#tests/processes.ts';
import { testEnv } from '#tests/world.ts';

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

test('it makes its folder and database, says one line when it is ready, and stops when told', async () => {
  const shop = await start({ DATA_DIR: join(folder(), 'new', 'data') });
  expect(shop.stdout()).toMatch(/^The shop is open at http:\/\/127\.0\.0\.1:\d+\n$/);
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

test('a request under way is answered though the process was told to stop, and no further one is taken', async () => {
  const shop = await start({ LOG_LEVEL: 'info' });
  const body = JSON.stringify({ value: 'Please ring twice' });
  const call: ClientRequest = request(`${shop.url}/api/istore/client/shoppingManagement4/updateCustomerComment`, {
    method: 'POST',
    headers: { [clientTokenHeader]: clientToken, 'content-type': 'application/json', 'content-length': body.length },
  });
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  call.write(body.slice(0, 5));
  // The server has begun with it once another request, sent later, is through.
  await fetch(`${shop.url}/healthz`);
  const ended = shop.end('SIGTERM');
  await expect.poll(() => shop.stderr()).toContain('stopping');
  await expect.poll(() => fetch(`${shop.url}/healthz`).catch(() => 'refused')).toBe('refused');
  call.end(body.slice(5));
  const [response] = await answered;
  expect(response.statusCode).toBeLessThan(500);
  response.resume();
  expect(await ended).toBe(0);
});

test('told to stop as a group, as terminals and supervisors do, workers finish too what is under way', async () => {
  const shop = await start({ WORKERS: '2' }, true);
  const body = JSON.stringify({ value: 'Please ring twice' });
  const call = request(`${shop.url}/api/istore/client/shoppingManagement4/updateCustomerComment`, {
    method: 'POST',
    headers: { [clientTokenHeader]: clientToken, 'content-type': 'application/json', 'content-length': body.length },
  });
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  call.write(body.slice(0, 5));
  // Each worker has begun with what was sent before once it answers what was sent later.
  await Promise.all([1, 2, 3, 4].map(() => fetch(`${shop.url}/healthz`)));
  process.kill(-(shop.child.pid ?? 0), 'SIGTERM');
  await expect.poll(() => fetch(`${shop.url}/healthz`).catch(() => 'refused')).toBe('refused');
  call.end(body.slice(5));
  const [response] = await answered;
  expect(response.statusCode).toBeLessThan(500);
  response.resume();
  expect(await shop.end()).toBe(0);
});

test('a shop that is not the demo starts without the demo customer', { timeout: 60_000 }, async () => {
  const dataDir = folder();
  const db = await openDatabase({ dataDir });
  await migrate(db);
  const { accounts } = createServices({ db, env: testEnv({ DATA_DIR: dataDir }), now: Date.now });
  const customer = { firstName: 'Jordan', lastName: 'Lin', mobilePhone: '', acceptNewsletter: false, language: 'en' } as const;
  const rest = { shippingAddresses: [], billingAddresses: [], createdAt: 0 };
  await accounts.import({
    ...customer,
    ...rest,
    id: demoCustomerId,
    email: 'demo@maple-and-clay.example',
    password: demoPassword,
  });
  await accounts.import({ ...customer, ...rest, id: 'other', email: 'jordan@example.com', password: demoPassword });
  await db.close();
  const shop = await start({ DATA_DIR: dataDir, DEMO: '', PUBLIC_URL: 'https://shop.example' });
  expect(shop.stderr()).toContain('The demo customer was deleted');
  const after = await openDatabase({ dataDir });
  expect(await after.read.selectFrom('customers').select('id').execute()).toEqual([{ id: 'other' }]);
  await after.close();
});

test('bad configuration stops it, naming every bad key', async () => {
  const shop = spawnShop({ DATA_DIR: folder(), PORT: 'high', WORKERS: '-1' });
  expect(await shop.end()).toBe(1);
  expect(shop.stderr()).toMatch(/PORT must be .*\n.*WORKERS must be /);
  expect(shop.stderr()).not.toContain('at ');
  expect(shop.stdout()).toBe('');
});

test('a database of a newer program stops it', async () => {
  const dataDir = folder();
  const db = await openDatabase({ dataDir });
  await migrate(db);
  await db.transaction((trx) => sql`insert into schema_migrations (id, name) values (9999, 'future')`.execute(trx));
  await db.close();
  const shop = spawnShop({ DATA_DIR: dataDir });
  expect(await shop.end()).toBe(1);
  expect(shop.stderr()).toMatch(/^The database is at version 9999, this program knows versions up to \d+\. .*\n$/);
});

test('several workers share one port and stop together', async () => {
  const shop = await start({ WORKERS: '2' });
  const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(`${shop.url}/readyz`)));
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
  expect(shop.stdout().split('\n')).toHaveLength(2);
  expect(await shop.end('SIGTERM')).toBe(0);
  await expect(fetch(`${shop.url}/healthz`)).rejects.toThrow();
});
