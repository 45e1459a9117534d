/** Checks what every page of the demo shop tells search engines, link previews and validators. */
import { HtmlValidate } from 'html-validate';
import { beforeAll, describe, expect, test } from 'vitest';
import { defaultLocale, type Locale, localeCodes, localizePath, splitLocale } from '#contract/locales.ts';
import { htmlRules } from './html-rules.ts';
import { isLong } from './long.ts';
import {
  jsonLdOf,
  linksOf,
  metaOf,
  type RenderedPage,
  renderedPage,
  renderFromSources,
  unescapeHtml,
} from './rendered.ts';
import { problemsOf } from './schema-org.ts';
import { createTestApp, type TestApp } from './test-app.ts';

const origin = 'https://shop.example';

/** Public pages that no sitemap lists: other views of those that one does, and what is not there. */
const unlisted = ['/search', '/search?key=mug', '/search?key=qqxxzz', '/product/no-such-thing'];
const views = [
  '/productlist?page=2',
  '/productlist?page=2&sort=price',
  '/productlist?cat=teaware',
  '/clearance?brand=maple-and-clay',
  '/brands?view=list',
  '/product/speckled-mug?Colour=Rose',
];
const own = [
  '/cart',
  '/cart/confirm?oid=x',
  '/checkout',
  '/payment',
  '/myFavorite',
  '/account/menu',
  '/account/login',
  '/account/signup',
  '/account/forgotpassword',
  '/account/verifypassword',
  '/account/resetpassword',
  '/account/profile',
  '/account/orders',
  '/account/orders/x',
  '/account/address/shipping',
];

let testApp: TestApp;
let listed: RenderedPage[];
let others: RenderedPage[];

beforeAll(async () => {
  testApp = await createTestApp({
    engine: 'sqlite',
    demo: true,
    env: { PUBLIC_URL: origin, LOG_LEVEL: 'silent' },
    app: { web: renderFromSources },
  });
  const inAllLanguages = (paths: string[]) =>
    paths.flatMap((path) => localeCodes.map((code) => inLanguage(path, code)));
  listed = await open((await sitemapPaths()).map((address) => address.slice(origin.length)));
  others = await open(inAllLanguages([...unlisted, ...views, ...own]));
});

async function sitemapPaths(): Promise<string[]> {
  const locs = async (path: string) =>
    [...(await testApp.app.inject(path)).body.matchAll(/<(?:sitemap|url)><loc>(.*?)<\/loc>/g)].map(
      ([, loc = '']) => unescapeHtml(loc),
    );
  const sitemaps = await locs('/sitemap.xml');
  return (await Promise.all(sitemaps.map((sitemap) => locs(sitemap.slice(origin.length))))).flat();
}

async function open(paths: readonly string[]): Promise<RenderedPage[]> {
  const pages: RenderedPage[] = [];
  for (const path of paths) pages.push(await renderedPage(testApp.app, path));
  return pages;
}

function inLanguage(path: string, code: Locale): string {
  const at = path.search(/\?|$/);
  return localizePath(path.slice(0, at), code) + path.slice(at);
}

/** Lines for what is wrong with pages, none where nothing is. */
function wrong(
  pages: readonly RenderedPage[],
  check: (page: RenderedPage) => (string | false | undefined)[],
): string[] {
  return pages.flatMap((page) =>
    check(page).flatMap((problem) => (problem ? [`${page.path}: ${problem}`] : [])),
  );
}

