import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { registerPages } from './pages.ts';
import { PublicCache } from './public-cache.ts';
import { RenderQueue } from './render-queue.ts';

const apps: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

const cookie = `sid=${'A'.repeat(43)}`;

/** A server whose pages say whom they are for. Those of `/slow…` wait for `release`. */
function shop({
  session = async () => ({ idHash: 'a', customerId: null }),
}: {
  session?: SessionHandle['get'];
} = {}) {
  const app = Fastify();
  apps.push(app);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const renders = new RenderQueue({ atOnce: 1, longestWaitMs: 20 });
  app.decorateReply('measuredAs', null);
  const sessions = { open: () => ({ get: session }) };
  app.decorate('contract', { sessions, secure: false } as unknown as FastifyInstance['contract']);
  registerPages(app, {
    web: {
      async render({ url, visitor }) {
        if (url.startsWith('/slow')) await released;
        return {
          status: 200,
          locale: 'en',
          personal: true,
          unlisted: true,
          takesPayment: false,
          route: '/cart/',
          html: visitor ? 'for one' : 'for everybody',
          styleHashes: [],
        };
      },
      asset: async () => null,
      close: async () => {},
    },
    cache: new PublicCache({ changes: { refresh: () => undefined, moment: 1, changedSince: () => false } }),
    publicUrl: 'https://shop.example',
    mapTilesUrl: async () => '',
    frames: async () => [],
    providers: async () => [],
    renders,
  });
  return { app, renders, release };
}

describe('a page that can be rendered for its visitor', () => {
  test('a visitor with a session gets their own page, whether or not the page for everybody is cached', async () => {
    const { app } = shop();
    const own = () => app.inject({ url: '/cart', headers: { cookie } });
    expect((await own()).body).toBe('for one');
    expect((await app.inject('/cart')).body).toBe('for everybody');
    expect((await own()).body).toBe('for one');
    expect((await app.inject('/cart')).body).toBe('for everybody');
  });

  test('a HEAD request gets the headers of the visitor’s own page', async () => {
    const { app } = shop();
    const { headers, body } = await app.inject({ method: 'HEAD', url: '/cart', headers: { cookie } });
    expect(headers['cache-control']).toBe('private, no-store');
    expect(body).toBe('');
  });

  test('the page for everybody is sent while sessions cannot be read', async () => {
    const { app } = shop({
      session: async () => {
        throw new Error('the database is away');
      },
    });
    const { statusCode, body } = await app.inject({ url: '/cart', headers: { cookie } });
    expect([statusCode, body]).toEqual([200, 'for everybody']);
  });

  test('a busy shop sends the cached page for everybody, and 503 with Retry-After if there is none', async () => {
    const { app, renders, release } = shop();
    await app.inject('/cart');
    const slow = Array.from({ length: 40 }, (_, index) => app.inject(`/slow-${index}`));
    await expect.poll(() => renders.isFull).toBe(true);
    const cached = await app.inject({ url: '/cart', headers: { cookie } });
    expect([cached.statusCode, cached.body]).toEqual([200, 'for everybody']);
    const refused = await app.inject({ url: '/zh/cart', headers: { cookie } });
    expect(refused.statusCode).toBe(503);
    expect(refused.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' });
    expect(refused.body).toContain('当前访问人数较多');
    release();
    await Promise.all(slow);
  });
});
