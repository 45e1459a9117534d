import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collectReads, recordUntil } from '#server/platform/recorded-reads.ts';
import type { PublicResponse } from './encoded-answer.ts';
import { isCacheable, isCacheablePage, PublicCache } from './public-cache.ts';

let version = 1;
/** When single topics changed; all others changed with the version. */
let changedAt = new Map<string, number>();
let made: string[] = [];
let app: FastifyInstance;
beforeEach(() => {
  version = 1;
  changedAt = new Map();
  made = [];
});
afterEach(() => app.close());

const long = 'hello '.repeat(1000);

function build(
  make: (url: string) => Promise<PublicResponse> | PublicResponse,
  options: { maxBytes?: number; later?: boolean; now?: () => number } = {},
) {
  const cache = new PublicCache({
    changes: {
      refresh: () => (options.later ? Promise.resolve() : undefined),
      get moment() {
        return version;
      },
      changedSince: (moment, topics) =>
        topics.some((topic) => (changedAt.get(topic) ?? changedAt.get('*') ?? version) > moment),
    },
    headersFor: (type) => ({ 'x-content-type-options': type === 'text/plain' ? 'nosniff' : '' }),
    ...(options.now ? { now: options.now } : {}),
    ...(options.maxBytes ? { maxBytes: options.maxBytes } : {}),
  });
  app = Fastify();
  app.get('/*', {
    onRequest: cache.answerFirst,
    handler: (request, reply) =>
      cache.send(
        request,
        reply,
        async () => {
          made.push(request.url);
          return make(request.url);
        },
        isCacheable(request.url, (name) => ['x', 'y', 'lang'].includes(name)),
      ),
  });
  return cache;
}

const text = (body: string, more: Partial<PublicResponse> = {}): PublicResponse => ({
  contentType: 'text/plain',
  body,
  ...more,
});

test.each([false, true])('an answer is made once per version (version read later: %s)', async (later) => {
  build((url) => text(`${url} at ${version}`), { later });
  for (let i = 0; i < 3; i++) expect((await app.inject('/a?x=1')).body).toBe('/a?x=1 at 1');
  expect((await app.inject('/a?x=2')).body).toBe('/a?x=2 at 1');
  expect(made).toEqual(['/a?x=1', '/a?x=2']);
  version = 2;
  expect((await app.inject('/a?x=1')).body).toBe('/a?x=1 at 2');
});

test('a change of a topic outdates only answers that show it', async () => {
  build((url) =>
    text(`${url} at ${version}`, url === '/anything' ? {} : { topics: [`product:${url}`, 'settings'] }),
  );
  const ask = async () => {
    made = [];
    for (const url of ['/1', '/2', '/anything']) await app.inject(url);
    return made;
  };
  expect(await ask()).toHaveLength(3);
  version = 2;
  changedAt = new Map([
    ['product:/1', 2],
    ['product:/2', 1],
    ['settings', 1],
  ]);
  expect(await ask()).toEqual(['/1', '/anything']);
  expect(await ask()).toEqual([]);
  version = 3;
  changedAt.set('settings', 3);
  expect(await ask()).toHaveLength(3);
});

test('an answer that something changed during is sent and not cached, unless it does not show that', async () => {
  const cache = build(async (url) => {
    version += 1;
    changedAt.set('product:1', version).set('product:2', 0).set('*', version);
    return text(url, { topics: [`product:${url.slice(1)}`] });
  });
  expect([(await app.inject('/1')).body, (await app.inject('/2')).body]).toEqual(['/1', '/2']);
  expect(cache.size).toBe(1);
});

test('requests that wait for the same answer share one computation, unless the catalogue changed in between', async () => {
  const gates: (() => void)[] = [];
  build((url) => new Promise((resolve) => gates.push(() => resolve(text(url)))));
  const first = [app.inject('/a'), app.inject('/a')];
  await expect.poll(() => gates.length).toBe(1);
  version = 2;
  const later = app.inject('/a');
  await expect.poll(() => gates.length).toBe(2);
  for (const open of gates) open();
  const answers = await Promise.all([...first, later]);
  expect(answers.map((answer) => answer.body)).toEqual(['/a', '/a', '/a']);
  expect(made).toHaveLength(2);
  await app.inject('/a');
  expect(made).toHaveLength(2);
});

test('an answer made from an older version is not cached', async () => {
  let open = () => {};
  const cache = build(() => new Promise((resolve) => (open = () => resolve(text('old')))));
  const old = app.inject('/a');
  await expect.poll(() => made.length).toBe(1);
  version = 2;
  await cache.get('/other', async () => text('new'));
  open();
  expect((await old).body).toBe('old');
  expect(cache.size).toBe(1);
});

test.each([
  ['br, gzip', 'br', (body: Buffer) => brotliDecompressSync(body)],
  ['gzip, deflate', 'gzip', (body: Buffer) => gunzipSync(body)],
  ['br;q=0, gzip', 'gzip', (body: Buffer) => gunzipSync(body)],
  ['', undefined, (body: Buffer) => body],
] as const)(
  'an answer to the accepted encodings %j is encoded as %s, with its own ETag',
  async (accept, encoding, decode) => {
    build(() => text(long));
    const etags = new Set<string>();
    for (let i = 0; i < 2; i++) {
      const answer = await app.inject({ url: '/a', headers: { 'accept-encoding': accept } });
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(answer.headers.vary).toBe('Accept-Encoding');
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(decode(answer.rawPayload).toString()).toBe(long);
      etags.add(String(answer.headers.etag));
    }
    expect(etags.size).toBe(1);
    const [etag = ''] = etags;
    expect(etag).toMatch(/^"[^"]+"$/);
    const plain = await app.inject('/a');
    expect(plain.headers.etag === etag).toBe(encoding === undefined);

    const again = await app.inject({
      url: '/a',
      headers: { 'accept-encoding': accept, 'if-none-match': `"other", W/${etag}` },
    });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
    expect(again.headers['cache-control']).toBe('public, no-cache');
    expect((await app.inject({ url: '/a', headers: { 'if-none-match': '"other"' } })).statusCode).toBe(200);
  },
);

