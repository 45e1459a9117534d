/** Checks the HTML of the shop's pages that the server sends, before any script runs. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { localeCodes } from '#contract/locales.ts';
import type { Block } from '#contract/schemas/blocks.ts';
import type { Product, ProductSummary } from '#contract/schemas/catalogue.ts';
import type { ApiReply, ApiTransport, RenderedDocument } from '#contract/transport.ts';
import { renderPage } from './entry.server.tsx';

const origin = 'https://shop.example';
const image = (name: string) => ({
  imageURL: `/media/1000/${name}-0123456789.jpg`,
  width: 1000,
  height: 1000,
  color: '#ccbbaa',
});
const priceInfo = { price: 3200, listPrice: null, currency: 'CAD', from: false };
const nameless = { en: 'Kiln', zh: '窑' };

function summary(number: number): ProductSummary {
  return {
    id: `mug-${number}`,
    productName: `Mug ${number}`,
    nameContent: { en: `Mug ${number}`, zh: `杯${number}` },
    shortDesciption: 'A mug.',
    priceInfo,
    badges: number === 1 ? ['CLEARANCE'] : [],
    newArrival: false,
    inStoreOnly: false,
    brand: { name: 'kiln', nameContent: nameless },
    mediaInfo: { imageInfos: [image(`mug-${number}`)] },
    inventory: { quantity: number === 2 ? 0 : 5 },
    swatches: [],
  };
}

/** In two colours, the rose one dearer and sold out, with a name that would break out of a script. */
const mug: Product = {
  ...summary(1),
  nameContent: { en: 'Mug </script><script>alert(1)</script>' },
  description: ['Thrown by hand.'],
  category: {
    categoryName: 'cups',
    categoryNameContent: { en: 'Cups', zh: '杯子' },
    parent: { categoryName: 'teaware', categoryNameContent: { en: 'Teaware', zh: '茶具' }, parent: null },
  },
  tags: [],
  specification: {
    options: [
      {
        name: 'Colour',
        nameContent: { en: 'Colour', zh: '颜色' },
        values: ['Oat', 'Rose'].map((value) => ({
          value,
          valueContent: { en: value },
          priceInfo: { price: value === 'Rose' ? 200 : 0 },
          overridePrice: null,
          inventoryAttribute: value,
          color: '#ddccbb',
          image: image(value.toLowerCase()),
        })),
      },
    ],
    attributes: [{ name: 'Weight', value: '360 g' }],
  },
  skus: [
    { sku: 'M-OAT', optionPairs: '#Colour:Oat', priceInfo, inStock: true },
    { sku: 'M-ROSE', optionPairs: '#Colour:Rose', priceInfo: { ...priceInfo, price: 3400 }, inStock: false },
  ],
  weightGrams: 360,
  scene: null,
  returns: null,
};

const all = Array.from({ length: 30 }, (_, index) => summary(index + 1));
const picture = {
  image: image('wide'),
  alt: 'A table',
  title: 'Sit down',
  text: 'With us',
  linkLabel: 'Come in',
};
const blocks: Block[] = [
  { id: 'a', type: 'imageSlider', slides: [{ ...picture, link: '/products/cups' }] },
  {
    id: 'b',
    type: 'imageInfo',
    items: [{ ...picture, link: 'https://maker.example/', linkLabel: 'The maker' }],
  },
  { id: 'c', type: 'text', title: 'Tea', paragraphs: ['And what to drink it from.'], items: ['Mugs'] },
  { id: 'd', type: 'buttons', buttons: [{ label: 'All brands', link: '/brands', style: 'primary' }] },
  {
    id: 'e',
    type: 'productList',
    title: 'New in',
    uiAttribute: {
      collectiontype: 'newArrival',
      collectionname: '',
      number: 4,
      numberPerRow: 3,
      numberPerMobileRow: 1,
      sortby: 'default',
    },
    products: all.slice(0, 4),
  },
];

const ok = (body: unknown): ApiReply => ({ status: 200, body });
const missing: ApiReply = { status: 404, body: { errorType: 'NOT_FOUND' } };
const facets = {
  count: 30,
  brands: [{ name: 'kiln', nameContent: nameless, count: 30 }],
  categories: [{ name: 'cups', nameContent: { en: 'Cups', zh: '杯子' }, parent: null, count: 30 }],
  currency: 'CAD',
  prices: [],
  capacities: [],
  colours: [],
  stores: [],
  tags: [],
};

