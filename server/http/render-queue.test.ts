import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { registerPages } from './pages.ts';
import { PublicCache } from './public-cache.ts';
import { NoTurn, RenderQueue } from './render-queue.ts';

/** Work that ends when the test says so. */
function work() {
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const render = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running -= 1;
    return 'page';
  };
  const finishOne = async () => {
    ends.shift()?.();
    // The next one starts in the next turn of the event loop.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { render, finishOne, mostAtOnce: () => most };
}

test('pages are rendered a few at a time, and refused once they would wait longer than the limit', async () => {
  let clock = 0;
  const queue = new RenderQueue({ atOnce: 2, longestWaitMs: 1000, now: () => clock });
  const { render, finishOne, mostAtOnce } = work();
  const pages = Array.from({ length: 30 }, () => queue.run(render).catch((error: unknown) => error));
  expect(queue.waiting).toBe(28);
  await new Promise((resolve) => setImmediate(resolve));
  // Each takes 100 ms, so the queue learns that ten more fill a second.
  for (let done = 0; done < 8; done++) {
    clock += 100;
    await finishOne();
  }
  expect(mostAtOnce()).toBe(2);
  expect(queue.isFull).toBe(true);
  await expect(queue.run(render)).rejects.toThrow(NoTurn);
  clock += 300;
  for (let done = 0; done < 2; done++) await finishOne();
  const results = await Promise.all(pages);
  // Those that had waited for a second were refused at their turn.
  expect(results.filter((each) => each === 'page')).toHaveLength(10);
  expect(results.filter((each) => each instanceof NoTurn)).toHaveLength(20);
  expect(queue.isFull).toBe(false);
});

test('visitors whose page is not rendered get 503 with Retry-After and a page in their language, while cached pages are answered', async () => {
  const app = Fastify();
  const changes = { refresh: () => undefined, moment: 1, changedSince: () => false };
  const { render, finishOne } = work();
  const renders = new RenderQueue({ atOnce: 1, longestWaitMs: 20 });
  registerPages(app, {
    web: {
      async render({ url }) {
        if (url !== '/known') await render();
        const page = {
          status: 200,
          personal: false,
          unlisted: false,
          takesPayment: false,
          route: '/',
          styleHashes: [],
          locale: 'en' as const,
        };
        return { ...page, html: `<html>${url}</html>` };
      },
      asset: async () => null,
      close: async () => {},
    },
    cache: new PublicCache({ changes }),
    publicUrl: 'https://shop.example',
    mapTilesUrl: async () => '',
    frames: async () => [],
    providers: async () => [],
    renders,
  });
  app.decorateReply('measuredAs', null);
  expect((await app.inject('/known')).statusCode).toBe(200);

  const asked = Array.from({ length: 40 }, (_, index) =>
    app.inject(index % 2 === 0 ? `/page-${index}` : `/zh/page-${index}`),
  );
  await expect.poll(() => renders.isFull).toBe(true);
  const refused = await asked[39];
  expect(refused?.statusCode).toBe(503);
  expect(refused?.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' });
  expect(refused?.headers['content-type']).toContain('text/html');
  expect(refused?.body).toContain('<html lang="zh');
  expect(refused?.body).toContain('当前访问人数较多');
  expect((await app.inject('/known')).statusCode).toBe(200);

  const ending = setInterval(() => void finishOne(), 1);
  const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect((await app.inject('/page-39')).body).toContain('page-39');
  clearInterval(ending);
  await app.close();
});

test('the event loop turns between pages that never wait for it, and first accepts the connections that arrive', async () => {
  let connections = 0;
  const order: string[] = [];
  const queue = new RenderQueue({ atOnce: 1, connections: () => connections });
  const turn = () => {
    order.push('turn');
    if (connections < 5) connections += 1;
    if (order.length < 30) setImmediate(turn);
  };
  setImmediate(turn);
  const pages = ['first', 'second'].map((name) => queue.run(async () => order.push(name)));
  await Promise.all(pages);
  expect(order.indexOf('first')).toBeGreaterThanOrEqual(5);
  expect(order.slice(order.indexOf('first'), order.indexOf('second'))).toContain('turn');
});
