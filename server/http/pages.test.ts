import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import type { PageRedirect, PageRequest } from '#contract/transport.ts';
import type { WebPage, WebRenderer } from '#server/ssr/renderer.ts';
import { type PagesOptions, registerPages } from './pages.ts';
import { PublicCache } from './public-cache.ts';
import type { PageOrigins } from './security-headers.ts';

const apps: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

const page: WebPage = {
  status: 200,
  personal: false,
  unlisted: false,
  locale: 'en' as const,
  takesPayment: false,
  route: '/',
  html: `<html>${'tea '.repeat(500)}</html>`,
  styleHashes: ['sha256-abc='],
};
const script = {
  type: 'text/javascript',
  body: Buffer.from('plain'),
  brotli: Buffer.from('small'),
  gzip: null,
  immutable: true,
};

/** A server whose pages come from `render`; it records what it was asked to render. */
function shop(
  render: (request: PageRequest) => Promise<WebPage | PageRedirect> | WebPage | PageRedirect,
  {
    publicUrl = null,
    mapTilesUrl = async () => '/tiles/{z}/{x}/{y}.png',
    providers = async () => [],
    frames = [],
    redirectOf = async () => null,
  }: Partial<Pick<PagesOptions, 'mapTilesUrl' | 'providers' | 'publicUrl' | 'redirectOf'>> & {
    frames?: string[];
  } = {},
) {
  const asked: PageRequest[] = [];
  let version = 1;
  const web: WebRenderer = {
    async render(request) {
      asked.push(request);
      return render(request);
    },
    asset: async (path) => (path === '/assets/a-1.js' ? script : null),
    close: async () => {},
  };
  const app = Fastify();
  apps.push(app);
  const cache = new PublicCache({
    changes: {
      refresh: () => undefined,
      get moment() {
        return version;
      },
      changedSince: (moment) => moment !== version,
    },
  });
  app.get('/api/hello', async () => ({ hello: 'there' }));
  registerPages(app, {
    web,
    cache,
    publicUrl,
    mapTilesUrl,
    frames: async () => frames,
    providers,
    redirectOf,
  });
  const changeCatalogue = () => {
    version += 1;
  };
  return { app, asked, cache, changeCatalogue };
}

describe('a public page', () => {
  test('a page requested with unknown parameters is answered and not cached', async () => {
    const { app, cache } = shop(() => page);
    for (const url of [
      '/brands',
      '/brands?view=list',
      '/brands?x=1',
      '/brands?x=2',
      '/brands?lang=zh',
      '/%62rands',
    ])
      expect((await app.inject(url)).statusCode).toBe(200);
    expect(cache.size).toBe(2);
  });

  test('a public page is rendered once, compressed, and revalidated by its ETag', async () => {
    const { app, asked } = shop(() => page);
    const first = await app.inject({ url: '/brands', headers: { 'accept-encoding': 'gzip, br' } });
    expect(first.statusCode).toBe(200);
    expect(first.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': 'br',
      'cache-control': 'public, no-cache',
    });
    const again = await app.inject({
      url: '/brands',
      headers: { 'accept-encoding': 'br', 'if-none-match': String(first.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    expect(asked).toHaveLength(1);
  });

  test('a public page is rendered again when the catalogue has changed', async () => {
    const { app, asked, changeCatalogue } = shop(() => page);
    await app.inject('/brands');
    changeCatalogue();
    await app.inject('/brands');
    expect(asked).toHaveLength(2);
  });

  test('a public page allows its own style attributes and nothing else inline', async () => {
    const { app } = shop(() => page);
    const policy = (await app.inject('/')).headers['content-security-policy'];
    expect(policy).toContain("style-src 'self' 'unsafe-hashes' 'sha256-abc='");
    expect(policy).not.toContain('unsafe-inline');
  });

  test('a page allows its own inline script by its hash, and no other', async () => {
    const { app } = shop(() => ({ ...page, scriptHashes: ['sha256-def='] }));
    const policy = String((await app.inject('/')).headers['content-security-policy']);
    expect(policy.split('; ')).toContain("script-src 'self' 'sha256-def='");
  });

  test('a public page never names a host that a client made up', async () => {
    const { app, asked } = shop(() => page, { publicUrl: 'https://shop.example' });
    await app.inject({ url: '/', headers: { host: 'evil.example' } });
    expect(asked[0]?.origin).toBe('https://shop.example');
    const unnamed = shop(() => page);
    await unnamed.app.inject({ url: '/', headers: { host: 'evil.example' } });
    expect(unnamed.asked[0]?.origin).not.toContain('evil');
  });

  test('a public page gets its data from the API of this server, without a session', async () => {
    const { app } = shop(async ({ transport }) => {
      const reply = await transport({ method: 'GET', url: '/api/hello' });
      return { ...page, html: JSON.stringify(reply) };
    });
    expect((await app.inject({ url: '/', headers: { cookie: 'session=secret' } })).json()).toEqual({
      status: 200,
      body: { hello: 'there' },
    });
  });
});

test('a page of one shopper’s own is cached by nobody', async () => {
  const { app } = shop(() => ({ ...page, personal: true }));
  expect((await app.inject('/cart')).headers).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
  });
});

test('a public page that is not for search engines says so in its headers too', async () => {
  const { app } = shop(() => ({ ...page, unlisted: true }));
  const { headers } = await app.inject('/search?key=tea');
  expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'public, no-cache' });
  expect((await shop(() => page).app.inject('/')).headers).not.toHaveProperty('x-robots-tag');
});

