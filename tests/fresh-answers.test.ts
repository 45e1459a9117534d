/**
 * A change is visible on the next request: after each kind of change, every address answers as a shop without caches would, in
 * the process that made the change and in another one.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import type { FastifyInstance, InjectOptions } from 'fastify';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiBase } from '#contract/limits.ts';
import { type Database, openDatabase } from '#db/database.ts';
import products from '#demo/data/products.json' with { type: 'json' };
import { demoProduct } from '#demo/load.ts';
import { buildApp } from '#server/app.ts';
import { createContainer } from '#server/container.ts';
import type { ProductInput } from '#server/modules/catalogue/index.ts';
import { approveAgent } from './agents.ts';
import { isLong } from './long.ts';
import { plainProduct } from './products.ts';
import { renderFromSources } from './rendered.ts';
import { shopperWithCart } from './shop-actions.ts';
import { createTestApp, forEachEngine, type TestApp } from './test-app.ts';

const api = (path: string) => `${apiBase}${path}`;
const shown = products.slice(0, 6);
const [first, second] = shown;
if (!first || !second) throw new Error('The demo has no products');
const listed = (query: string) => api(`productManagement2/products?${query}`);

const addresses = [
  ...shown.flatMap(({ slug }) => [
    api(`productManagement/product/${slug}`),
    api(`productManagement2/products/relatedProducts/${slug}`),
  ]),
  ...['default', 'price', 'name'].flatMap((sort) => [
    listed(`sortby=${sort}&numberToLoad=48`),
    listed(`sortby=${sort}&categoryName=${first.category}`),
    listed(`sortby=${sort}&brandName=${first.brand}&lang=zh`),
    listed(`sortby=${sort}&categoryName=${first.category}&brandName=${first.brand}`),
    api(`productManagement2/products/search/cup?sortby=${sort}`),
  ]),
  ...['onSale', 'clearance', 'newArrival'].map((flag) => listed(`${flag}=true`)),
  api('productManagement/products/onSale'),
  ...first.tags.map((tag) => api(`productManagement2/products/tag/${tag}`)),
  api('productManagement2/products/search/cup/newArrival'),
  api('productManagement2/products/search/teapot'),
  api('productManagement2/products/suggest/te'),
  api('productManagement2/products/listCount'),
  api(`productManagement2/products/listCount?categoryName=${first.category}&brandName=${first.brand}`),
  api('productManagement2/products/facets'),
  api(`productManagement2/products/facets?categoryName=${first.category}`),
  api(
    `productManagement2/products/facets?categoryName=${first.category}&priceRange=-2999&localStoreName=toronto-queen-west`,
  ),
  listed('priceRange=-2999&capacityRange=151-350&sortby=price'),
  listed('colour=green&localStoreName=toronto-queen-west'),
  api('productManagement/categories/primary'),
  api(`productManagement2/category/${first.category}`),
  api('productManagement/brands'),
  api(`productManagement2/tag/${first.tags[0]}`),
  api('common3/pageContent?pageName=home'),
  api('common3/pageContent?pageName=about'),
  api('common3/pickupLocations'),
  api('common3/commonSearches?lang=zh'),
  api('blog/blogs'),
  api('social/ig/recent'),
  `/product/${first.slug}`,
  `/zh/product/${second.slug}`,
  '/',
  `/products/${first.category}`,
  '/search?key=cup',
  '/about',
  '/sitemap.xml',
  '/blog/feed.xml',
];

const agentProfile = 'https://agent.example/profile';
const agentSearch = (payload: object): InjectOptions => {
  const headers = { 'ucp-agent': `profile="${agentProfile}"` };
  return { method: 'POST', url: '/api/ucp/catalog/search', headers, payload };
};
const asked: readonly (string | InjectOptions)[] = [
  ...addresses,
  agentSearch({ query: 'cup' }),
  agentSearch({ filters: { categories: [first.category] }, pagination: { limit: 48 } }),
];

/** The units in stock are shown elsewhere, live: pages and lists only say whether there are any. */
const comparable = (body: string) =>
  body.replace(/"quantity":(\d+)/g, (_, units) => `"quantity":${units === '0' ? 0 : 'some'}`);

