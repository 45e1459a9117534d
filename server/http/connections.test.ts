import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import Fastify from 'fastify';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { closeAtEnd } from '#tests/resources.ts';
import { createTestApp } from '#tests/test-app.ts';
import { boundConnections, networkCounter } from './connections.ts';
import { registerForwardedFor, trustedProxies } from './proxy.ts';

/** Lets everything go on that is ready to. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

const roomy = { maxConnections: 1000, maxConnectionsPerNetwork: 1000, proxyHops: 0 };

/** A server that answers `/` by `answer`. Returns how to connect to it. */
async function listening(answer: (reply: FastifyReply) => unknown, limits: Partial<typeof roomy> = {}) {
  const { proxyHops, ...rest } = { ...roomy, ...limits };
  const app = Fastify({
    trustProxy: proxyHops > 0 && trustedProxies(proxyHops),
    forceCloseConnections: true,
  });
  if (proxyHops > 0) registerForwardedFor(app, proxyHops);
  boundConnections(app, new WeakMap(), { proxyHops, ...rest });
  app.get('/', (_request, reply) => answer(reply));
  await app.listen({ host: '127.0.0.1', port: 0 });
  closeAtEnd(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return {
    app,
    async open(): Promise<Socket> {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      closeAtEnd(() => socket.destroy());
      await once(socket, 'connect');
      return socket;
    },
  };
}

const get = (client = '') => `GET / HTTP/1.1\r\nHost: a\r\n${client && `X-Forwarded-For: ${client}\r\n`}\r\n`;

/** The status of the next answer on a connection; null if it is closed instead. */
async function statusOn(socket: Socket, request = get()): Promise<number | null> {
  socket.write(request);
  return await new Promise((resolve) => {
    socket
      .once('data', (data) => resolve(Number(String(data).slice(9, 12))))
      .once('close', () => resolve(null));
  });
}

/** Whether the other side ended the connection orderly or not. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

describe('answers to slow readers', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Serves 64 MB, more than the operating system takes. The client has asked for it and reads nothing. */
  async function asked(path = '') {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { app, open } = await listening((reply) => reply.send(Buffer.alloc(64 << 20)));
    const socket = await open();
    socket.pause();
    socket.write(get() + path);
    await once(app.server, 'request');
    const pass = async (seconds: number) => {
      vi.advanceTimersByTime(seconds * 1000);
      for (let n = 0; n < 20; n++) await turn();
      return await new Promise<number>((resolve) =>
        app.server.getConnections((_error, count) => resolve(count)),
      );
    };
    return { socket, pass };
  }

  test('an answer that is not read ends after thirty seconds without progress', async () => {
    const { pass } = await asked();
    // The operating system takes the first megabytes.
    await pass(5);
    expect(await pass(25)).toBe(1);
    expect(await pass(10)).toBe(0);
  });

  test('an answer that is not read ends although the client goes on sending', async () => {
    const { socket, pass } = await asked('GET / HTTP/1.1\r\nX-Long: ');
    await pass(5);
    for (let n = 0; n < 8; n++) {
      socket.write('T');
      await pass(5);
    }
    expect(await pass(0)).toBe(0);
  });

  test('an answer goes on for as long as the client reads some of it', async () => {
    const { socket, pass } = await asked();
    for (let n = 0; n < 14; n++) {
      let read = 0;
      const some = Promise.withResolvers<void>();
      socket.removeAllListeners('data').on('data', ({ length }) => {
        read += length;
        if (read > 4 << 20) some.resolve();
      });
      socket.resume();
      await some.promise;
      socket.pause();
      expect(await pass(5)).toBe(1);
    }
  });
});

test('requests that are sent ahead are handled one after another, and answered in order', async () => {
  let [underWay, most, count] = [0, 0, 0];
  const { open } = await listening(async (reply) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await turn();
    underWay -= 1;
    count += 1;
    return reply.send(`answer ${count}.`);
  });
  const socket = await open();
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  socket.write(get().repeat(10));
  await expect.poll(() => received).toContain('answer 10.');
  expect(received.match(/answer \d+/g)).toEqual(Array.from({ length: 10 }, (_, n) => `answer ${n + 1}`));
  expect(most).toBe(1);
});

