import { describe, expect, test, vi } from 'vitest';
import { localeCodes } from '#contract/locales.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import type { ApiTransport, RenderedDocument } from '#contract/transport.ts';
import { rememberLocations, renderPage } from './entry.server.tsx';
import type { AppRouter } from './router.tsx';

const origin = 'https://shop.example';

function content(chinese: boolean): AppContent {
  return {
    shopName: chinese ? '枫土' : 'Maple & Clay',
    tagline: '',
    contactEmail: 'hello@shop.example',
    languages: localeCodes,
    currency: 'CAD',
    isDemonstration: true,
    footer: {
      notice: '</script><script>alert(1)</script>',
      shortNotice: '',
      copyright: '',
      links: [],
      parts: [],
    },
    header: { links: [], parts: ['categories'] },
    look: { paper: null, logo: null, icons: null },
    socialLinks: [],
    image: null,
    map: { tilesUrl: '', attribution: '' },
    newsletterTicked: true,
    hasBlog: true,
    seasonNote: null,
    facts: [],
    menu: [{ name: 'tea', label: chinese ? '茶叶' : 'Tea', children: [] }],
  };
}

/** An API that answers the shell and an empty home page only. */
const shellOnly: ApiTransport = async ({ url }) => {
  const home = { name: 'home', title: 'Home', metaDescription: '', blocks: [] };
  if (url.includes('pageName=home')) return { status: 200, body: home };
  if (!url.includes('appInfoInit')) return { status: 404, body: { errorType: 'NOT_FOUND' } };
  return {
    status: 200,
    body: { appContent: content(url.includes('lang=zh')), user: null, lastLoginDate: null, userID: null },
  };
};
const broken: ApiTransport = async () => ({ status: 500, body: { errorType: 'SYSTEM_ERROR' } });

async function document(url: string, transport = shellOnly): Promise<RenderedDocument> {
  const page = await renderPage({ url, transport, origin, languages: localeCodes });
  if (page.redirect) throw new Error(`redirected to ${page.redirect.location}`);
  return page;
}

async function redirect(url: string): Promise<{ status: number; location: string } | undefined> {
  return (await renderPage({ url, transport: shellOnly, origin, languages: localeCodes })).redirect;
}

describe('the spelling of an address', () => {
  test.each([
    ['/Cart', '/cart'],
    ['/zh/CART?method=PICKUP&x=%2F', '/zh/cart?method=PICKUP&x=%2F'],
    ['/ZH/account/Login', '/zh/account/login'],
    ['/PrOdUcTlIsT?newArrival=true', '/productlist?newArrival=true'],
    ['/MYFAVORITE/', '/myFavorite'],
    ['/Account/Orders/AbC', '/account/orders/AbC'],
    ['/ORDER/A-Token', '/order/A-Token'],
    ['/Product/An-Id', '/product/An-Id'],
  ])('the address %s leads to %s for ever', async (from, to) => {
    expect(await redirect(from)).toEqual({ status: 301, location: to });
  });

  test.each(['/cart', '/zh/cart', '/', '/zh', '/?Cart=CART', '/account/orders/AbC'])(
    'the address %s leads nowhere else',
    async (url) => {
      expect((await redirect(url))?.status).not.toBe(301);
    },
  );

  test('a name of a page is found in lower case, and one that is unknown in any case is not looked for elsewhere', async () => {
    const asked: string[] = [];
    const transport: ApiTransport = async (call) => {
      asked.push(call.url);
      return call.url.includes('pageName=about')
        ? { status: 200, body: { name: 'about', title: 'About', metaDescription: '', blocks: [] } }
        : shellOnly(call);
    };
    const at = async (url: string) =>
      (await renderPage({ url, transport, origin, languages: localeCodes })).redirect;
    expect(await at('/ABOUT?a=B')).toEqual({ status: 301, location: '/about?a=B' });
    expect(await at('/zh/About')).toEqual({ status: 301, location: '/zh/about' });
    expect(await at('/Nothing')).toEqual({ status: 302, location: '/' });
    asked.length = 0;
    // The names of private pages are ids and tokens, which are not in lower case.
    await at('/account/orders/AbC');
    expect(asked.filter((url) => url.includes('abc'))).toEqual([]);
  });
});

