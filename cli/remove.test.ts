/** `remove`: what it says before, and what shoppers see after. */
import { beforeEach, describe, expect, test } from 'vitest';
import { mailsFor } from '#tests/accounts.ts';
import { post, writeBlog } from '#tests/blog.ts';
import { plainProduct, sellMugInColours } from '#tests/products.ts';
import { renderFromSources } from '#tests/rendered.ts';
import { add, pay, reserve, shopperWithCart, visit } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const product = 'mug';
const main = 'toronto-queen-west';
const ottawa = 'ottawa-byward';

onBothEngines((engine) => {
  let testApp: TestApp;
  beforeEach(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellMugInColours(testApp, { name: { en: 'Kulhad', zh: '马克杯' } });
  });

  const remove = (...words: string[]) => shopCommand(testApp, ['remove', ...words]);
  const sitemap = async () => {
    const index = await testApp.app.inject('/sitemap.xml');
    const files = [...index.body.matchAll(/<loc>http:\/\/localhost(\/[^<]+\.xml)<\/loc>/g)].map(
      ([, path = '']) => path,
    );
    return (
      (await Promise.all(files.map(async (path) => (await testApp.app.inject(path)).body))).join() +
      index.body
    );
  };
  const found = async (nameLike: string) =>
    (await testApp.call('productSearch', { params: { nameLike } })).products.map(({ id }) => id);
  const orderOf = (session: Shopper, id: string) => testApp.call('order', { session, params: { id } });

  async function reservation(store: string): Promise<{ session: Shopper; id: string; number: string }> {
    const session = testApp.shopper();
    await add(testApp, session, mug, 2);
    await visit(testApp, session, { localStoreName: store });
    const id = (await reserve(testApp, session)).body.orderID;
    return { session, id, number: (await orderOf(session, id)).orderNumber ?? '' };
  }

  async function linkedFrom(links: readonly string[]): Promise<void> {
    const html = { en: links.map((link) => `<p>See <a href="${link}">this</a>.</p>`).join('') };
    const blocks = [
      { id: 'plain', type: 'text', title: null, paragraphs: [{ en: 'No link.' }], items: [] },
      { id: 'linked', type: 'text', title: null, paragraphs: [], items: [], html },
    ];
    await testApp.services.content.upsertPages([
      { name: 'guide', title: { en: 'Guide' }, metaDescription: { en: '' }, blocks },
    ]);
  }

  describe('removing a product', () => {
    test('a product that carts, orders and pages refer to is removed only with --yes', async () => {
      const cart = await shopperWithCart(testApp, mug);
      const { number } = await reservation(ottawa);
      const { footer } = await testApp.services.settings.all();
      await testApp.services.settings.update({
        footer: {
          ...footer,
          links: [{ label: { en: 'Our mug' }, link: `/zh/product/${product}?from=footer` }],
        },
      });
      await writeBlog(testApp, [post(testApp, 1, { parts: [{ type: 'product', product }] })]);
      const before = await testApp.call('myCart', { session: cart });
      const refused = await remove('product', product);
      expect(refused.code).toBe(1);
      expect(refused.printed.split('\n')).toEqual(
        expect.arrayContaining([
          `Removing product ${product} affects:`,
          `  order ${number} holds units of it`,
          '  1 cart will lose it',
          '  footer: the link “Our mug” leads to it',
          '  post post-1 links to it',
          `Nothing was removed. To remove it, run: npm run shop -- remove product ${product} --yes`,
        ]),
      );
      expect((await testApp.ask('product', { params: { id: product } })).status).toBe(200);
      expect(await testApp.call('myCart', { session: cart })).toEqual(before);

      const done = await remove('product', product, '--yes');
      expect([done.code, done.printed]).toEqual([0, expect.stringContaining(`Removed product ${product}.`)]);
    });

    test('a removed product is gone from its page, lists, search, sitemap and carts at the next request', async () => {
      const name = (await testApp.call('product', { params: { id: product } })).productName;
      const list = async () =>
        (await testApp.call('products', { query: { numberToLoad: 48 } })).products.map(({ id }) => id);
      const count = async () => (await testApp.call('productCount')).count;
      const all = await count();
      expect(await found(name)).toContain(product);
      expect(await sitemap()).toContain(`/product/${product}<`);
      const cart = await shopperWithCart(testApp, mug);
      const { version } = await testApp.call('myCart', { session: cart });

      expect((await remove('product', product, '--yes')).code).toBe(0);
      expect((await testApp.ask('product', { params: { id: product } })).status).toBe(404);
      expect((await testApp.ask('relatedProducts', { params: { productid: product } })).status).toBe(404);
      expect(await found(name)).not.toContain(product);
      expect(await list()).not.toContain(product);
      expect(await count()).toBe(all - 1);
      expect(await sitemap()).not.toContain(`/product/${product}<`);
      const emptied = await testApp.call('myCart', { session: cart });
      expect(emptied.lineItems).toEqual([]);
      expect(emptied.version).toBeGreaterThan(version);
      expect(await testApp.db.read.selectFrom('stock').selectAll().where('sku', '=', mug).execute()).toEqual(
        [],
      );
    });

    test('orders for a removed product stay readable and can be completed, cancelled and paid', async () => {
      const session = await shopperWithCart(testApp, mug);
      const paid = (await pay(testApp, session)).body.orderID;
      const before = await orderOf(session, paid);
      const [kept, cancelled] = [await reservation(ottawa), await reservation(main)];
      expect((await remove('product', product, '--yes')).code).toBe(0);
      expect(await orderOf(session, paid)).toEqual(before);
      await testApp.services.fulfilment.move(kept.number, 'completed');
      await testApp.services.orderRefunds.cancelOrder(cancelled.number, '');
      await testApp.services.orderRefunds.cancelOrder(before.orderNumber ?? '', '');
      expect((await orderOf(kept.session, kept.id)).lineItems).toMatchObject([
        { sku: mug, quantity: 2, unitPrice: 3200 },
      ]);
      expect((await orderOf(cancelled.session, cancelled.id)).state).toBe('cancelled');
    });

    test('an unknown product, and one that was removed before, is a clear error', async () => {
      expect(await remove('product', 'nothing')).toEqual({
        code: 1,
        printed: 'There is no product nothing. It may have been removed already.',
      });
      await remove('product', product, '--yes');
      expect(await remove('product', product, '--yes')).toEqual({
        code: 1,
        printed: `There is no product ${product}. It may have been removed already.`,
      });
    });
  });

  describe('removing a store', () => {
    test('open orders, carts and stock of a store are named, and it goes only with --yes', async () => {
      const { number } = await reservation(ottawa);
      const cart = testApp.shopper();
      await add(testApp, cart, mug);
      await visit(testApp, cart, { localStoreName: ottawa });
      const refused = await remove('store', ottawa);
      expect(refused.code).toBe(1);
      for (const line of [
        `  order ${number} is open at the store`,
        '  1 cart will have to choose another store',
      ])
        expect(refused.printed.split('\n')).toContain(line);
      expect(refused.printed).toMatch(/^ {2}\d+ units in stock at the store will be deleted$/m);
      const ids = async () =>
        (await testApp.call('pickupLocations')).map(({ localStoreName }) => localStoreName);
      expect(await ids()).toContain(ottawa);

      expect((await remove('store', ottawa, '--yes')).code).toBe(0);
      expect(await ids()).not.toContain(ottawa);
      expect(await testApp.call('myCart', { session: cart })).toMatchObject({
        localStoreName: null,
        pickupDate: null,
      });
      expect(
        (await testApp.ask('pickupSlots', { query: { localStoreName: ottawa, date: '2026-05-18' } })).status,
      ).toBe(404);
      expect(
        await testApp.db.read.selectFrom('stock').select('sku').where('location_id', '=', ottawa).execute(),
      ).toEqual([]);
      expect((await remove('store', ottawa, '--yes')).printed).toBe(
        `There is no store ${ottawa}. It may have been removed already.`,
      );
    });

    test('orders of a removed store stay readable with its name and its time zone, and can be handled', async () => {
      const stores = await testApp.services.stores.all();
      await testApp.services.stores.upsert(
        stores.map((store) => (store.id === ottawa ? { ...store, timeZone: 'America/Vancouver' } : store)),
      );
      const [ready, cancelled] = [await reservation(ottawa), await reservation(ottawa)];
      const before = await orderOf(ready.session, ready.id);
      expect((await remove('store', ottawa, '--yes')).code).toBe(0);
      const { unlistedStore, ...after } = await orderOf(ready.session, ready.id);
      expect(after).toEqual(before);
      expect(after.timeZone).toBe('America/Vancouver');
      expect(unlistedStore).toMatchObject({
        localStoreName: ottawa,
        nameContent: { en: expect.stringContaining('ByWard') },
      });
      await testApp.services.fulfilment.move(ready.number, 'ready');
      const [mail] = (await mailsFor(testApp, 'demo@maple-and-clay.example')).filter(({ text }) =>
        text.includes(`${ready.number} is ready for pickup`),
      );
      expect(mail?.text).toContain('ByWard');
      // Units that come back have no store to go to.
      await testApp.services.orderRefunds.cancelOrder(cancelled.number, '');
      expect(
        await testApp.db.read.selectFrom('stock').select('sku').where('location_id', '=', ottawa).execute(),
      ).toEqual([]);
    });

    test('a product whose last units were at the removed store is sold out', async () => {
      await testApp.db.transaction((trx) =>
        trx.deleteFrom('stock').where('sku', 'in', [mug]).where('location_id', '<>', ottawa).execute(),
      );
      const others = await testApp.db.read
        .selectFrom('skus')
        .select('id')
        .where('product_id', '=', product)
        .execute();
      const rest = others.flatMap(({ id }) => (id === mug ? [] : [id]));
      for (const sku of rest)
        for (const { id } of await testApp.services.stores.all())
          await testApp.services.stock.count([{ sku, place: id, units: 0 }]);
      for (const sku of rest) await testApp.services.stock.count([{ sku, place: 'warehouse', units: 0 }]);
      const soldOut = async () =>
        (
          await testApp.db.read
            .selectFrom('products')
            .select('sold_out')
            .where('id', '=', product)
            .executeTakeFirstOrThrow()
        ).sold_out;
      expect(await soldOut()).toBe(0);
      expect((await remove('store', ottawa, '--yes')).code).toBe(0);
      expect(await soldOut()).toBe(1);
    });

    test('the main store cannot be removed', async () => {
      const { code, printed } = await remove('store', main, '--yes');
      expect([code, printed]).toEqual([1, expect.stringContaining(`${main} is the main store.`)]);
      expect((await testApp.services.stores.all()).map(({ id }) => id)).toContain(main);
    });

    test('a removed store can be added again, and its recipients of new orders are forgotten', async () => {
      const [, store] = await testApp.services.stores.all();
      if (!store) throw new Error('The demo shop has one store');
      const addresses = { [store.id]: ['kitchen@shop.example'] };
      await testApp.services.settings.update({ newOrderEmails: { enabled: true, addresses } });
      expect((await remove('store', store.id, '--yes')).code).toBe(0);
      expect((await testApp.services.settings.all()).newOrderEmails).toEqual({
        enabled: true,
        addresses: {},
      });
      expect((await shopCommand(testApp, ['doctor'])).printed).not.toContain('FAIL');
      await testApp.services.stores.upsert([store]);
      expect((await testApp.services.stores.all()).at(-1)).toEqual(store);
      expect(await testApp.services.stores.removed()).toEqual([]);
    });
  });

  describe('removing a brand, category or tag', () => {
    const brandOf = async (id: string) =>
      testApp.db.read
        .selectFrom('products')
        .select(['brand_id', 'category_id'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    const products = async (query: object) =>
      (await testApp.call('products', { query: { numberToLoad: 48, ...query } })).products
        .map(({ id }) => id)
        .sort();

    test('the products of a brand move to the brand that the merchant chooses', async () => {
      const { brand_id: brand } = await brandOf(product);
      await testApp.services.editor.upsertProducts([plainProduct('bowl'), plainProduct('plate')]);
      const [other] = (await testApp.call('brands')).map(({ name }) => name).filter((name) => name !== brand);
      if (!other) throw new Error('The demo shop has one brand');
      await linkedFrom([`/brand/${brand}`]);
      const moving = await products({ brandName: brand });
      const kept = await products({ brandName: other });
      const needs = await remove('brand', brand, '--yes');
      expect([needs.code, needs.printed]).toEqual([
        1,
        expect.stringMatching(/every product needs one\. .* --to <brand>\.$/),
      ]);
      expect((await remove('brand', brand, '--to', brand)).printed).toBe(
        `${brand} is not another brand of the shop.`,
      );

      const refused = await remove('brand', brand, '--to', other);
      expect(refused.printed).toContain(`  ${moving.length} products will move to the brand ${other}\n`);
      expect(refused.printed).toContain('  page guide: block linked links to it\n');
      expect(refused.printed).not.toContain('block plain');
      expect(refused.printed).toContain(`npm run shop -- remove brand ${brand} --to ${other} --yes`);
      expect((await remove('brand', brand, '--to', other, '--yes')).code).toBe(0);
      expect((await testApp.ask('brand', { params: { name: brand } })).status).toBe(404);
      expect(await products({ brandName: other })).toEqual([...kept, ...moving].sort());
      const facets = await testApp.call('productFacets');
      expect(JSON.stringify(facets)).not.toContain(`"${brand}"`);
      expect(await sitemap()).not.toContain(`/brand/${brand}<`);
      expect((await testApp.call('brand', { params: { name: other } })).count).toBe(
        kept.length + moving.length,
      );
    });

    test('the products and subcategories of a category move up to its parent', async () => {
      const tree = await testApp.call('categories', { params: { id: 'primary' } });
      const parent = tree.find(({ children }) => children.length > 0);
      const child = parent?.children[0];
      if (!parent || !child) throw new Error('The demo shop has no subcategories');
      const blocks = [
        {
          id: 'shelf',
          type: 'productList',
          title: { en: 'Shelf' },
          uiAttribute: { collectiontype: 'category', collectionname: child.id, number: 4, sortby: 'default' },
        },
      ];
      await testApp.services.content.upsertPages([
        { name: 'shelf', title: { en: 'Shelf' }, metaDescription: { en: '' }, blocks },
      ]);
      const moving = await products({ categoryName: child.id });
      const inParent = await products({ categoryName: parent.id });
      const refused = await remove('category', child.id);
      expect(refused.printed).toContain(
        `  ${moving.length} products will move to the category ${parent.id}\n`,
      );
      expect(refused.printed).toContain('  page shelf: block shelf lists its products\n');
      expect((await remove('category', child.id, '--yes')).code).toBe(0);
      expect((await testApp.ask('category', { params: { name: child.id } })).status).toBe(404);
      expect(await products({ categoryName: parent.id })).toEqual(inParent);
      expect((await brandOf(moving[0] ?? '')).category_id).toBe(parent.id);
      expect((await testApp.call('pageContent', { query: { pageName: 'shelf' } })).blocks).toMatchObject([
        { products: [] },
      ]);

      const top = await remove('category', parent.id, '--yes');
      expect([top.code, top.printed]).toEqual([
        1,
        expect.stringContaining('Choose another one for them. Add --to <category>.'),
      ]);
      const heir = tree.find(({ id }) => id !== parent.id)?.id ?? '';
      expect((await remove('category', parent.id, '--to', heir, '--yes')).code).toBe(0);
      const rest = parent.children.map(({ id }) => id).filter((id) => id !== child.id);
      const now = await testApp.call('categories', { params: { id: 'primary' } });
      expect(now.map(({ id }) => id)).toEqual(expect.arrayContaining(rest));
      expect((await shopCommand(testApp, ['doctor'])).printed).not.toContain('FAIL  Integrity');
    });

    test('products lose a removed tag and stay on sale', async () => {
      const row = await testApp.db.read.selectFrom('product_tags').select('tag_id').executeTakeFirstOrThrow();
      const tag = row.tag_id;
      const [first = ''] = (await testApp.call('productsByTag', { params: { tagName: tag } })).products.map(
        ({ id }) => id,
      );
      const refused = await remove('tag', tag);
      expect(refused.printed).toMatch(/^ {2}\d+ products? will lose the tag$/m);
      expect((await remove('tag', tag, '--yes')).code).toBe(0);
      expect((await testApp.ask('tag', { params: { name: tag } })).status).toBe(404);
      expect(
        (await testApp.call('product', { params: { id: first } })).tags.map(({ name }) => name),
      ).not.toContain(tag);
    });
  });

  describe('removing pages and posts', () => {
    test('a page that nothing refers to is removed at once, and its address answers 404', async () => {
      await linkedFrom([]);
      expect(await remove('page', 'guide')).toEqual({ code: 0, printed: 'Removed page guide.' });
      expect((await testApp.ask('pageContent', { query: { pageName: 'guide' } })).status).toBe(404);
      expect(await sitemap()).not.toContain('/guide<');
      expect((await remove('page', 'guide')).printed).toBe(
        'There is no page guide. It may have been removed already.',
      );
    });

    test('a page that another page links to, and the first page of the shop, need --yes', async () => {
      await linkedFrom(['/zh/care/?a=1#b', 'https://elsewhere.example/care']);
      const blocks: unknown[] = [];
      await testApp.services.content.upsertPages([
        { name: 'care', title: { en: 'Care' }, metaDescription: { en: '' }, blocks },
      ]);
      expect((await remove('page', 'care')).printed).toContain('  page guide: block linked links to it\n');
      expect((await remove('page', 'home')).printed).toContain('  it is the first page of the shop\n');
      expect((await testApp.ask('pageContent', { query: { pageName: 'home' } })).status).toBe(200);
    });

    test('a removed post is gone with its likes, from the blog and from the sitemap', async () => {
      const { link } = await testApp.db.read
        .selectFrom('blog_posts')
        .select('link')
        .where('released', '=', 1)
        .orderBy('link')
        .executeTakeFirstOrThrow();
      await linkedFrom([`/blog/post/${link}`]);
      expect((await remove('post', link)).printed).toContain('  page guide: block linked links to it\n');
      expect(await sitemap()).toContain(`/blog/post/${link}<`);
      expect((await remove('post', link, '--yes')).code).toBe(0);
      expect((await testApp.ask('blogPost', { params: { link } })).status).toBe(404);
      expect(await sitemap()).not.toContain(`/blog/post/${link}<`);
    });
  });
});

test.each([
  [[], "Missing required argument 'kind'. Usage: npm run shop -- remove [options] <kind> <id>"],
  [
    ['voucher', 'X'],
    'Allowed choices are store, brand, category, tag, modifierGroup, coupon, product, page, post, redirect, webhook.',
  ],
  [['product'], "Missing required argument 'id'."],
  [['product', 'a', 'b'], 'Expected 2 arguments but got 3'],
  [['product', 'a', '--to', 'b'], '--to is for brand and category only.'],
  [['product', 'a', '--force'], "Unknown option '--force'"],
])('the removal arguments %j are rejected with a hint how to fix them', async (args, words) => {
  const { code, printed } = await shopCommand(await createTestApp({ engine: 'sqlite' }), ['remove', ...args]);
  expect([code, printed]).toEqual([1, expect.stringContaining(words)]);
});

test('cached pages of removed parts answer 404 at the next request', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true, app: { web: renderFromSources } });
  const [blog] = await testApp.call('blogs');
  const [post = { link: '' }] = (await testApp.call('blogPosts', { params: { storeBlogId: blog?.id ?? '' } }))
    .posts;
  const [product = { id: '' }] = (await testApp.call('products', { query: { numberToLoad: 1 } })).products;
  const { tag_id: tag } = await testApp.db.read
    .selectFrom('product_tags')
    .select('tag_id')
    .executeTakeFirstOrThrow();
  const paths = [
    `/product/${product.id}`,
    `/zh/product/${product.id}`,
    `/blog/post/${post.link}`,
    `/tag/${tag}`,
  ];
  const statuses = async () =>
    Promise.all(paths.map(async (path) => (await testApp.app.inject(path)).statusCode));
  // Twice, so that the second answers come from the cache.
  expect([await statuses(), await statuses()]).toEqual([
    [200, 200, 200, 200],
    [200, 200, 200, 200],
  ]);
  for (const words of [
    ['product', product.id],
    ['post', post.link],
    ['tag', tag],
  ])
    expect((await shopCommand(testApp, ['remove', ...words, '--yes'])).code).toBe(0);
  expect(await statuses()).toEqual([404, 404, 404, 404]);
});