test('only the page with the map may load its tiles', async () => {
  const { app } = shop(() => page, { mapTilesUrl: async () => 'https://{s}.tiles.example/{z}/{x}/{y}.png' });
  const policy = async (url: string) => String((await app.inject(url)).headers['content-security-policy']);
  for (const url of ['/contact', '/zh/contact', '/contact?x=1'])
    expect(await policy(url)).toContain("img-src 'self' data: https://*.tiles.example;");
  for (const url of ['/', '/contact-us', '/zh/contact/more'])
    expect(await policy(url)).not.toContain('tiles');
  const own = shop(() => page, { mapTilesUrl: async () => '/tiles/{z}/{x}/{y}.png' });
  expect((await own.app.inject('/contact')).headers['content-security-policy']).toContain(
    "img-src 'self' data:;",
  );
});

test('only the video players of the shop’s pages may be framed', async () => {
  const policy = async (frames: string[]) =>
    String((await shop(() => page, { frames }).app.inject('/about')).headers['content-security-policy']);
  expect(await policy(['https://player.example'])).toMatch(/frame-src [^;]*https:\/\/player\.example/);
  expect(await policy([])).not.toContain('player.example');
});

test('a missing page is a 404 that is not cached', async () => {
  const { app, asked } = shop(() => ({ ...page, status: 404 }));
  const answer = await app.inject('/product/nothing');
  expect(answer.statusCode).toBe(404);
  expect(answer.headers['cache-control']).toBe('no-store');
  await app.inject('/product/nothing');
  expect(asked).toHaveLength(2);
});

test('an old address leads on for good where no page is at it, and a page is never hidden', async () => {
  const redirectOf = async (url: string) =>
    url.startsWith('/gone') ? `/new${url.slice('/gone'.length)}` : null;
  const at = (url: string, made: WebPage | PageRedirect) => shop(() => made, { redirectOf }).app.inject(url);
  const missing = await at('/gone?utm=1', { ...page, status: 404 });
  expect([missing.statusCode, missing.headers.location]).toEqual([301, '/new?utm=1']);
  const home = await at('/gone', { redirect: { status: 302, location: '/' } });
  expect([home.statusCode, home.headers.location]).toEqual([301, '/new']);
  expect((await at('/gone', page)).statusCode).toBe(200);
  expect((await at('/other', { ...page, status: 404 })).statusCode).toBe(404);
});