test('a connection that sends a thousand requests ahead is closed, with one of them handled', async () => {
  let handled = 0;
  const { open } = await listening(() => {
    handled += 1;
    return new Promise(() => {});
  });
  const socket = await open();
  socket.write(get().repeat(1000));
  await closed(socket);
  expect(handled).toBe(1);
});

test('one network has a limited number of connections, and gets another when it closes one', async () => {
  const { app, open } = await listening((reply) => reply.send('ok'), { maxConnectionsPerNetwork: 2 });
  const [first, second, third] = [await open(), await open(), await open()];
  expect([await statusOn(third), await statusOn(first), await statusOn(second)]).toEqual([null, 200, 200]);
  first.destroy();
  await expect
    .poll(() => new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count))))
    .toBe(1);
  expect(await statusOn(await open())).toBe(200);
});

test('the limit by network applies behind a proxy to the requests in progress of each client, not to the proxy', async () => {
  const release: (() => void)[] = [];
  const { open } = await listening(
    async (reply) => {
      await new Promise<void>((resolve) => release.push(resolve));
      return reply.send('ok');
    },
    { maxConnectionsPerNetwork: 2, proxyHops: 1 },
  );
  const [one, two, three, other, own] = await Promise.all(Array.from({ length: 5 }, open));
  const asks = [one, two].map((socket) => socket && statusOn(socket, get('203.0.113.9')));
  await expect.poll(() => release.length).toBe(2);
  expect(three && (await statusOn(three, get('203.0.113.9')))).toBe(429);
  asks.push(other && statusOn(other, get('203.0.113.10')), own && statusOn(own));
  await expect.poll(() => release.length).toBe(4);
  for (const each of release.splice(0)) each();
  expect(await Promise.all(asks)).toEqual([200, 200, 200, 200]);
  const again = three && statusOn(three, get('203.0.113.9'));
  await expect.poll(() => release.length).toBe(1);
  release[0]?.();
  expect(await again).toBe(200);
});

test('connections that wait for a next request give way when the shop has all that it may have', async () => {
  const { open } = await listening((reply) => reply.send('ok'), { maxConnections: 2 });
  const idle = [await open(), await open()];
  for (const socket of idle) expect(await statusOn(socket)).toBe(200);
  const gone = idle.map(closed);
  expect(await statusOn(await open())).toBeNull();
  await Promise.all(gone);
  expect(await statusOn(await open())).toBe(200);
});

test('the networks of one IPv6 site have a limit together', () => {
  const enter = networkCounter(2);
  const taken = Array.from({ length: 100 }, (_, n) => enter(`2001:db8:1:${n.toString(16)}::1`));
  expect(taken.filter(Boolean)).toHaveLength(2 * 4);
  const elsewhere = Array.from({ length: 100 }, (_, n) =>
    enter(`2001:db8:1:${(n * 256 + 256).toString(16)}::1`),
  );
  expect(elsewhere.filter(Boolean)).toHaveLength(2 * 16 - 2 * 4);
  taken[0]?.();
  expect(enter('2001:db8:1:ffff::1')).not.toBeNull();
  expect(enter('2001:db8:2::1')).not.toBeNull();
});

test('the shop counts connections as its configuration says', async () => {
  const testApp = await createTestApp({
    engine: 'sqlite',
    env: { MAX_CONNECTIONS: '50', MAX_CONNECTIONS_PER_NETWORK: '1' },
  });
  await testApp.app.listen({ host: '127.0.0.1', port: 0 });
  closeAtEnd(() => testApp.close());
  const { port } = testApp.app.server.address() as AddressInfo;
  const [first, second] = [0, 1].map(() => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all([first, second].map((socket) => socket && once(socket, 'connect')));
  expect([
    second && (await statusOn(second)),
    first && (await statusOn(first, get().replace('/', '/healthz'))),
  ]).toEqual([null, 200]);
  expect(testApp.app.server.maxConnections).toBe(50);
  first?.destroy();
});