/** The database as caches would see it if everything changed all the time. */
function alwaysChanging(db: Database): Database {
  let moment = 0;
  const changes = {
    refresh: () => undefined,
    get moment() {
      moment += 1;
      return moment;
    },
    changedSince: () => true,
  };
  return { ...db, changes };
}

forEachEngine((engine) => {
  let testApp: TestApp;
  let other: FastifyInstance;
  let uncached: FastifyInstance;
  let rendered: string[] = [];
  /** The products as they were last written. */
  const inputs = new Map<string, ProductInput>(
    products.map((product, index) => [product.slug, demoProduct(product, products.length - index)]),
  );

  beforeAll(async () => {
    testApp = await createTestApp({
      engine,
      demo: true,
      app: {
        async web(server) {
          const web = await renderFromSources(server);
          return {
            ...web,
            render(request) {
              rendered.push(request.url);
              return web.render(request);
            },
          };
        },
      },
    });
    const { env, clock } = testApp;
    const build = async (db: Database) => {
      const services = createContainer({ db, env, now: clock.now });
      return await buildApp({ env, db, services, now: clock.now, web: renderFromSources });
    };
    await approveAgent(testApp, agentProfile);
    const theirs = await openDatabase({
      dataDir: testApp.dataDir,
      databaseUrl: env.databaseUrl,
      durable: false,
    });
    [other, uncached] = [await build(theirs), await build(alwaysChanging(testApp.db))];
    return async () => {
      await Promise.all([other.close(), uncached.close()]);
      await theirs.close();
    };
  });

  const edit = async (
    change: (product: ProductInput, all: ProductInput[]) => Partial<ProductInput>,
    which = first.slug,
  ) => {
    const product = inputs.get(which);
    if (!product) throw new Error(`No product ${which}`);
    inputs.set(which, { ...product, ...change(product, [...inputs.values()]) });
    await testApp.services.editor.upsertProducts([inputs.get(which) ?? product]);
  };
  const [sku = ''] = (inputs.get(first.slug)?.skus ?? []).map((each) => each.sku);
  const stockEverywhere = async (units: number) => {
    const places = ['warehouse', ...(await testApp.services.stores.all()).map(({ id }) => id)];
    const skus = inputs.get(first.slug)?.skus ?? [];
    await testApp.services.stock.count(
      skus.flatMap((each) => places.map((place) => ({ sku: each.sku, place, units }))),
    );
  };

  /** Each takes a number from 1 to 1000, by which it differs from the last time. */
  const changes: Record<string, (n: number) => Promise<unknown>> = {
    price: (n) => edit(() => ({ priceCents: 1000 + n })),
    'a reduction': (n) =>
      edit(({ priceCents, compareAtCents }) => ({ compareAtCents: compareAtCents ? null : priceCents + n })),
    'a name': (n) => edit(() => ({ name: { en: `Renamed ${n}`, zh: `改名 ${n}` } })),
    'a description': (n) =>
      edit(() => ({ description: { en: [`Text ${n}`] }, shortDescription: { en: `Short ${n}` } })),
    'a brand of a product': (n) => edit((_, all) => ({ brand: all[n % all.length]?.brand ?? '' })),
    'a category of a product': (n) => edit((_, all) => ({ category: all[n % all.length]?.category ?? '' })),
    'tags of a product': (n) => edit((_, all) => ({ tags: all[n % all.length]?.tags ?? [] })),
    'a new arrival': () => edit(({ newArrival }) => ({ newArrival: !newArrival })),
    clearance: () => edit(({ clearance }) => ({ clearance: !clearance })),
    publication: () =>
      edit(({ status }) => ({ status: status === 'draft' ? 'active' : 'draft' }), second.slug),
    'images of a product': (n) =>
      edit(({ details: { scene: _scene, imageTexts: _texts, ...details } }, all) => ({
        images: all[n % all.length]?.images ?? [],
        details,
      })),
    'related products': (n) =>
      edit((_, all) => ({ related: [all[n % all.length]?.id ?? '', `new-${n + 1}`] })),
    'a new product': (n) =>
      testApp.services.editor.upsertProducts([
        plainProduct(`new-${n}`, {
          brand: first.brand,
          category: first.category,
          skus: [{ sku: `N-${n}`, options: {}, stock: {} }],
        }),
      ]),
    'the same again': () => edit(() => ({})),
    'the end of stock': () => stockEverywhere(0),
    'new stock': (n) => stockEverywhere(n),
    'stock of one SKU': (n) => testApp.services.stock.count([{ sku, place: 'warehouse', units: n % 3 }]),
    'an order of the last unit': async () => {
      await testApp.services.editor.upsertProducts([
        plainProduct('only-one', { brand: first.brand, category: first.category }),
      ]);
      await testApp.services.stock.count([{ sku: 'S-only-one', place: 'warehouse', units: 1 }]);
      const session = await shopperWithCart(testApp, 'S-only-one');
      await testApp.ask('reserve', { session, body: {} });
      await testApp.ask('postBilling', { session, params: { gatewayName: '{host}' }, body: {} });
    },
    'the removal of a product': async (n) => {
      const { editor, catalogueRemoval } = testApp.services;
      await editor.upsertProducts([
        plainProduct(`gone-${n}`, {
          brand: first.brand,
          category: first.category,
          skus: [{ sku: `X-${n}`, options: {}, stock: {} }],
        }),
      ]);
      // The shop has shown it.
      expect(await outdated()).toEqual([]);
      await testApp.db.transaction((trx) =>
        catalogueRemoval.removeProduct({ trx, actor: { kind: 'terminal' } }, `gone-${n}`),
      );
    },
    'the removal of a page': () =>
      testApp.db.transaction((trx) => testApp.services.contentRemoval.removePage(trx, 'about')),
    'a name of a brand': (n) =>
      testApp.services.editor.upsertBrands([
        {
          id: first.brand,
          name: { en: `Brand ${n}`, zh: `牌 ${n}` },
          story: { en: `Story ${n}` },
          image: null,
        },
      ]),
    'a text of a category': async (n) => {
      const { parentId = null, name } =
        (await testApp.services.catalogue.taxonomy()).categories.get(first.category) ?? {};
      const description = { en: `Description ${n}` };
      await testApp.services.editor.upsertCategories([
        { id: first.category, parent: parentId, name: name ?? { en: '' }, description, image: null },
      ]);
    },
    'a new category': (n) =>
      testApp.services.editor.upsertCategories([
        {
          id: `category-${n}`,
          parent: null,
          name: { en: `Category ${n}` },
          description: { en: '' },
          image: null,
        },
      ]),
    'a name of a tag': (n) =>
      testApp.services.editor.upsertTags([
        { id: first.tags[0] ?? '', name: { en: `Tag ${n}` }, description: { en: `About ${n}` } },
      ]),
    'a setting': (n) => testApp.services.settings.update({ shopName: { en: `Shop ${n}`, zh: `店 ${n}` } }),
    'the currency': (n) => testApp.services.settings.update({ currency: n % 2 ? 'USD' : 'CAD' }),
    'a store': async (n) => {
      const [store] = await testApp.services.stores.all();
      if (store) await testApp.services.stores.upsert([{ ...store, name: { en: `Store ${n}` } }]);
    },
    'a page': (n) =>
      testApp.services.content.upsertPages([
        { name: 'about', title: { en: `About ${n}` }, metaDescription: { en: '' }, blocks: [] },
      ]),
    'a page with a framed site': (n) =>
      testApp.services.content.upsertPages([
        {
          name: `film-${n}`,
          title: { en: 'Film' },
          metaDescription: { en: '' },
          blocks: [
            {
              id: 'v',
              type: 'video',
              provider: n % 2 ? 'youtube' : 'vimeo',
              src: '123456789',
              title: { en: 'Film' },
            },
          ],
        },
      ]),
    'a post': (n) =>
      testApp.services.blog.editor.upsertPosts([
        {
          blogId: 'maple-and-clay-blog',
          link: `post-${n}`,
          category: null,
          title: { en: `Post ${n}` },
          excerpt: { en: '' },
          author: null,
          image: null,
          parts: [],
          tags: [],
          publishedAt: testApp.clock.now() - n,
        },
      ]),
    'the gallery': (n) =>
      testApp.services.photographs.replaceGallery([
        {
          id: `photo-${n}`,
          caption: { en: `Photo ${n}` },
          image: first.images[0] ?? '',
          link: '/',
          takenAt: n,
        },
      ]),
    'an image': async (n) => {
      const colour = { r: n % 256, g: 100, b: 50 };
      const bytes = await sharp({ create: { width: 400 + n, height: 300, channels: 3, background: colour } })
        .jpeg()
        .toBuffer();
      await testApp.services.media.addOriginal(first.images[0] ?? '', bytes);
    },
  };

  /**
   * One in so many addresses is asked each time. SQLite is asked the same ones before and after every change, drawn for each run,
   * and all in `npm run test:all`. What is kept is the same on both engines: PostgreSQL, whose news another process hears
   * otherwise, is asked the next eighth each time.
   */
  const parts = engine === 'postgres' ? 8 : isLong ? 1 : 6;
  let turn = randomInt(parts);

  /** The addresses at which a shop with caches answers otherwise than one without. */
  async function outdated(): Promise<string[]> {
    const wrong: string[] = [];
    if (engine === 'postgres') turn += 1;
    for (const address of asked.filter((_, index) => (index + turn) % parts === 0)) {
      // Requests over a network arrive in a turn of the event loop of their own.
      await new Promise((resolve) => setImmediate(resolve));
      const [mine, theirs, right] = await Promise.all(
        [testApp.app, other, uncached].map(async (app) => {
          const { statusCode, body } = await app.inject(address);
          // An error names its request.
          return statusCode === 200 ? comparable(body) : statusCode;
        }),
      );
      const name = typeof address === 'string' ? address : JSON.stringify(address.payload);
      if (mine !== right) wrong.push(name);
      if (theirs !== right) wrong.push(`${name} in another process`);
    }
    return wrong;
  }

  const renderings = async (path: string): Promise<number> => {
    rendered = [];
    await testApp.app.inject(path);
    return rendered.length;
  };

  describe('answers after a change', () => {
    it('every address shows each kind of change at the next request, in every process', async () => {
      expect(await outdated()).toEqual([]);
      const kinds = Object.keys(changes);
      const steps = fc.shuffledSubarray(kinds, { minLength: kinds.length });
      await fc.assert(
        fc.asyncProperty(
          steps,
          fc.infiniteStream(fc.integer({ min: 1, max: 1000 })),
          async (order, numbers) => {
            for (const kind of order) {
              await changes[kind]?.(numbers.next().value);
              expect(await outdated(), `after ${kind}`).toEqual([]);
            }
          },
        ),
        { numRuns: 1, endOnFailure: true },
      );
    }, 300_000);

    it('a product written again shows an image that was replaced since', async () => {
      await edit(() => ({}));
      expect(await outdated()).toEqual([]);
      await changes['an image']?.(1234);
      await edit(() => ({}));
      expect(await outdated()).toEqual([]);
    });

    it('a change of one product leaves the pages of others in the cache', async () => {
      const page = `/product/${second.slug}`;
      await edit(() => ({ status: 'active' }), second.slug);
      // From then on the page requires nothing of the server, such as a site that may be framed.
      await changes['a page']?.(1);
      await testApp.app.inject(page);
      for (const kind of [
        'price',
        'a name',
        'a new product',
        'the end of stock',
        'new stock',
        'a page',
        'a post',
      ]) {
        await changes[kind]?.(1234);
        expect(await renderings(page), `after ${kind}`).toBe(0);
      }
      await changes['a setting']?.(1234);
      expect(await renderings(page)).toBe(1);
    });

    it('stock that nobody sees change leaves everything in the cache', async () => {
      await stockEverywhere(5);
      await testApp.app.inject(`/product/${first.slug}`);
      await stockEverywhere(6);
      expect(await renderings(`/product/${first.slug}`)).toBe(0);
      await stockEverywhere(0);
      expect(await renderings(`/product/${first.slug}`)).toBe(1);
    });
  });
});