describe('a rendered page', () => {
  test('a page is in the language of its address', async () => {
    const english = await document('/');
    expect(english.html).toMatch(/^<!doctype html><html lang="en-CA">/);
    expect(english.html).toContain('href="/products/tea"');
    const chinese = await document('/zh');
    expect(chinese.html).toContain('<html lang="zh-CN">');
    expect(chinese.html).toContain('href="/zh/products/tea"');
    expect(chinese.html).toContain('茶叶');
  });

  test('a page names its address in every language', async () => {
    const { html } = await document('/zh/brand/nobody');
    expect(html).toContain(`<link rel="canonical" href="${origin}/zh/brand/nobody"/>`);
    expect(html).toContain(`<link rel="alternate" hrefLang="en" href="${origin}/brand/nobody"/>`);
    expect(html).toContain(`<link rel="alternate" hrefLang="zh" href="${origin}/zh/brand/nobody"/>`);
    expect(html).toContain(`<link rel="alternate" hrefLang="x-default" href="${origin}/brand/nobody"/>`);
  });

  test('a page carries its state as data that no text can break out of', async () => {
    const { state } = await document('/');
    const json = /^<script type="application\/json" id="state">(.*)<\/script>$/.exec(state)?.[1] ?? '';
    expect(json).not.toContain('<');
    expect(JSON.stringify(JSON.parse(json))).toContain('</script><script>alert(1)</script>');
  });

  test('a page holds no script that would run', async () => {
    const { html } = await document('/');
    expect(html).not.toMatch(/<script(?! type="application\/(ld\+)?json")/);
  });

  test('a page renders to the same text every time', async () => {
    expect(await document('/')).toEqual(await document('/'));
  });

  test('a page of one shopper’s own renders as a frame that is not to be indexed', async () => {
    const own = await document('/cart');
    expect(own.personal).toBe(true);
    expect(own.html).toContain('<meta name="robots" content="noindex"/>');
  });

  test('the browser is told to make personal calls early unless the page brings their answers along', async () => {
    const cart = { orderID: null, version: 0, lineItems: [] };
    const transport: ApiTransport = async (request) => {
      if (request.url.endsWith('/myCart')) return { status: 200, body: cart };
      if (request.url.endsWith('/userInfo2'))
        return { status: 200, body: { user: null, lastLoginDate: null, userID: null } };
      return shellOnly(request);
    };
    const shared = await document('/cart', transport);
    expect(shared.earlyCalls.map((url) => url.split('/').at(-1))).toEqual(['userInfo2', 'myCart']);
    expect(shared.state).not.toContain('lineItems');
    const own = await renderPage({ url: '/cart', transport, origin, languages: localeCodes, visitor: true });
    if (own.redirect) throw new Error('redirected');
    expect(own.earlyCalls).toEqual([]);
    expect(own.state).toContain('["cart"],{"orderID":null');
    expect(own.html).toContain('Your cart is empty');
  });

  test('a rendered page names the routes whose code it needs', async () => {
    expect((await document('/')).routeIds).toEqual(['__root__', '/']);
  });
});

describe('the home page of a shop without a page named home', () => {
  const withMenu =
    (menu: AppContent['menu']): ApiTransport =>
    async (request) => {
      if (request.url.includes('pageName=home')) return { status: 404, body: { errorType: 'NOT_FOUND' } };
      const reply = await shellOnly(request);
      if (!request.url.includes('appInfoInit')) return reply;
      const { appContent } = reply.body as { appContent: AppContent };
      return { ...reply, body: { ...(reply.body as object), appContent: { ...appContent, menu } } };
    };

  test.each([
    ['/', 'Please come back soon.'],
    ['/zh', '欢迎稍后再来'],
  ])('an empty shop opens %s with its name, and tells visitors nothing of commands', async (url, text) => {
    const { status, html } = await document(url, withMenu([]));
    expect(status).toBe(200);
    expect(html).toContain('</h1>');
    expect(html).toContain(text);
    expect(html).not.toContain('npm run');
    expect(html).not.toContain('/office');
    expect(html).toContain('<meta name="robots" content="noindex"/>');
  });

  test('a shop with categories shows its name and the categories', async () => {
    const { status, html } = await document('/', withMenu([{ name: 'tea', label: 'Tea', children: [] }]));
    expect(status).toBe(200);
    expect(html).toContain('Maple &amp; Clay</h1>');
    expect(html).not.toContain('npm run shop');
    expect(
      html.match(/class="btn[^"]*" href="\/products\/tea"|href="\/products\/tea" class="btn/g),
    ).toHaveLength(1);
  });
});

describe('a missing page', () => {
  test('a missing page is a 404 that offers a search and the categories', async () => {
    const { status, html, personal } = await document('/brand/nobody');
    expect(status).toBe(404);
    expect(personal).toBe(false);
    expect(html).toContain('We couldn’t find that page</h1>');
    expect(html).toContain('<title>We couldn’t find that page · Maple &amp; Clay</title>');
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(html.match(/action="\/search"/g)?.length).toBe(2);
  });

  test('a failing API call shows an error page instead of a 404', async () => {
    const { status, html, error } = await document('/brand/nobody', broken);
    expect(status).toBe(500);
    expect(error).toMatchObject({ status: 500 });
    expect(html).toContain('Something went wrong');
    expect(html).toContain('<html lang="en-CA">');
  });
});