describe('addresses of the sitemaps', () => {
  test('every address of a sitemap is a page, in each language, under its canonical address', () => {
    expect(listed.length).toBeGreaterThan(200);
    expect(
      wrong(listed, ({ path, status, html, headers }) => [
        status !== 200 && `answers ${status}`,
        linksOf(html).get('canonical') !== origin + path && `is called ${linksOf(html).get('canonical')}`,
        headers['x-robots-tag'] !== undefined && 'is not to be found',
        metaOf(html).has('robots') && 'has a word for robots',
      ]),
    ).toEqual([]);
  });

  test('every page names its alternates in every language, and they name it', () => {
    const byAddress = new Map(listed.map((page) => [origin + page.path, page]));
    expect(
      wrong(listed, ({ path, html }) => {
        const links = linksOf(html);
        const code = splitLocale(path.replace(/\?.*/, '')).locale;
        return [
          links.get(`alternate ${code}`) !== origin + path && 'does not name itself',
          links.get('alternate x-default') !== links.get(`alternate ${defaultLocale}`) && 'has no default',
          ...localeCodes.map((other) => {
            const there = byAddress.get(links.get(`alternate ${other}`) ?? '');
            if (!there) return `names no page of the shop in ${other}`;
            return (
              linksOf(there.html).get(`alternate ${code}`) !== origin + path && `is not named in ${other}`
            );
          }),
        ];
      }),
    ).toEqual([]);
  });

  test('every page, and every further page of a list, has a title of its own and a description', async () => {
    const links = listed.flatMap(({ html }) => [...html.matchAll(/<a [^>]*href="([^"]*[?;]page=\d+)"/g)]);
    const further = await open([...new Set(links.map(([, href = '']) => unescapeHtml(href)))]);
    expect(further.length).toBeGreaterThan(10);
    const titles = new Map<string, string>();
    expect(
      wrong([...listed, ...further], ({ path, html }) => {
        const title = unescapeHtml(/<title>(.*?)<\/title>/.exec(html)?.[1] ?? '');
        const description = metaOf(html).get('description') ?? '';
        const same = titles.get(title);
        titles.set(title, path);
        return [
          !title && 'has no title',
          same && `is called the same as ${same}: ${title}`,
          description.length < 8 && 'says nothing',
          description.length > 320 && 'says too much',
        ];
      }),
    ).toEqual([]);
  });

  test('every page is shared with a title, a text, its language and an existing image', async () => {
    const pictures = new Set<string>();
    expect(
      wrong(listed, ({ path, html }) => {
        const meta = metaOf(html);
        pictures.add(meta.get('og:image') ?? '');
        const chinese = path === '/zh' || path.startsWith('/zh/');
        return [
          ...[
            'og:title',
            'og:description',
            'og:site_name',
            'og:image',
            'og:image:alt',
            'og:image:width',
            'og:image:height',
          ].map((name) => !meta.get(name) && `has no ${name}`),
          meta.get('og:url') !== origin + path && `is shared as ${meta.get('og:url')}`,
          meta.get('og:locale') !== (chinese ? 'zh_CN' : 'en_CA') && `is in ${meta.get('og:locale')}`,
          meta.get('twitter:card') !== 'summary_large_image' && 'has no card',
        ];
      }),
    ).toEqual([]);
    for (const picture of [...pictures].slice(0, 5)) {
      expect(picture.startsWith(`${origin}/media/`)).toBe(true);
      expect((await testApp.app.inject(picture.slice(origin.length))).statusCode).toBe(200);
    }
  });

  test('every link of a page can be followed', () => {
    expect(
      wrong(listed, ({ html }) => {
        const anchors = [...html.matchAll(/<a [^>]*>/g)].map(([anchor]) => anchor);
        return anchors.map(
          (anchor) => !/ href="(?:\/|https?:\/\/|mailto:|tel:|#)[^"]*"/.test(anchor) && `has ${anchor}`,
        );
      }),
    ).toEqual([]);
  });
});

describe('pages that are not indexed', () => {
  test('a page that is not indexed says so in its head and in its headers', () => {
    const hidden = others.filter(({ path }) => ![...views].some((view) => path.endsWith(view)));
    expect(hidden.length).toBeGreaterThan(30);
    expect(
      wrong(hidden, ({ html, headers }) => [
        headers['x-robots-tag'] !== 'noindex' && 'has no header',
        metaOf(html).get('robots') !== 'noindex' && 'has no word for robots',
      ]),
    ).toEqual([]);
  });

  test('a page that is not indexed has no canonical address', () => {
    const ofShoppers = others.filter(
      ({ path }) => own.some((page) => path.endsWith(page)) || path.includes('/search'),
    );
    expect(
      wrong(ofShoppers, ({ html }) => [linksOf(html).has('canonical') && 'has a canonical address']),
    ).toEqual([]);
  });

  test('a view of a listed page has the canonical address of that page', () => {
    const addresses = new Set(listed.map(({ path }) => origin + path));
    const seen = others.filter(({ path }) => views.some((view) => path.endsWith(view)));
    expect(seen).toHaveLength(views.length * localeCodes.length);
    expect(
      wrong(seen, ({ path, html }) => {
        const canonical = linksOf(html).get('canonical') ?? '';
        return [!addresses.has(canonical) && !/\?page=2$/.test(path) && `is called ${canonical}`];
      }),
    ).toEqual([]);
  });
});

