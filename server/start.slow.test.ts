/** Processes of the shop: how they start, work together, and stop. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import {
  type ClientRequest,
  createServer as createHttpServer,
  type IncomingMessage,
  request,
} from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import { openDatabase } from '#db/database.ts';
import { migrate } from '#db/migrate.ts';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { demoPassword } from '#demo/customer.ts';
import { demoCustomerId } from '#demo/customer-id.ts';
import { createContainer } from '#server/container.ts';
import { asMerchant } from '#tests/as-merchant.ts';
import { type ShopProcess, spawnShop, startShop } from '#tests/processes.ts';
import { testEnv } from '#tests/test-app.ts';

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

test('searches that were counted just before the signal to stop are stored', async () => {
  const dataDir = folder();
  const shop = await start({ DATA_DIR: dataDir });
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  await fetch(`${shop.url}/api/istore/client/productManagement2/products/search/kettle`, { headers });
  expect(await shop.end('SIGTERM')).toBe(0);
  expect(shop.stderr()).toBe('');
  const database = new DatabaseSync(join(dataDir, sqliteFileName), { readOnly: true });
  cleaning.push(() => database.close());
  expect(database.prepare('select text, times from searches').all()).toEqual([{ text: 'kettle', times: 1 }]);
});

test('a running shop sends the webhooks that another process recorded', async () => {
  const received: string[] = [];
  const receiver = createHttpServer((call, answer) => {
    received.push(String(call.headers['webhook-id']));
    answer.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  cleaning.push(() => new Promise((resolve) => receiver.close(resolve)));
  const variables = { DATA_DIR: folder(), WEBHOOKS_ALLOW_PRIVATE: '1' };
  const shop = await start(variables);
  const db = await openDatabase({ dataDir: variables.DATA_DIR });
  cleaning.push(() => db.close());
  const { webhooks, webhookEvents } = asMerchant(
    createContainer({ db, env: testEnv(variables), now: Date.now }),
  );
  await webhooks.add(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, ['stock.low']);
  const data = () => ({ sku: 'MUG', store: 'queen', left: 1, threshold: 5 });
  await db.transaction((trx) => webhookEvents.record(trx, { type: 'stock.low', cause: '1', data }));
  await expect.poll(() => received).toEqual([expect.stringMatching(/^evt_/)]);
  expect(await shop.end('SIGTERM')).toBe(0);
  expect(shop.stderr()).toBe('');
});

test('a running request is answered after the signal to stop, and no further one is taken', async () => {
  const shop = await start({ LOG_LEVEL: 'info' });
  const body = JSON.stringify({ value: 'Please ring twice' });
  const call: ClientRequest = request(
    `${shop.url}/api/istore/client/shoppingManagement4/updateCustomerComment`,
    {
      method: 'POST',
      headers: {
        [clientTokenHeader]: clientToken,
        'content-type': 'application/json',
        'content-length': body.length,
      },
    },
  );
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  call.write(body.slice(0, 5));
  // Once a request sent later is answered, the server has started on this one.
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

test('workers finish running requests when the whole process group is told to stop, as terminals and supervisors do', async () => {
  const shop = await start({ WORKERS: '2' }, true);
  const body = JSON.stringify({ value: 'Please ring twice' });
  const call = request(`${shop.url}/api/istore/client/shoppingManagement4/updateCustomerComment`, {
    method: 'POST',
    headers: {
      [clientTokenHeader]: clientToken,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  });
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  call.write(body.slice(0, 5));
  // Once each worker answers a later request, it has started on the earlier ones.
  await Promise.all([1, 2, 3, 4].map(() => fetch(`${shop.url}/healthz`)));
  process.kill(-(shop.child.pid ?? 0), 'SIGTERM');
  await expect.poll(() => fetch(`${shop.url}/healthz`).catch(() => 'refused')).toBe('refused');
  call.end(body.slice(5));
  const [response] = await answered;
  expect(response.statusCode).toBeLessThan(500);
  response.resume();
  expect(await shop.end()).toBe(0);
});

test('a shop that is not the demo starts without the demo customer', async () => {
  const dataDir = folder();
  const db = await openDatabase({ dataDir });
  await migrate(db);
  const { accounts } = createContainer({ db, env: testEnv({ DATA_DIR: dataDir }), now: Date.now });
  const customer = {
    firstName: 'Jordan',
    lastName: 'Lin',
    mobilePhone: '',
    acceptNewsletter: false,
    language: 'en',
  } as const;
  const rest = { shippingAddresses: [], billingAddresses: [], createdAt: 0 };
  await accounts.import({
    ...customer,
    ...rest,
    id: demoCustomerId,
    email: 'demo@maple-and-clay.example',
    password: demoPassword,
  });
  await accounts.import({
    ...customer,
    ...rest,
    id: 'other',
    email: 'jordan@example.com',
    password: demoPassword,
  });
  await db.close();
  const shop = await start({ DATA_DIR: dataDir, DEMO: '', PUBLIC_URL: 'https://shop.example' });
  expect(shop.stderr()).toContain('The demo customer was deleted');
  // The database is not new, and nobody works here yet.
  expect(shop.stdout()).toMatch(
    /\nIts first owner joins within 72 hours at https:\/\/shop\.example\/office\/join#[\w-]{43}\n$/,
  );
  const after = await openDatabase({ dataDir });
  expect(await after.read.selectFrom('customers').select('id').execute()).toEqual([{ id: 'other' }]);
  await after.close();
});

test('the first owner’s link is printed once while it is open', async () => {
  const dataDir = folder();
  const first = await start({ DATA_DIR: dataDir });
  expect(first.stdout()).toContain('/office/join#');
  expect(await first.end('SIGTERM')).toBe(0);
  expect((await start({ DATA_DIR: dataDir })).stdout()).not.toContain('/office/join#');
});

/** A port that was free a moment ago. */
async function freePort(): Promise<string> {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await new Promise((closed) => other.close(closed));
  return String(port);
}