test('a client without compression gets the body that the cache holds compressed only', async () => {
  const cache = build(() => text(long));
  await app.inject({ url: '/a', headers: { 'accept-encoding': 'br' } });
  const compressed = cache.bytes;
  expect(compressed).toBeLessThan(long.length);
  const [plain, gzip] = [
    await app.inject('/a'),
    await app.inject({ url: '/a', headers: { 'accept-encoding': 'gzip' } }),
  ];
  expect([plain.body, plain.headers['content-length'], plain.headers['content-encoding']]).toEqual([
    long,
    String(long.length),
    undefined,
  ]);
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(long);
  expect(cache.bytes).toBeLessThan(compressed + 1000);
  expect(made).toHaveLength(1);
});

test('a failing answer fails everyone who waits for it, and the next request tries again', async () => {
  build(() => {
    if (made.length === 1) throw new Error('no');
    return text('yes');
  });
  expect((await app.inject('/a')).statusCode).toBe(500);
  expect((await app.inject('/a')).body).toBe('yes');
});

test('only answers with status 200 are cached', async () => {
  const cache = build(() => text('gone', { status: 404, headers: { 'x-more': '1' } }));
  for (let i = 0; i < 2; i++) {
    const answer = await app.inject('/a');
    expect([
      answer.statusCode,
      answer.body,
      answer.headers['x-more'],
      answer.headers['cache-control'],
    ]).toEqual([404, 'gone', '1', 'no-store']);
  }
  expect(made).toHaveLength(2);
  expect(cache.size).toBe(0);
});

test('the cache evicts the least recently used answer when it is full', async () => {
  const cache = build((url) => text(`${url}${long}`), { maxBytes: 25_000 });
  for (const url of ['/a', '/b', '/c', '/a', '/d']) await app.inject(url);
  expect(cache.bytes).toBeLessThanOrEqual(25_000);
  made = [];
  for (const url of ['/a', '/d', '/b']) await app.inject(url);
  expect(made).toEqual(['/b']);
});

test('HEAD is answered like GET without the body', async () => {
  build(() => text(long));
  for (let i = 0; i < 2; i++) {
    const answer = await app.inject({ method: 'HEAD', url: '/a' });
    expect([answer.statusCode, answer.body, answer.headers['content-length']]).toEqual([
      200,
      '',
      String(long.length),
    ]);
  }
});

test('URLs with odd spellings or unknown parameters fill no cache', async () => {
  const cache = build((url) => text(url));
  await app.inject('/a?x=1&y=2&lang=zh');
  expect(cache.size).toBe(1);
  for (const url of [
    '/a?y=2&lang=zh&x=1',
    '/a?x=1&y=2&lang=q1',
    '/a?x=1&y=2&lang=zh&z=1',
    '/a?x=1&y=2&lang=zh&y=2',
    '/a?x=1&y=2&lang=zh&',
    '/a?x',
    '/%61',
    '/%e8%8c%b6',
  ])
    expect((await app.inject(url)).statusCode).toBe(200);
  expect(cache.size).toBe(1);
  await app.inject('/%E8%8C%B6');
  expect(cache.size).toBe(2);
});

test('a flood of URLs requested once does not evict what is requested again', async () => {
  const cache = build((url) => text(`${url}${long}`), { maxBytes: 60_000 });
  for (const url of ['/home', '/home', '/tea', '/tea']) await app.inject(url);
  for (let i = 0; i < 100; i++) await app.inject(`/guess?x=${i}`);
  expect(cache.bytes).toBeLessThanOrEqual(60_000);
  made = [];
  for (const url of ['/home', '/tea']) await app.inject(url);
  expect(made).toEqual([]);
});

test('a page is cacheable by the parameters of lists and by no others', () => {
  expect(isCacheablePage('/products/tea?page=2&sort=price')).toBe(true);
  for (const url of ['/?x=1', '/?lang=zh', '/products/tea?page=2&utm_source=mail'])
    expect(isCacheablePage(url)).toBe(false);
});

test('an answer that is true until a time is made anew from then on', async () => {
  let now = 1000;
  const cache = build((url) => text(`${url} at ${now}`, { until: 2000 }), { now: () => now });
  expect((await app.inject('/a')).body).toBe('/a at 1000');
  now = 1999;
  expect((await app.inject('/a')).body).toBe('/a at 1000');
  now = 2000;
  expect((await app.inject('/a')).body).toBe('/a at 2000');
  expect(cache.size).toBe(1);
});

test('an answer is true no longer than what it is made of', async () => {
  const { until } = await collectReads(async () => {
    recordUntil(3000);
    const cache = new PublicCache({
      changes: { refresh: () => undefined, moment: 1, changedSince: () => false },
      now: () => 1000,
    });
    await cache.get('/part', async () => text('part', { until: 2000 }));
    await cache.get('/part', async () => text('again'));
  });
  expect(until).toBe(2000);
});