describe('structured data', () => {
  test('structured data has the shape that schema.org and search engines ask for, on every page', () => {
    const checked = [...listed, ...others];
    expect(wrong(checked, ({ html }) => jsonLdOf(html).flatMap(problemsOf))).toEqual([]);
  });

  test.each([
    ['/', ['Organization', 'WebSite']],
    [
      '/product/celadon-teapot',
      [
        'BreadcrumbList',
        'MerchantReturnPolicy',
        ...Array(5).fill('OfferShippingDetails'),
        'Organization',
        'Product',
      ],
    ],
    [
      '/product/speckled-mug',
      [
        'BreadcrumbList',
        'MerchantReturnPolicy',
        ...Array(5).fill('OfferShippingDetails'),
        'Organization',
        'ProductGroup',
      ],
    ],
    ['/products/teapots', ['BreadcrumbList']],
    ['/brand/maple-and-clay', ['BreadcrumbList']],
    ['/contact', ['LocalBusiness', 'LocalBusiness', 'LocalBusiness', 'LocalBusiness', 'Organization']],
  ])('the structured data of %s has the types %j', (path, types) => {
    for (const code of localeCodes) {
      const page = listed.find((candidate) => candidate.path === inLanguage(path, code));
      expect(
        jsonLdOf(page?.html ?? '')
          .map((thing) => thing['@type'])
          .sort(),
      ).toEqual(types);
    }
  });

  test('a reference of structured data to the shop’s own address is defined on the same page, or is a page', () => {
    const idsIn = (value: unknown, found: { defined: string[]; referred: string[] }): typeof found => {
      if (typeof value !== 'object' || value === null) return found;
      const id = (value as Record<string, unknown>)['@id'];
      if (typeof id === 'string') (Object.keys(value).length === 1 ? found.referred : found.defined).push(id);
      for (const part of Object.values(value)) idsIn(part, found);
      return found;
    };
    const undefinedIds = ({ html }: RenderedPage) => {
      const { defined, referred } = idsIn(jsonLdOf(html), { defined: [], referred: [] });
      return referred.filter((id) => id.endsWith('#organization') && !defined.includes(id));
    };
    expect(wrong([...listed, ...others], undefinedIds)).toEqual([]);
  });

  test.each([
    '/productlist?page=999',
    '/products/teaware?page=99',
    '/search?key=tea&page=500',
    '/blog?page=99',
  ])('the page %s past the end of its list is not found', async (path) => {
    expect((await renderedPage(testApp.app, path)).status).toBe(404);
  });

  test('the structured data of a store has its hours and its place', () => {
    const contact = listed.find(({ path }) => path === '/contact')?.html ?? '';
    const waterloo = jsonLdOf(contact).find(({ name }) => name === 'Waterloo – Uptown');
    expect(waterloo).toMatchObject({
      telephone: '+1 519-555-0189',
      address: { streetAddress: '31 King Street North', addressCountry: 'CA' },
      geo: { latitude: 43.4664, longitude: -80.5229 },
      openingHoursSpecification: [
        // A lunch break makes two spans of a day.
        {
          opens: '11:00',
          closes: '14:00',
          dayOfWeek: ['Wednesday', 'Thursday', 'Friday'].map((day) => `https://schema.org/${day}`),
        },
        {
          opens: '14:30',
          closes: '18:00',
          dayOfWeek: ['Wednesday', 'Thursday', 'Friday'].map((day) => `https://schema.org/${day}`),
        },
        { opens: '11:00', closes: '18:00', dayOfWeek: ['https://schema.org/Saturday'] },
        { opens: '12:00', closes: '16:00', dayOfWeek: ['https://schema.org/Sunday'] },
      ],
    });
  });

  test('the checks of structured data find mistakes', () => {
    const offer = {
      '@type': 'Offer',
      price: '3.00',
      priceCurrency: 'CAD',
      availability: 'https://schema.org/InStock',
    };
    const product = {
      '@type': 'Product',
      name: 'Mug',
      description: 'A mug.',
      image: [`${origin}/a.jpg`],
      offers: offer,
    };
    expect(problemsOf(product)).toEqual([]);
    const group = {
      '@type': 'ProductGroup',
      name: 'Mugs',
      image: [`${origin}/a.jpg`],
      description: 'Mugs.',
      productGroupID: 'mugs',
    };
    const variants = {
      variesBy: ['https://schema.org/color'],
      hasVariant: [{ ...product, color: 'Oat', sku: 'A' }],
    };
    expect(problemsOf({ ...group, ...variants })).toEqual([]);
    expect(problemsOf({ ...group, ...variants, hasVariant: [product] }).join()).toMatch(
      /has variants without color/,
    );
    for (const [change, problem] of [
      [{ name: ' ' }, /Product.name is no text/],
      [{ image: ['/a.jpg'] }, /Product.image is no whole address/],
      [{ image: [] }, /Product.image is empty/],
      [{ offers: undefined }, /Product has no offers/],
      [{ offers: { ...offer, price: '$3' } }, /Offer.price is not like/],
      [{ offers: { ...offer, priceCurrency: undefined } }, /Offer has no priceCurrency/],
      [{ offers: { ...offer, availability: 'InStock' } }, /Offer.availability is none of/],
      [{ madeUp: 1 }, /Product has a madeUp that is not checked/],
      [{ '@type': 'Prodct' }, /is no type that is checked/],
    ] as const)
      expect(problemsOf({ ...product, ...change }).join()).toMatch(problem);
  });
});

