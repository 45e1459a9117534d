/** `fill` with the file of docs/how-to/fill-a-shop.md, and with invalid files. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { reserve, shopperWithCart, visit } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'shopwright-fill-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const how = readFileSync(join(import.meta.dirname, '../docs/how-to/fill-a-shop.md'), 'utf8');
const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(how)?.[1] ?? '');

/** The product of the example, with its first SKU changed. */
function withSku(change: object): object {
  const [product] = example.products;
  const [first, ...others] = product.skus;
  return { ...product, skus: [{ ...first, ...change }, ...others] };
}

function fill(
  testApp: TestApp,
  content: unknown,
  ...options: string[]
): Promise<{ code: number; printed: string }> {
  const path = join(folder, 'shop.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return shopCommand(testApp, ['fill', ...options, path]);
}

forEachEngine((engine) => {
  describe('filling a shop from a file', () => {
    test('an empty shop is filled by the file in the documentation, and filling it again changes nothing', async () => {
      const testApp = await createTestApp({ engine });
      const picture = { width: 900, height: 900, channels: 3, background: '#d9c7a3' } as const;
      writeFileSync(join(folder, 'river-mug.jpg'), await sharp({ create: picture }).jpeg().toBuffer());
      const first = await fill(testApp, example);
      expect(first).toEqual({
        code: 0,
        printed: [
          'changed: setting shopName: en "Shop" → "River Cups", zh "商店" → "河畔杯铺"',
          'changed: setting contactEmail: "" → "hello@shop.example"',
          'changed: setting orderNumberPrefix: "SW" → "RC"',
          'changed: setting taxRates: [] → 2 entries',
          'changed: setting shippingMethods: [] → 1 entry',
          'changed: setting checkoutConfig: enablePickup false → true, domesticShippingEnabled false → true',
          'changed: setting paymentConfig: payAtStoreEnabled false → true, paymentOnline false → true',
          'new: store main-street',
          'new: brand north-kiln',
          'new: category cups, mugs',
          'new: tag stoneware',
          'new: product river-mug',
          'new: page home',
          'changed: stock of RM-INK at warehouse: none → 9',
          'Imported 9 settings: 7 changed, 2 unchanged.',
          'Imported 1 store: 1 new.',
          'Imported 1 brand: 1 new.',
          'Imported 2 categories: 2 new.',
          'Imported 1 tag: 1 new.',
          'Imported 1 product: 1 new.',
          'Imported 1 stock level: 1 changed.',
          'Imported 1 page: 1 new.',
        ].join('\n'),
      });
      const page = await testApp.call('pageContent', { query: { pageName: 'home' }, lang: 'zh' });
      expect(page.blocks).toMatchObject([
        { type: 'text', title: '河畔的杯子' },
        {
          type: 'productList',
          uiAttribute: { numberPerRow: 4, numberPerMobileRow: 2 },
          products: [{ id: 'river-mug' }],
        },
      ]);
      const product = await testApp.call('product', { params: { id: 'river-mug' } });
      expect(product).toMatchObject({ productName: 'River Mug', priceInfo: { price: 3200 } });
      expect(product.mediaInfo.imageInfos).toMatchObject([{ width: 900, height: 900 }]);
      const units = (sku: string) =>
        testApp.db.read
          .selectFrom('stock')
          .select(['location_id', 'quantity'])
          .where('sku', '=', sku)
          .orderBy('location_id')
          .execute();
      expect(await units('RM-SAND')).toEqual([
        { location_id: 'main-street', quantity: 3 },
        { location_id: 'warehouse', quantity: 12 },
      ]);
      expect(await units('RM-INK')).toEqual([{ location_id: 'warehouse', quantity: 9 }]);

      // The new shop can sell at once.
      const session = await shopperWithCart(testApp, 'RM-SAND');
      expect((await testApp.call('myCart', { session })).bill).toMatchObject({
        subtotal: 3200,
        shipping: 1200,
        tax: 572,
        final: true,
      });
      await visit(testApp, session, { localStoreName: 'main-street' });
      const reserved = await reserve(testApp, session);
      expect(
        (await testApp.call('order', { session, params: { id: reserved.body.orderID } })).orderNumber,
      ).toBe('RC-2026-000001');

      await testApp.services.stock.count([{ sku: 'RM-SAND', place: 'warehouse', units: 5 }]);
      const dates = () => testApp.services.editor.datesOf(['river-mug']);
      const before = await dates();
      expect((await fill(testApp, example)).code).toBe(0);
      expect(await dates()).toEqual(before);
      expect((await units('RM-SAND'))[1]).toEqual({ location_id: 'warehouse', quantity: 5 });
      expect(await testApp.call('products', { query: { categoryName: 'cups' } })).toMatchObject({
        products: [{ id: 'river-mug' }],
      });
    });

    test('an import of what the shop has says that nothing changes, also for every part of an export', async () => {
      const testApp = await createTestApp({ engine, demo: true });
      const { shop } = await testApp.container.exports.shopFiles.whole();
      const { code, printed } = await fill(testApp, shop);
      expect(code).toBe(0);
      expect(printed).not.toMatch(/new|\bchanged/);
      expect(printed).toMatch(/^Imported 71 products: 71 unchanged\.$/m);
      expect(printed).toMatch(/^Imported \d+ photos: \d+ unchanged\.$/m);
      const [first, ...others] = shop.gallery;
      expect((await fill(testApp, { gallery: others }, '--check')).printed).toContain(
        `removed: photo ${first?.id}\n`,
      );
    });

    test('an import names what it changes, before and after, and --check names the same and writes nothing', async () => {
      const testApp = await createTestApp({ engine });
      await fill(testApp, example);
      const [product] = example.products;
      const cup = {
        ...product,
        id: 'lake-cup',
        skus: [{ sku: 'LC', options: {}, stock: { warehouse: 3 } }],
        options: [],
      };
      const cheap = {
        ...withSku({ stock: { warehouse: 99 } }),
        priceCents: 18,
        name: { ...product.name, en: 'Lake Mug' },
      };
      const content = { products: [cheap, cup], tags: example.tags, stock: { 'RM-INK': { warehouse: 4 } } };
      const plan = [
        'new: product lake-cup',
        'changed: product river-mug: name.en "River Mug" → "Lake Mug", priceCents 3200 → 18',
        'changed: stock of RM-INK at warehouse: 9 → 4',
        'unchanged: stock of RM-SAND at warehouse stays 12; the product\'s entry says 99. To set it, write it into the part "stock": { "RM-SAND": { "warehouse": 99 } }',
      ];
      const checked = await fill(testApp, content, '--check');
      expect(checked.printed.split('\n').slice(0, -1)).toEqual(plan);
      expect((await testApp.call('product', { params: { id: 'river-mug' } })).priceInfo.price).toBe(3200);
      expect((await fill(testApp, content)).printed.split('\n')).toEqual([
        ...plan,
        'Imported 1 tag: 1 unchanged.',
        'Imported 2 products: 1 new, 1 changed.',
        'Imported 1 stock level: 1 changed.',
      ]);
      expect((await testApp.call('product', { params: { id: 'river-mug' } })).priceInfo.price).toBe(18);
      expect((await fill(testApp, content)).printed).toContain('Imported 2 products: 2 unchanged.');
    });

    test('a file adds and edits coupons, keeps their uses, and names what is wrong with one', async () => {
      const testApp = await createTestApp({ engine });
      await fill(testApp, example);
      const coupon = {
        id: 'Mugs15',
        name: { en: '15% off mugs' },
        kind: 'percent',
        percent: 15_000,
        products: ['river-mug'],
      };
      const find = async () => (await testApp.container.coupons.find(testApp.db.read, 'Mugs15'))?.coupon;
      expect((await fill(testApp, { coupons: [coupon] })).printed).toContain('Imported 1 coupon: 1 new.');
      expect(await find()).toMatchObject({
        code: 'Mugs15',
        percent: 15_000,
        products: ['river-mug'],
        endsAt: null,
      });
      await testApp.db.transaction((trx) => trx.updateTable('coupons').set({ used: 3 }).execute());
      expect((await fill(testApp, { coupons: [{ ...coupon, id: 'MUGS15' }] })).printed).toContain(
        '1 unchanged',
      );
      const edited = { ...coupon, percent: 20_000, endsAt: '2037-01-01T00:00-05:00', totalLimit: 3 };
      expect((await fill(testApp, { coupons: [edited] })).printed).toContain(
        'changed: coupon MUGS15: percent 15000 → 20000, totalLimit null → 3, endsAt null → "2037-01-01T05:00:00Z"',
      );
      expect((await find())?.endsAt).toBe(Date.UTC(2037, 0, 1, 5));
      const wrong = [
        { ...coupon, products: ['no-such-mug'], endsAt: 'soon', totalLimit: 2 },
        { ...coupon, id: 'None', percent: 0, countries: ['XX'] },
        { ...coupon, id: 'NOTHING', percent: 0 },
      ];
      const { code, printed } = await fill(testApp, { coupons: wrong });
      expect([code, (await find())?.percent]).toEqual([1, 20_000]);
      for (const place of [
        'Mugs15/products',
        'Mugs15/endsAt',
        'Mugs15/totalLimit',
        'None/countries',
        'NOTHING/percent',
      ])
        expect(printed).toContain(`coupons/${place}`);
    });

    test.runIf(engine === 'sqlite').each([
      ['', 'Could not read'],
      ['[]', 'the file must be an object, found []'],
      ['{"goods":[]}', '/goods is an unknown field, allowed: $schema, settings, brands'],
      [
        { products: [{ ...example.products[0], priceCents: 12.5 }] },
        'product river-mug: /priceCents must be a whole number, found 12.5',
      ],
      [
        { pages: [{ ...example.pages[0], name: 'cart' }] },
        'page cart: /name is an address of the shop itself',
      ],
      [
        { stores: [{ ...example.stores[0], timeZone: 'Guelph' }] },
        'store main-street: /timeZone must be an IANA time zone such as "America/Toronto", found "Guelph"',
      ],
      [{ products: [{ ...example.products[0], brand: 'nobody' }] }, 'nobody'],
      [{ categories: [{ id: 'mugs', parent: 'nothing', name: { en: 'Mugs' } }] }, 'nothing'],
      [
        { products: [{ ...example.products[0], compareAtCent: 1 }] },
        'product river-mug: /compareAtCent is an unknown field. Did you mean compareAtCents?',
      ],
      [
        { products: [example.products[0], { ...example.products[0], id: 'lake-mug' }] },
        'product lake-mug: /skus/RM-SAND is a SKU of river-mug, too',
      ],
      [
        { products: [withSku({ colour: 'red' })] },
        'product river-mug: /skus/RM-SAND/colour is an unknown field, allowed: sku, options, gtin, priceCents, compareAtCents, costCents, weightGrams, image, counted, oversell, singleServings, stock',
      ],
      [
        { products: [{ ...example.products[0], name: { en: 'Mug', zn: '杯' } }] },
        'product river-mug: /name/zn is an unknown field, allowed: en, zh',
      ],
      [
        { products: [withSku({ stock: { 'main-stret': 3 } })] },
        'product river-mug: /skus/RM-SAND/stock/main-stret must be a location of the shop, allowed: warehouse, main-street',
      ],
      [{ products: [withSku({ sku: 'RM-INK' })] }, 'river-mug: /skus/RM-INK is given twice'],
      [
        { stores: [{ ...example.stores[0], specialHours: [{ date: '2026-02-30', hours: null }] }] },
        'store main-street: /specialHours/0/date must be a date that exists, found "2026-02-30"',
      ],
      [
        { gallery: [{ id: 'a', image: 'a.jpg', takenAt: '2026-13-01' }] },
        'photo a: /takenAt must be a time in ISO 8601',
      ],
      [{ settings: { currncy: 'EUR' } }, 'Setting currncy is an unknown field. Did you mean currency?'],
      [
        { settings: { taxRates: [{ ...example.settings.taxRates[1], pstPercent: 9.97512 }] } },
        'at most three decimals',
      ],
      [{ stock: { 'RM-SAND': { warehouse: 1 } } }, 'stock of RM-SAND is of an unknown SKU'],
    ])('an invalid shop file changes nothing and its problem is named (%#)', async (content, problem) => {
      const testApp = await createTestApp({ engine });
      const { brands, categories, tags, stores } = example;
      await fill(testApp, { brands, categories, tags, stores });
      const all = async () =>
        Promise.all(
          (['products', 'stock', 'categories', 'pages', 'settings', 'gallery_photos', 'stores'] as const).map(
            (table) => testApp.db.read.selectFrom(table).selectAll().execute(),
          ),
        );
      const before = await all();
      const { code, printed } = await fill(testApp, content);
      expect(code).toBe(1);
      expect(printed).toContain(problem);
      expect(await all()).toEqual(before);
    });
  });

  test('an import with missing images or blocks that cannot be shown names them and writes nothing', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    const { code, printed } = await fill(testApp, {
      tags: [{ id: 'river', name: { en: 'River' } }],
      brands: [{ id: 'lost', name: { en: 'Lost' }, image: 'lost.jpg' }],
      pages: [
        {
          name: 'river',
          title: { en: 'River' },
          blocks: [
            { id: 'old', type: 'marquee' },
            { id: 'words', type: 'text', title: null, paragraphs: [], items: [], colour: 'red' },
          ],
        },
      ],
    });
    expect(code).toBe(1);
    expect(printed.split('\n')).toEqual([
      'Nothing was imported:',
      expect.stringMatching(
        /^ {2}page river: \/blocks\/old cannot be shown: it is of an unknown type, found "marquee", allowed: accordion, blog, /,
      ),
      expect.stringMatching(/^ {2}page river: \/blocks\/words\/colour is an unknown field/),
      `  brand lost names image lost.jpg, which is neither in ${folder} nor in the shop`,
    ]);
    expect((await testApp.ask('pageContent', { query: { pageName: 'river' } })).status).toBe(404);
    expect((await testApp.services.editor.ids()).brands.has('lost')).toBe(false);
    expect(
      (await testApp.call('pageContent', { query: { pageName: 'home' } })).blocks.length,
    ).toBeGreaterThan(3);
  });
});