test('an address without a page leads to the home page of its language, which is told so, and a page that moved there is not', async () => {
  const locationOf = async (status: 301 | 302, location: string) =>
    (await shop(() => ({ redirect: { status, location } })).app.inject('/nowhere')).headers.location;
  expect(await locationOf(302, '/')).toBe('/#unknown-address');
  expect(await locationOf(302, '/zh')).toBe('/zh#unknown-address');
  expect(await locationOf(301, '/')).toBe('/');
  expect(await locationOf(302, '/account/login')).toBe('/account/login');
});

test('a redirecting page answers with an HTTP redirect', async () => {
  const { app } = shop(() => ({ redirect: { status: 301, location: '/about' } }));
  const answer = await app.inject('/page/about');
  expect(answer.statusCode).toBe(301);
  expect(answer.headers.location).toBe('/about');
});

describe('content security policy for payment providers', () => {
  const card = {
    scripts: ['https://js.card.example'],
    frames: ['https://js.card.example', 'https://bank.example', 'https:'],
    connects: ['https://api.card.example'],
    images: [],
  };
  const wallet = {
    scripts: ['https://wallet.example'],
    frames: [],
    connects: [],
    images: ['https://wallet.example'],
  };
  const headersOf = async (takesPayment: boolean, browsers: PageOrigins[]) => {
    const { app } = shop(() => ({ ...page, takesPayment, personal: true }), {
      providers: async () => browsers.map((browser) => ({ browser })),
    });
    const { headers } = await app.inject('/payment');
    const policy = String(headers['content-security-policy']);
    return {
      headers,
      of: (name: string) => policy.split('; ').find((part) => part.startsWith(`${name} `)),
      policy,
    };
  };

  test('the payment page allows each source of a provider for its own purpose', async () => {
    const { of, headers } = await headersOf(true, [card, wallet]);
    expect(of('script-src')).toBe("script-src 'self' https://js.card.example https://wallet.example");
    expect(of('frame-src')).toBe("frame-src 'self' https://js.card.example https://bank.example https:");
    expect(of('connect-src')).toBe("connect-src 'self' https://api.card.example");
    expect(of('img-src')).toBe("img-src 'self' data: https://wallet.example");
    expect(of('style-src')).toBe("style-src 'self' 'unsafe-hashes' 'sha256-abc='");
    expect(headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
    expect(headers['permissions-policy']).toContain(
      'payment=(self "https://js.card.example" "https://bank.example"),',
    );
  });

  test('other pages allow no source of a provider', async () => {
    const { policy, headers } = await headersOf(false, [card, wallet]);
    expect(policy).not.toMatch(/example|frame-src|script-src/);
    expect(headers['cross-origin-opener-policy']).toBeUndefined();
  });

  test('the payment page allows nothing more if no provider needs anything', async () => {
    const { policy, headers } = await headersOf(true, []);
    expect(policy).not.toMatch(/frame-src|script-src/);
    expect(headers['cross-origin-opener-policy']).toBeUndefined();
  });

  test('a provider’s request for inline styles replaces the style hashes', async () => {
    const { of } = await headersOf(true, [
      { ...card, styles: ["'unsafe-inline'", 'https://js.card.example'] },
    ]);
    expect(of('style-src')).toBe("style-src 'self' 'unsafe-inline' https://js.card.example");
  });
});

describe('addresses that are not pages', () => {
  test('files of the build are sent precompressed and cached for ever', async () => {
    const { app } = shop(() => page);
    const small = await app.inject({ url: '/assets/a-1.js', headers: { 'accept-encoding': 'br' } });
    expect(small.body).toBe('small');
    expect(small.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect((await app.inject('/assets/a-1.js')).body).toBe('plain');
  });

  test.each(['/api/nothing', '/media/640/nothing.jpg', '/assets/nothing.js'])(
    'a missing %s is answered as the API answers',
    async (url) => {
      const { app, asked } = shop(() => page);
      const answer = await app.inject(url);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ errorType: 'NOT_FOUND' });
      expect(asked).toHaveLength(0);
    },
  );
});