/** An API of a shop with thirty mugs, by the path of a call; `changes` overrides answers. */
function shop(changes: Record<string, ApiReply> = {}): ApiTransport {
  return async ({ url }) => {
    const { pathname, searchParams } = new URL(url, origin);
    const path = decodeURIComponent(pathname.slice('/api/istore/client/'.length));
    const found = searchParams.get('nameLike') === null || searchParams.get('nameLike') === 'mug';
    const from = Number(searchParams.get('startingPosition') ?? 0);
    const products =
      found && searchParams.get('brandName') !== 'nobody' ? all.slice(from, from + limits.pageSize) : [];
    const answers: Record<string, () => ApiReply> = {
      'common3/appInfoInit': () =>
        ok({
          appContent: {
            shopName: 'Shop',
            menu: [],
            header: { links: [], parts: [] },
            footer: { links: [], parts: [] },
            socialLinks: [],
            seasonNote: null,
            look: { paper: null, logo: null, icons: null },
            facts: [],
          },
        }),
      'common3/pageContent': () =>
        searchParams.get('pageName') === 'home'
          ? ok({ name: 'home', title: 'Shop', metaDescription: 'Mugs.', blocks })
          : missing,
      'productManagement2/products': () => ok({ products, correctedTo: null, partial: false }),
      'productManagement2/products/listCount': () => ok({ count: products.length && all.length }),
      'productManagement2/products/facets': () => ok(facets),
      'productManagement/product/mug': () => ok(mug),
      'productManagement/brands': () =>
        ok([{ name: 'kiln', nameContent: nameless, story: 'Two potters.', image: image('kiln'), count: 30 }]),
    };
    return changes[path] ?? answers[path]?.() ?? missing;
  };
}

async function page(url: string, transport = shop()): Promise<RenderedDocument> {
  const rendered = await renderPage({ url, transport, origin, languages: localeCodes });
  if (rendered.redirect) throw new Error(`redirected to ${rendered.redirect.location}`);
  return rendered;
}

const cards = (html: string) => [...html.matchAll(/data-item="([^"]+)"/g)].map(([, id]) => id);

