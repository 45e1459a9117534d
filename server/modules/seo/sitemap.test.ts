import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { localeCodes } from '#contract/locales.ts';
import products from '#demo/data/products.json' with { type: 'json' };
import { demoProduct } from '#demo/load.ts';
import { createTestApp, onBothEngines, type TestApp, testNow } from '#tests/test-app.ts';
import { createSitemapService, type SitemapService } from './sitemap.service.ts';

const origin = 'https://shop.example';

onBothEngines((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, env: { PUBLIC_URL: origin } });
  });
  const get = async (url: string, headers: Record<string, string> = {}) =>
    await testApp.app.inject({ url, headers });
  const files = async () =>
    [...(await get('/sitemap.xml')).body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc = '']) => loc);
  const pathOf = (address: string) => address.slice(origin.length);

  /** Small files, to split a small catalogue the way a large one splits. */
  function small(addressesPerFile: number): SitemapService {
    const { catalogue, content, blog, media } = testApp.container;
    return createSitemapService({ db: testApp.db, catalogue, content, blog, media, addressesPerFile });
  }
  async function productsIn(sitemaps: SitemapService): Promise<string[]> {
    const found: string[] = [];
    for (const { name } of await sitemaps.index()) {
      if (!name.startsWith('products')) continue;
      for await (const part of (await sitemaps.entries(name)) ?? [])
        found.push(...part.map(({ path }) => path));
    }
    return found;
  }

  it('the file /robots.txt names the sitemaps', async () => {
    const { body, headers } = await get('/robots.txt', { host: 'evil.example' });
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(body).toContain(`Sitemap: ${origin}/sitemap.xml\n`);
    expect(await files()).toEqual(
      ['pages-1', 'blog-1', 'products-1'].map((name) => `${origin}/sitemap/${name}.xml`),
    );
  });

  it('the sitemaps list every kind of page in each language, with its alternates, images and times', async () => {
    const all = (await Promise.all((await files()).map(async (file) => (await get(pathOf(file))).body))).join(
      '',
    );
    const paths = [
      '',
      '/brands',
      '/brand/maple-and-clay',
      '/clearance',
      '/tag/handmade',
      '/products/teaware',
      '/about',
      '/contact',
    ];
    const addresses = new Set([...all.matchAll(/<url><loc>(.*?)<\/loc>/g)].map(([, loc]) => loc));
    for (const path of [
      ...paths,
      '/product/speckled-mug',
      '/blog',
      '/productlist',
      '/productlist?newArrival=true',
    ])
      for (const prefix of ['', '/zh'])
        expect(addresses).toContain(`${origin}${prefix}${path || (prefix ? '' : '/')}`);
    const own = [...all.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc = '']) =>
      pathOf(loc).replace(/^\/zh(?=\/)/, ''),
    );
    expect(
      own.filter((path) => /^\/(home|cart|checkout|payment|account|search|myFavorite)(\/|$)/.test(path)),
    ).toEqual([]);
    const mug = /<url><loc>https:\/\/shop\.example\/product\/speckled-mug<.*/.exec(all)?.[0] ?? '';
    for (const [code, path] of [
      ['en', '/product/speckled-mug'],
      ['zh', '/zh/product/speckled-mug'],
      ['x-default', '/product/speckled-mug'],
    ])
      expect(mug).toContain(`<xhtml:link rel="alternate" hreflang="${code}" href="${origin}${path}"/>`);
    expect(mug).toMatch(
      /<image:loc>https:\/\/shop\.example\/media\/\d+\/speckled-mug[^<]*\.jpg<\/image:loc>/,
    );
    expect(mug).toContain(`<lastmod>${new Date(testNow).toISOString()}</lastmod>`);
    expect(all.match(/<url>/g)?.length).toBe(all.match(/<\/url>/g)?.length);
  });

  it('the sitemap time of a product is its last real change by the merchant', async () => {
    const [first] = products;
    const [second] = products.slice(1);
    if (!first || !second) throw new Error('The demo shop is empty');
    testApp.clock.advance(60_000);
    const input = (product: typeof first) =>
      demoProduct(product, products.length - products.indexOf(product));
    await testApp.services.editor.upsertProducts([
      input(first),
      { ...input(second), shortDescription: { en: 'Changed' } },
    ]);
    const rows = await testApp.db.read
      .selectFrom('products')
      .select(['id', 'updated_at'])
      .where('id', 'in', [first.slug, second.slug])
      .execute();
    expect(Object.fromEntries(rows.map(({ id, updated_at }) => [id, updated_at]))).toEqual({
      [first.slug]: testNow,
      [second.slug]: testNow + 60_000,
    });
    expect((await get('/sitemap.xml')).body).toContain(
      `products-1.xml</loc><lastmod>${new Date(testNow + 60_000).toISOString()}`,
    );
  });

  describe('sitemaps of a shop with more products than one file takes', () => {
    it('the sitemaps have each product once, however small the files', async () => {
      const expected = products.map(({ slug }) => `/product/${slug}`).sort();
      for (const addresses of [2, 20, 46, 1000])
        expect((await productsIn(small(addresses))).sort()).toEqual(expected);
      expect((await small(20).index()).filter(({ name }) => name.startsWith('products'))).toHaveLength(7);
      expect((await small(20).index()).filter(({ name }) => name.startsWith('pages')).length).toBeGreaterThan(
        2,
      );
    });

    it('a product stays in its file, and a file without products is left out', async () => {
      const before = await small(20).index();
      const [first] = products;
      if (!first) throw new Error('The demo shop is empty');
      await testApp.services.editor.upsertProducts(
        products
          .slice(0, 10)
          .map((product, index) => ({ ...demoProduct(product, products.length - index), published: false })),
      );
      const after = await small(20).index();
      expect(after.map(({ name }) => name)).toEqual(
        before.map(({ name }) => name).filter((name) => name !== 'products-1'),
      );
      expect(await productsIn(small(20))).not.toContain(`/product/${first.slug}`);
      await testApp.services.editor.upsertProducts(
        products.slice(0, 10).map((product, index) => demoProduct(product, products.length - index)),
      );
    });
  });

  it('a sitemap is served compressed and answers 304 to a matching ETag', async () => {
    const plain = await get('/sitemap/products-1.xml');
    const zipped = await get('/sitemap/products-1.xml', { 'accept-encoding': 'gzip, br' });
    expect(plain.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(zipped.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body);
    const again = await get('/sitemap/products-1.xml', { 'if-none-match': String(plain.headers.etag) });
    expect(again.statusCode).toBe(304);
    const known = { 'if-none-match': String(plain.headers.etag) };
    // A change that it does not show leaves it as it is.
    await testApp.services.editor.upsertTags([
      { id: 'fresh', name: { en: 'Fresh' }, description: { en: '' } },
    ]);
    expect((await get('/sitemap/products-1.xml', known)).statusCode).toBe(304);
    const [first] = products;
    if (!first) throw new Error('The demo shop is empty');
    await testApp.services.editor.upsertProducts([
      { ...demoProduct(first, products.length), published: false },
    ]);
    expect((await get('/sitemap/products-1.xml', known)).statusCode).toBe(200);
  });

  it.each([
    'products-99.xml',
    'products-0.xml',
    'orders-1.xml',
    'pages-1',
    'pages-1.xml.xml',
    '%2e%2e%2fpages-1.xml',
    '__proto__-1.xml',
  ])('the sitemap %s does not exist', async (file) => {
    const { statusCode, headers } = await get(`/sitemap/${file}`);
    expect(statusCode).toBe(404);
    expect(headers['content-type']).toMatch(/^application\/json/);
  });

  it('the manifest gives phones a name and icons for the home screen, in the language of the page', async () => {
    const manifest = async (lang: string) => (await get(`/site.webmanifest?lang=${lang}`)).json();
    expect(await manifest('en')).toMatchObject({ name: 'Maple & Clay', start_url: '/', lang: 'en-CA' });
    expect(await manifest('zh')).toMatchObject({ name: '枫土', start_url: '/zh', lang: 'zh-CN' });
    expect(await manifest('__proto__')).toMatchObject({ lang: 'en-CA' });
    expect(localeCodes).toEqual(['en', 'zh']);
  });
});