test('a shop that prepares its database answers that it is starting, and serves afterwards', async () => {
  const PORT = await freePort();
  const url = `http://127.0.0.1:${PORT}`;
  // The demo loads long enough for a request in between.
  const shop = spawnShop({ DATA_DIR: folder(), PORT, DEMO: '1' });
  cleaning.push(() => shop.end('SIGKILL'));
  const ask = (path: string, headers = {}) => fetch(url + path, { headers });
  const readyStatus = () =>
    ask('/readyz').then(
      ({ status }) => status,
      () => null,
    );
  await expect.poll(readyStatus, { interval: 10 }).toBe(503);
  const [ready, health, call, page] = await Promise.all([
    ask('/readyz'),
    ask('/healthz'),
    ask('/api/istore/client/productManagement/brands?lang=zh'),
    ask('/zh/brand', { accept: 'text/html' }),
  ]);
  expect(await ready.json()).toEqual({ status: 'starting' });
  expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
  expect([call.status, call.headers.get('retry-after')]).toEqual([503, '5']);
  const { message } = (await call.json()) as { message: string };
  expect(message).toMatch(/本店暂时无法处理请求/);
  expect([page.status, await page.text()]).toEqual([503, message]);
  await expect.poll(readyStatus, { timeout: 50_000 }).toBe(200);
  expect(await shop.end('SIGTERM')).toBe(0);
});

test('an existing database is not filled with the demo, even if it has no products', async () => {
  const dataDir = folder();
  const db = await openDatabase({ dataDir });
  await migrate(db);
  await db.close();
  const shop = await start({ DATA_DIR: dataDir, DEMO: '1' });
  const answer = await fetch(`${shop.url}/api/istore/client/productManagement/brands`);
  expect(await answer.json()).toEqual([]);
});

test('a call sent before the signal to stop is answered, on every connection', async () => {
  const shop = await start();
  const url = new URL(shop.url);
  const sockets = Array.from({ length: 40 }, () => connect(Number(url.port), url.hostname));
  const answers = sockets.map(async (socket) => {
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    await once(socket, 'close');
    return received.slice(0, 12);
  });
  const call =
    'GET /api/istore/client/productManagement/brands HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n';
  await Promise.all(sockets.map((socket) => new Promise((sent) => socket.write(call, sent))));
  const ended = shop.end('SIGTERM');
  expect(await Promise.all(answers)).toEqual(Array(40).fill('HTTP/1.1 200'));
  expect(await ended).toBe(0);
  expect(shop.stderr()).toBe('');
});

describe('a shop of two workers', () => {
  let shop: ShopProcess;
  const dataDir = mkdtempSync(join(tmpdir(), 'shopwright-start-'));
  beforeAll(async () => {
    shop = await startShop({ DATA_DIR: dataDir, WORKERS: '2', LOG_LEVEL: 'info' });
  });
  afterAll(async () => {
    await shop.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('a worker that dies right after the start is replaced while the others serve', async () => {
    const workers = () =>
      new Set(
        [...shop.stderr().matchAll(/"pid":(\d+),[^\n]*mails are written/g)].map(([, pid]) => Number(pid)),
      );
    const [first = 0] = workers();
    process.kill(first, 'SIGKILL');
    await expect.poll(() => shop.stderr()).toContain('"msg":"worker ended"');
    expect((await fetch(`${shop.url}/healthz`)).status).toBe(200);
    await expect.poll(() => workers().size).toBe(3);
  });

  test('several workers share one port and stop together', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(`${shop.url}/readyz`)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    expect(shop.stdout().match(/Listening on/g)).toHaveLength(1);
    expect(await shop.end('SIGTERM')).toBe(0);
    await expect(fetch(`${shop.url}/healthz`)).rejects.toThrow();
  });
});

test('the shop ends when no worker can live', async () => {
  const dying = "import cluster from 'node:cluster'; if (cluster.isWorker) process.exit(7);";
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(dying)}`;
  const shop = spawnShop({ DATA_DIR: folder(), WORKERS: '2', NODE_OPTIONS });
  expect(await shop.end()).toBe(1);
  expect(shop.stderr().match(/"code":7.*"msg":"worker ended"/g)?.length).toBeGreaterThanOrEqual(10);
});