describe('a product list', () => {
  test('a product list is real pages with links to each other', async () => {
    const { html } = await page('/productlist?page=2&sort=price');
    expect(cards(html)).toEqual(all.slice(12, 24).map(({ id }) => id));
    expect(html).toMatch(/href="\/productlist\?sort=price" rel="prev"/);
    expect(html).toMatch(/href="\/productlist\?sort=price&amp;page=3" rel="next"/);
    expect(html).toContain('Showing 13–24 of 30');
    expect(html).toContain('<title>All products, page 2 · Shop</title>');
  });

  test.each([
    ['/productlist?page=2', '/productlist?page=2'],
    ['/productlist?page=2&sort=price', '/productlist'],
    ['/productlist?newArrival=true&page=2', '/productlist?newArrival=true&page=2'],
    ['/productlist?cat=cups', '/products/cups'],
    ['/productlist?cat=cups&page=2', '/products/cups?page=2'],
    ['/productlist?brand=kiln', '/brand/kiln'],
    ['/productlist?cat=cups&brand=kiln&page=2', '/productlist'],
    ['/clearance?brand=kiln', '/clearance'],
    ['/brands?view=list', '/brands'],
    ['/product/mug?Colour=Rose', '/product/mug'],
  ])('the list %s has the canonical address %s', async (url, canonical) => {
    const { html } = await page(url);
    expect(html).toContain(`<link rel="canonical" href="${origin}${canonical.replaceAll('&', '&amp;')}"/>`);
    expect(html).toContain(
      `<link rel="alternate" hrefLang="zh" href="${origin}/zh${canonical.replaceAll('&', '&amp;')}"/>`,
    );
  });

  test('a product list ends with its last page', async () => {
    expect((await page('/productlist?page=3')).html).not.toContain('rel="next"');
  });

  test('a page past the end of a list is not found, and is offered to no search engine', async () => {
    const { status, html } = await page('/productlist?page=9');
    expect(status).toBe(404);
    expect(html).toContain('We couldn’t find that page');
    expect(html).toContain('<meta name="robots" content="noindex"/>');
  });

  test('a chosen filter can be removed, and other filters start from the first page', async () => {
    const { html } = await page('/clearance?brand=kiln&page=2&sort=name');
    expect(html).toMatch(
      /aria-label="Remove filter: Kiln"[^>]*href="\/clearance\?sort=name"|href="\/clearance\?sort=name"[^>]*aria-label="Remove filter: Kiln"/,
    );
    expect(html).toContain('href="/clearance?cat=cups&amp;brand=kiln&amp;sort=name"');
  });

  test('a product list renders without its count and its filters', async () => {
    const failed = { status: 500, body: { errorType: 'SYSTEM_ERROR' } };
    const { status, html } = await page(
      '/productlist',
      shop({ 'productManagement2/products/listCount': failed, 'productManagement2/products/facets': failed }),
    );
    expect(status).toBe(200);
    expect(cards(html)).toHaveLength(12);
    expect(html).toContain('Showing 1–12<');
    expect(html).not.toMatch(/-1 products?|of -1/);
  });

  test.each([
    ['/productlist?brand=nobody', 'No products were found matching your selection'],
    ['/zh/productlist?brand=nobody', '没有符合所选条件的商品'],
    ['/search?key=kettle', 'No products were found matching your search'],
    ['/zh/search?key=kettle', '没有找到相关商品'],
  ])('the empty list %s says that nothing was found', async (url, words) => {
    const { status, html } = await page(url);
    expect(status).toBe(200);
    expect(html).toContain(words);
  });

  test('a product list renders whatever somebody types as its address', async () => {
    const key = fc.oneof(
      fc.constantFrom('cat', 'brand', 'sort', 'page', 'key', 'newArrival', '__proto__'),
      fc.string({ maxLength: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('/productlist', '/search', '/clearance', '/brands', '/product/mug'),
        fc.array(fc.tuple(key, fc.string({ unit: 'binary', maxLength: 30 })), { maxLength: 4 }),
        async (path, pairs) => {
          const rendered = await renderPage({
            url: `${path}?${new URLSearchParams(pairs)}`,
            transport: shop(),
            origin,
            languages: localeCodes,
          });
          expect(rendered.redirect?.location ?? rendered).toBeTruthy();
          if (!rendered.redirect) expect(rendered.status).toBe(200);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('a page of search results is not for search engines, and a search without text asks for one', async () => {
    const { html, unlisted } = await page('/search?key=mug');
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(html).not.toContain('rel="canonical"');
    expect(unlisted).toBe(true);
    expect((await page('/search')).html).toContain('What are you looking for?</h1>');
  });

  test('the page of favourites, which is empty, shows new arrivals', async () => {
    const { html } = await page('/myFavorite');
    expect(html).toContain('>New arrivals</h2>');
    expect(html).toContain('href="/product/mug-1"');
  });

  test('a filter that matches nothing shows an empty list, and the filter can be removed', async () => {
    const { status, html } = await page(
      '/clearance?brand=gone',
      shop({ 'productManagement2/products': missing }),
    );
    expect(status).toBe(200);
    expect(html).toContain('No products were found matching your selection');
    expect(html).toContain('Remove filter: gone');
  });

  test.each(['/products/nobody', '/brand/nobody', '/tag/nobody', '/product/nobody'])(
    'the page %s answers 404',
    async (url) => {
      expect((await page(url)).status).toBe(404);
    },
  );
});

describe('the brands page', () => {
  test('the brands page shows cards or a list as its address says', async () => {
    expect((await page('/brands')).html).toContain('Two potters.');
    const { html } = await page('/brands?view=list');
    expect(html).not.toContain('Two potters.');
    expect(html).toContain('href="/brand/kiln"');
  });
});

describe('a product page', () => {
  test('a product page shows the combination of its address', async () => {
    const { html } = await page('/product/mug?Colour=Rose');
    expect(html).toMatch(/value="Rose"[^>]*checked=""|checked=""[^>]*value="Rose"/);
    expect(html).toContain('$34.00');
    expect(html).toContain('Out of Stock');
    expect(html).toContain('This product is currently out of stock.');
  });

  test('a product page shows the available SKU of its first image before others', async () => {
    const { html } = await page('/product/mug');
    expect(html).toContain('In Stock');
    expect(html).toContain('$32.00');
    expect(html).toMatch(/fetchPriority="high"[^>]*>/);
  });

  test('a product page tells search engines what it is, in data that no text can break out of', async () => {
    const { html } = await page('/product/mug');
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '';
    const [product, way] = JSON.parse(data)['@graph'];
    expect(product.name).toBe(mug.nameContent.en);
    expect(product.hasVariant.map(({ offers }: { offers: object }) => offers)).toMatchObject([
      { price: '32.00', priceCurrency: 'CAD', availability: 'https://schema.org/InStock' },
      { price: '34.00', priceCurrency: 'CAD', availability: 'https://schema.org/OutOfStock' },
    ]);
    expect(way.itemListElement.map(({ item }: { item: string }) => item)).toEqual([
      `${origin}/products/teaware`,
      `${origin}/products/cups`,
      `${origin}/product/mug-1`,
    ]);
  });
});

describe('a content page', () => {
  test('a content page shows every block of the contract', async () => {
    const { html } = await page('/');
    for (const words of ['Sit down', 'The maker', 'And what to drink it from.', 'All brands', 'New in'])
      expect(html).toContain(words);
    expect(html).toContain('href="/productlist?newArrival=true"');
  });

  test('a content page leaves the shop by links that start with http and keeps the language within', async () => {
    const { html } = await page('/zh');
    expect(html).toMatch(/href="https:\/\/maker\.example\/" rel="noopener"/);
    expect(html).toContain('href="/zh/products/cups"');
  });

  test('a content page that does not exist redirects to /', async () => {
    expect(
      (await renderPage({ url: '/zh/nothing', transport: shop(), origin, languages: localeCodes })).redirect,
    ).toEqual({
      status: 302,
      location: '/zh',
    });
    expect(
      (await renderPage({ url: '/home', transport: shop(), origin, languages: localeCodes })).redirect,
    ).toEqual({
      status: 301,
      location: '/',
    });
  });
});