/** Three products, three posts and so on in each language: checking the HTML of a page takes longer than rendering it. */
function fewOfEachKind(pages: readonly RenderedPage[]): RenderedPage[] {
  const counts = new Map<string, number>();
  return pages.filter(({ path }) => {
    const { locale, pathname } = splitLocale(path);
    const kind = `${locale} ${/^\/\w+(?=\/)/.exec(pathname)?.[0] ?? pathname}`;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= 3;
  });
}

test('every page is valid HTML', async () => {
  const validator = new HtmlValidate(htmlRules);
  // Most of a page is the same on all: each finding once, with where it was first met.
  const problems = new Map<string, string>();
  const pages = [...listed, ...others];
  for (const { path, html } of isLong ? pages : fewOfEachKind(pages)) {
    const { results } = await validator.validateString(html);
    for (const { ruleId, message, selector } of results.flatMap(({ messages }) => messages)) {
      const problem = `${ruleId}: ${message} (${selector})`;
      if (!problems.has(problem)) problems.set(problem, path);
    }
  }
  expect([...problems].map(([problem, path]) => `${path}: ${problem}`)).toEqual([]);
});

test.each([
  ['/zh/?utm_source=wechat', 301, '/zh?utm_source=wechat'],
  ['/brands/', 301, '/brands'],
  ['/brands//', 301, '/brands'],
  ['/zh/brands/?a=b%20c', 301, '/zh/brands?a=b+c'],
  ['/products/teaware/?page=2&sort=price', 301, '/products/teaware?page=2&sort=price'],
  ['/zh?a=b%20c', 302, '/zh?a=b+c'],
  ['/?a=b%20c', 302, '/?a=b+c'],
  ['/no-such-page/sub', 302, '/#unknown-address'],
])('the address %s redirects by %s to %s, and no further', async (asked, expected, wanted) => {
  const { status, headers } = await renderedPage(testApp.app, asked);
  expect([status, headers.location]).toEqual([expected, wanted]);
  expect((await renderedPage(testApp.app, wanted)).status).toBe(200);
});

test.each([
  '/.well-known/change-password',
  '/.well-known/apple-app-site-association',
  '/.well-known/a/b?c=d',
  '/.well-known/',
])('the address %s of a file that the shop does not have is answered with 404 and no page', async (path) => {
  const { statusCode, headers } = await testApp.app.inject(path);
  expect([statusCode, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
});
