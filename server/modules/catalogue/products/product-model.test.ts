/** What products of other shops have: statuses with times, formatted descriptions, sparse options and redirects. */
import { describe, expect, it } from 'vitest';
import type { ProductInput } from '#server/modules/catalogue/products/product-input.ts';
import { plainValue, sellProduct } from '#tests/products.ts';
import { cartWith } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';

const hour = 3_600_000;

forEachEngine((engine) => {
  describe('the product model', () => {
    it('a product is shown between its times, and an archived one is not', async () => {
      const testApp = await createTestApp({ engine });
      const { editor } = testApp.services;
      const now = testApp.clock.now();
      const times = { publishAt: now + hour, unpublishAt: now + 2 * hour };
      await sellProduct(testApp, 'SOON', times);
      await sellProduct(testApp, 'GONE', { status: 'archived' });
      const shown = async () => (await testApp.call('products', { query: {} })).products.map(({ id }) => id);
      const states: string[][] = [];
      for (let step = 0; step < 3; step++) {
        await editor.publishDue();
        states.push(await shown());
        testApp.clock.advance(hour);
      }
      expect(states).toEqual([[], ['soon'], []]);
      const exported = await testApp.services.catalogueExport.productsOf(['soon', 'gone'], new Set());
      expect(exported.get('soon')).toMatchObject({ status: 'active', ...times });
      expect(exported.get('gone')).toMatchObject({ status: 'archived' });
    });

    const [sizes, sku] = [
      (cents: number | null) => [
        { name: { en: 'Size' }, values: [plainValue('S', { overridePriceCents: cents }), plainValue('L')] },
      ],
      (size: string, changes: object = {}) => ({
        sku: `GIFT-${size}`,
        options: { Size: size },
        stock: {},
        ...changes,
      }),
    ];
    it.each<[string, boolean, Partial<ProductInput>]>([
      ['no price', false, { priceCents: 0 }],
      ['a price that its option takes away', false, { priceCents: 500, options: sizes(0), skus: [sku('S')] }],
      [
        'a price for one SKU of two',
        false,
        { priceCents: 0, options: sizes(null), skus: [sku('S', { priceCents: 900 }), sku('L')] },
      ],
      ['a price by its option', true, { priceCents: 0, options: sizes(700), skus: [sku('S')] }],
      [
        '0 as the price of its SKU',
        true,
        { priceCents: 0, options: sizes(null), skus: [sku('S', { priceCents: 0 })] },
      ],
    ])('a product with %s is for sale: %s', async (_, isForSale, changes) => {
      const testApp = await createTestApp({ engine });
      await sellProduct(testApp, 'GIFT', { publishAt: 0, ...changes });
      await testApp.services.editor.publishDue();
      expect((await testApp.ask('product', { params: { id: 'gift' } })).status).toBe(isForSale ? 200 : 404);
      expect((await testApp.call('products', { query: {} })).products.map(({ id }) => id)).toEqual(
        isForSale ? ['gift'] : [],
      );
    });

    it('a formatted description is sanitised, stands in place of the paragraphs, and is found', async () => {
      const testApp = await createTestApp({ engine });
      await sellProduct(testApp, 'TEXT', {
        description: { en: ['Plain'] },
        descriptionHtml: {
          en: '<p onclick="x()">Holds <b>oolong</b></p><script>alert(1)</script><ul><li>Blue</li></ul>',
        },
        seoTitle: { en: 'Cups to buy' },
        seoDescription: { en: 'For engines' },
      });
      const product = await testApp.call('product', { params: { id: 'text' } });
      expect(product).toMatchObject({
        descriptionHtml: '<p>Holds <b>oolong</b></p><ul><li>Blue</li></ul>',
        description: ['Holds oolong', 'Blue'],
        seoTitle: 'Cups to buy',
        seoDescription: 'For engines',
      });
      const { products } = await testApp.call('productSearch', { params: { nameLike: 'oolong' } });
      expect(products.map(({ id }) => id)).toEqual(['text']);
    });

    it('combinations that do not exist are not available, and 2,048 SKUs are kept', async () => {
      const testApp = await createTestApp({ engine });
      const { checkoutConfig } = await testApp.services.settings.all();
      await testApp.services.settings.update({
        checkoutConfig: { ...checkoutConfig, domesticShippingEnabled: true },
      });
      const names = Array.from({ length: 2048 }, (_, index) => `No. ${index} / ${'x'.repeat(100)}`);
      await sellProduct(testApp, 'WIDE', {
        options: [
          { name: { en: 'Model' }, values: names.map((name) => plainValue(name, { skuSuffix: '' })) },
          { name: { en: 'Lid' }, values: [plainValue('Yes'), plainValue('No')] },
        ],
        skus: names.map((name, index) => ({
          sku: `W ${index}`,
          options: { Model: name, Lid: 'Yes' },
          stock: {},
        })),
      });
      const ask = (lid: string) =>
        testApp.call('inventory', {
          params: { productID: 'wide' },
          query: { optionPair: `#Model:${names[2047]}#Lid:${lid}` },
        });
      expect(await ask('Yes')).toMatchObject({ sku: 'W 2047', status: 'OutOfStock' });
      expect(await ask('No')).toMatchObject({ sku: null, status: 'NotAvailable' });
    });

    it('a product with another address keeps SKUs, stock and carts, and the old address leads to it', async () => {
      const testApp = await createTestApp({ engine });
      const { changes, redirects } = testApp.container;
      const { checkoutConfig } = await testApp.services.settings.all();
      await testApp.services.settings.update({
        checkoutConfig: { ...checkoutConfig, domesticShippingEnabled: true },
      });
      await sellProduct(testApp, 'OLD', { related: ['old'] });
      const session = await cartWith(testApp, 'OLD');
      const { catalogueExport, editor } = testApp.services;
      await changes.run({ kind: 'terminal' }, 'products move', (change) =>
        testApp.container.editor.changeAddress(change, { from: 'old', to: 'new' }),
      );
      const found = await catalogueExport.productsOf(['old', 'new'], new Set(['warehouse']));
      expect([...found.values()]).toMatchObject([
        { id: 'new', skus: [{ sku: 'OLD', stock: { warehouse: 20 } }] },
      ]);
      expect((await testApp.call('myCart', { session })).lineItems).toMatchObject([
        { sku: 'OLD', product: 'new' },
      ]);
      expect(await redirects.of('/product/old')).toBe('/product/new');
      expect(await testApp.container.stock.differences()).toEqual([]);
      await editor.upsertProducts([...found.values()]);
    });

    it('redirects lead on in one step, never in a circle, and back when an address is used again', async () => {
      const testApp = await createTestApp({ engine });
      const { redirects, changes } = testApp.container;
      const put = (from: string, to: string) =>
        changes.run({ kind: 'terminal' }, 'test', (change) => redirects.put(change, [{ from, to }]));
      await put('/product/a', '/product/b');
      await put('/product/b', '/product/c?Colour=Sea');
      expect(await redirects.of('/product/a')).toBe('/product/c?Colour=Sea');
      expect(await redirects.of('/zh/Product/A/?utm=1')).toBe('/zh/product/c?Colour=Sea');
      await put('/product/c', '/product/b');
      expect(await redirects.of('/product/c?utm=1')).toBe('/product/b?utm=1');
      expect(await redirects.of('/product/b')).toBeNull();
      await put('/product/c', '/product/d');
      await put('/product/d', '/product/c');
      const all = await redirects.all();
      const from = new Set(all.map((each) => each.from));
      expect(all.filter(({ to }) => from.has(to))).toEqual([]);
    });
  });
});