describe('redirects of SPEC §2', () => {
  test.each([
    ['/page/about', { status: 301, location: '/about' }],
    ['/zh/page/about', { status: 301, location: '/zh/about' }],
    ['/brand', { status: 301, location: '/brands' }],
    ['/zh/brand', { status: 301, location: '/zh/brands' }],
    ['/no/such/page', { status: 302, location: '/' }],
    ['/zh/no/such/page', { status: 302, location: '/zh' }],
    ['//evil.example/x', { status: 302, location: '/' }],
  ])('the address %s redirects as SPEC §2 says', async (url, target) => {
    expect(await redirect(url)).toEqual(target);
  });

  test('a page has one address', async () => {
    expect(await redirect('/cart/')).toEqual({ status: 301, location: '/cart' });
    expect(await redirect('/cart?x=')).toEqual({ status: 302, location: '/cart' });
  });
});

describe('links to other hosts', () => {
  test.each([
    '//evil.example/',
    '/\\evil.example/',
    '/\\/evil.example/x/y',
    '/%5Cevil.example/',
    '/%2Fevil.example/',
    '/%2F%2Fevil.example/x/',
    '/zh//evil.example/',
    '/zh/%2F%2Fevil.example/',
    '/zh/\\evil.example/',
    '/page/%2F%2Fevil.example',
    '/page//evil.example',
    '/page/%5C%5Cevil.example',
    '/page/https:%2F%2Fevil.example',
    '/brand//evil.example/',
  ])('the redirect of %s stays inside the shop', async (url) => {
    let at: string | undefined = url.replace(/^[/\\]+/, '/');
    for (let hops = 0; at !== undefined && hops < 5; hops += 1) {
      const next: string | undefined = (await redirect(at))?.location;
      if (next !== undefined) {
        expect(next).toMatch(/^\/(?![/\\])/);
        expect(new URL(next, origin).origin).toBe(origin);
      }
      at = next;
    }
    expect(at).toBeUndefined();
  });
});

test('a view that crashes leaves the browser the data to render the page itself', async () => {
  const nonsense: ApiTransport = async (request) => {
    const reply = await shellOnly(request);
    return request.url.includes('appInfoInit')
      ? { status: 200, body: { appContent: { shopName: 'x' } } }
      : reply;
  };
  const { status, html, state, error, routeIds } = await document('/', nonsense);
  expect(status).toBe(500);
  expect(error).toBeInstanceOf(TypeError);
  expect(html).toBe(
    '<!doctype html><html lang="en-CA"><head><meta charset="utf-8"></head><body></body></html>',
  );
  expect(state).toContain('id="state"');
  expect(routeIds).toEqual(['__root__', '/']);
});

type BuildLocation = AppRouter['buildLocation'];

/** Builds locations that say what they were built from. */
function routerIn(locale: 'en' | 'zh') {
  const build = vi.fn((options: object) => ({ built: options, locale }));
  return {
    build,
    locate: rememberLocations(build as unknown as BuildLocation, locale) as unknown as (
      options: object,
    ) => unknown,
  };
}

test('the location of a link is built once for each language, however many pages have the link', () => {
  const english = routerIn('en');
  const chinese = routerIn('zh');
  const nextPage = routerIn('en');
  const location = english.locate({ href: '/products/remembered' });
  expect(nextPage.locate({ href: '/products/remembered' })).toBe(location);
  expect(nextPage.build).not.toHaveBeenCalled();
  expect(chinese.locate({ href: '/products/remembered' })).toMatchObject({ locale: 'zh' });
  expect(english.locate({ href: '/products/forgotten' })).toMatchObject({
    built: { href: '/products/forgotten' },
  });
});

test('a location that depends on the page, or is outside the shop, is built each time', () => {
  const { build, locate } = routerIn('en');
  for (const options of [{ to: '.' }, { href: 'https://other.example/' }]) {
    locate(options);
    locate(options);
  }
  expect(build).toHaveBeenCalledTimes(4);
});

test('remembered locations are bounded', () => {
  const { build, locate } = routerIn('en');
  locate({ href: '/first' });
  for (let number = 0; number < 2000; number++) locate({ href: `/page-${number}` });
  build.mockClear();
  locate({ href: '/first' });
  expect(build).toHaveBeenCalledTimes(1);
});
