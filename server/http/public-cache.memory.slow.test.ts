import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import type { PublicResponse } from './encoded-answer.ts';
import { PublicCache } from './public-cache.ts';

setFlagsFromString('--expose-gc');
// Code that has not run for some collections would be dropped in the middle of a measurement.
setFlagsFromString('--no-flush-bytecode');
const collectGarbage: () => void = runInNewContext('gc');

/** The memory of everything alive, in bytes: objects, and what they hold outside the heap, which is freed in the background. */
async function liveBytes(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let unchanged = 0; unchanged < 5; unchanged++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external < least * 0.999) unchanged = 0;
    least = Math.min(least, heapUsed + external);
  }
  return least;
}

const markup = randomBytes(3000).toString('hex');
const unique = (bytes: number) => randomBytes(Math.ceil(bytes / 2)).toString('hex');

/** 38 KB that compress to about 8, with a policy of their own, like a product's page. */
const page = (): PublicResponse => ({
  contentType: 'text/html; charset=utf-8',
  body: `${markup.repeat(5)}${unique(8000)}`,
  headers: { 'content-security-policy': `default-src 'self'; style-src '${unique(300)}'` },
  topics: Array.from({ length: 10 }, () => `product:${unique(4)}`),
});
const productJson = (): PublicResponse => ({ contentType: 'application/json', body: unique(2600) });
const shortJson = (): PublicResponse => ({
  contentType: 'application/json',
  body: `{"count":"${unique(20)}"}`,
});

test.each([
  ['pages in Brotli', page, 'br'],
  ['pages without compression', page, ''],
  ['products as JSON', productJson, 'br'],
  ['answers too short to compress', shortJson, 'br'],
] as const)(
  'the cache occupies the memory that it says: %s',
  async (_what, make, encoding) => {
    const limit = 32 * 1024 * 1024;
    const cache = new PublicCache({
      changes: { refresh: () => undefined, moment: 1, changedSince: () => false },
      maxBytes: limit,
    });
    const app = Fastify();
    app.get('/*', {
      onRequest: cache.answerFirst,
      handler: (request, reply) => cache.send(request, reply, async () => make()),
    });
    const ask = (number: number) =>
      app.inject({ url: `/some/page-${number}`, headers: { 'accept-encoding': encoding } });
    for (let number = 0; cache.bytes < 0.1 * limit; number++) await ask(-number);
    const [before, counted] = [await liveBytes(), cache.bytes];
    // Filling it takes long, and less than half of it tells as much.
    for (let number = 1; cache.bytes < 0.4 * limit; number++) await ask(number);
    const held = (await liveBytes()) - before;
    const said = cache.bytes - counted;
    await app.close();
    expect(held / said).toBeGreaterThan(0.9);
    expect(held / said).toBeLessThan(1.1);
  },
  60_000,
);
