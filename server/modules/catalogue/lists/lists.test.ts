import { beforeAll, describe, expect, it } from 'vitest';
import products from '#demo/data/products.json' with { type: 'json' };
import { plainValue, sellMugInColours, sellProduct } from '#tests/products.ts';
import { createTestApp, onBothEngines } from '#tests/test-app.ts';

/** The file's types distinguish empty lists of tags from others. */
const hasTag = (product: { tags: readonly string[] }, tag: string) => product.tags.includes(tag);
const byId = new Map(products.map((product) => [product.slug, product]));
const reduced = products.filter(
  (product) => product.compareAtCents !== null && product.compareAtCents > product.priceCents,
);

onBothEngines((engine) => {
  describe('product lists', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    const ids = async (query: Record<string, unknown>, lang: 'en' | 'zh' = 'en') => {
      const { products: page } = await testApp.call('products', { query, lang });
      return page.map((product) => product.id);
    };

    it('a product list comes twelve at a time, page after page, every product once', async () => {
      const seen: string[] = [];
      for (let position = 0; ; position += 12) {
        const page = await ids({ startingPosition: position });
        if (page.length === 0) break;
        expect(page.length).toBeLessThanOrEqual(12);
        seen.push(...page);
      }
      expect(seen.toSorted()).toEqual(products.map((product) => product.slug).toSorted());
      expect(await testApp.call('productCount', {})).toEqual({ count: products.length });
    });

    // Once a filtered list has been counted, its far half is scanned from the end.
    it.each(['default', 'price', 'name'] as const)(
      'a narrowed list has the same pages by %s before and after it was counted',
      async (sortby) => {
        const filter = {
          categoryName: 'teaware',
          clearance: false,
          onSale: sortby !== 'name',
          newArrival: sortby === 'name',
        };
        const whole = await ids({ ...filter, sortby, numberToLoad: 48 });
        expect(whole.length).toBeGreaterThan(3);
        // The URLs differ; otherwise the second responses would be cached copies of the first.
        const pages = async (infiniteLoad: boolean) => {
          const found: string[][] = [];
          for (let position = 0; position <= whole.length + 2; position += 2)
            found.push(
              await ids(
                { ...filter, sortby, startingPosition: position, numberToLoad: 2, infiniteLoad },
                'zh',
              ),
            );
          return found;
        };
        const before = await pages(false);
        expect(await testApp.call('productCount', { query: filter })).toEqual({ count: whole.length });
        expect(await pages(true)).toEqual(before);
        expect(before.flat().toSorted()).toEqual(whole.toSorted());
      },
    );

    it('the default order is in stock first, new arrivals before others, then the newest', async () => {
      const all = await testApp.call('products', { query: { numberToLoad: 48 } });
      const rank = ({ id, inventory, newArrival }: (typeof all.products)[number]) =>
        [
          inventory.quantity === 0 ? 1 : 0,
          newArrival ? 0 : 1,
          -Date.parse(byId.get(id)?.createdAt ?? ''),
        ] as const;
      const ranks = all.products.map(rank);
      const sorted = ranks.toSorted((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
      expect(ranks).toEqual(sorted);
    });

    it('a product list is sorted by price, and by name as each language does', async () => {
      const price = (
        await testApp.call('products', { query: { sortby: 'price', numberToLoad: 48 } })
      ).products.map((p) => p.priceInfo.price);
      expect(price).toEqual(price.toSorted((a, b) => a - b));
      for (const [lang, tag] of [
        ['en', 'en-CA'],
        ['zh', 'zh-CN'],
      ] as const) {
        const names = (
          await testApp.call('products', { query: { sortby: 'name', numberToLoad: 48 }, lang })
        ).products.map((p) => p.productName);
        expect(names).toEqual(names.toSorted(new Intl.Collator(tag).compare));
      }
      expect((await ids({ sortby: 'name', numberToLoad: 1 }, 'zh'))[0]).toBe('porcelain-gaiwan');
    });

    it('a product list is narrowed by category with its subcategories, brand, tag, reduced price, and all together', async () => {
      const expectSet = async (
        query: Record<string, unknown>,
        wanted: (product: (typeof products)[number]) => boolean,
      ) => {
        const slugs = products.filter(wanted).map((product) => product.slug);
        expect((await ids({ ...query, numberToLoad: 48 })).toSorted()).toEqual(slugs.toSorted());
        expect(await testApp.call('productCount', { query })).toEqual({ count: slugs.length });
      };
      const teaware = ['teapots', 'cups-and-mugs', 'gaiwans', 'pitchers-and-strainers', 'trays-and-tools'];
      await expectSet({ categoryName: 'teaware' }, (p) => teaware.includes(p.category));
      await expectSet({ categoryName: 'teapots' }, (p) => p.category === 'teapots');
      await expectSet({ brandName: 'kiln-no-9' }, (p) => p.brand === 'kiln-no-9');
      await expectSet({ tagName: 'gift' }, (p) => hasTag(p, 'gift'));
      await expectSet({ onSale: true }, (p) => reduced.includes(p));
      await expectSet({ clearance: true }, (p) => p.clearance);
      await expectSet({ newArrival: true }, (p) => p.newArrival);
      await expectSet(
        { categoryName: 'teaware', brandName: 'kiln-no-9' },
        (p) => teaware.includes(p.category) && p.brand === 'kiln-no-9',
      );
      await expectSet({ tagName: 'gift', onSale: true }, (p) => hasTag(p, 'gift') && reduced.includes(p));
      await expectSet(
        { categoryName: 'teaware', tagName: 'handmade', brandName: 'maple-and-clay' },
        (p) => teaware.includes(p.category) && hasTag(p, 'handmade') && p.brand === 'maple-and-clay',
      );
      await expectSet({ brandName: 'kiln-no-9', clearance: true, newArrival: true }, () => false);
    });

    it('a product list counts its products by brand and category', async () => {
      const all = await testApp.call('productFacets', {});
      expect(all.count).toBe(products.length);
      expect(all.brands.reduce((sum, brand) => sum + brand.count, 0)).toBe(products.length);

      const teaware = await testApp.call('productFacets', {
        query: { categoryName: 'teaware', brandName: 'kiln-no-9' },
      });
      expect(teaware.count).toBe(
        (await ids({ categoryName: 'teaware', brandName: 'kiln-no-9', numberToLoad: 48 })).length,
      );
      // The facets offer other brands of the category and other categories of the brand.
      for (const { name, count } of teaware.brands)
        expect(
          await testApp.call('productCount', { query: { categoryName: 'teaware', brandName: name } }),
        ).toEqual({ count });
      for (const { name, count } of teaware.categories)
        expect(
          await testApp.call('productCount', { query: { categoryName: name, brandName: 'kiln-no-9' } }),
        ).toEqual({ count });

      const search = await testApp.call('productFacets', { query: { nameLike: 'teapot' } });
      expect(search.count).toBe(
        (await testApp.call('productSearchCount', { params: { nameLike: 'teapot' } })).count,
      );
      expect(search.brands.reduce((sum, brand) => sum + brand.count, 0)).toBe(search.count);
      expect(search.categories.find((category) => category.name === 'teaware')?.count).toBeGreaterThanOrEqual(
        5,
      );
    });

    it('a reduced product has the badge SALE, and a clearance product CLEARANCE', async () => {
      const sale = await testApp.call('productsOnSale', { query: { numberToLoad: 48 } });
      expect(sale.products.map((p) => p.id).toSorted()).toEqual(reduced.map((p) => p.slug).toSorted());
      for (const product of sale.products)
        expect(product.badges).toEqual([byId.get(product.id)?.clearance ? 'CLEARANCE' : 'SALE']);
      const [full] = (await testApp.call('products', { query: { tagName: 'handmade' } })).products.filter(
        (p) => p.priceInfo.listPrice === null,
      );
      expect(full?.badges).toEqual([]);
    });

    it('the calls for tags and conditions give the same lists', async () => {
      const gifts = await ids({ tagName: 'gift' });
      expect(
        (await testApp.call('taggedProducts', { params: { tagid: 'gift' } })).products.map((p) => p.id),
      ).toEqual(gifts);
      expect(
        (await testApp.call('productsByTag', { params: { tagName: 'gift' } })).products.map((p) => p.id),
      ).toEqual(gifts);
      expect(
        (await testApp.call('productsByConditions', { body: { tagName: 'gift' } })).products.map((p) => p.id),
      ).toEqual(gifts);
    });

    it('an unknown category, brand or tag answers 404', async () => {
      for (const query of [{ categoryName: 'nothing' }, { brandName: 'nothing' }, { tagName: 'nothing' }]) {
        expect((await testApp.ask('products', { query })).status).toBe(404);
        expect((await testApp.ask('productCount', { query })).status).toBe(404);
      }
      expect((await testApp.ask('taggedProducts', { params: { tagid: 'nothing' } })).status).toBe(404);
      expect((await testApp.ask('category', { params: { name: 'nothing' } })).status).toBe(404);
      expect((await testApp.ask('brand', { params: { name: 'nothing' } })).status).toBe(404);
      expect((await testApp.ask('tag', { params: { name: 'nothing' } })).status).toBe(404);
      expect((await testApp.ask('categories', { params: { id: 'nothing' } })).status).toBe(404);
    });
  });

  describe('the catalogue', async () => {
    const testApp = await createTestApp({ engine, demo: true });

    it('the catalogue has a tree of categories with counts', async () => {
      const top = await testApp.call('categories', { params: { id: 'primary' }, lang: 'zh' });
      expect(top.map((category) => category.categoryName)).toEqual([
        'teaware',
        'tea',
        'tableware',
        'home',
        'tea-bar',
      ]);
      const [teaware] = top;
      expect(teaware?.categoryNameContent.zh).toBe('茶具');
      expect(teaware?.count).toBe(teaware?.children.reduce((sum, child) => sum + child.count, 0));
      expect(
        (await testApp.call('categories', { params: { id: 'teaware' } })).map((category) => category.id),
      ).toEqual(teaware?.children.map((child) => child.id));
      const teapots = await testApp.call('category', { params: { name: 'teapots' } });
      expect(teapots.parent).toEqual({
        categoryName: 'teaware',
        categoryNameContent: { en: 'Teaware', zh: '茶具' },
        parent: null,
      });
    });

    it('related products are those a product names, then those of its category, never itself', async () => {
      const { products: related } = await testApp.call('relatedProducts', {
        params: { productid: 'celadon-teapot' },
      });
      const ids = related.map((product) => product.id);
      expect(ids.slice(0, 4).toSorted()).toEqual([
        'clay-strainer',
        'dragon-well',
        'glass-pitcher',
        'tasting-cups',
      ]);
      expect(ids).not.toContain('celadon-teapot');
      expect(new Set(ids).size).toBe(ids.length);
      expect((await testApp.ask('relatedProducts', { params: { productid: 'nothing' } })).status).toBe(404);
      expect((await testApp.ask('product', { params: { id: 'nothing' } })).status).toBe(404);
    });
  });

  describe('the product call', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    beforeAll(() => sellMugInColours(testApp, { category: 'cups-and-mugs' }));

    it('the product call gives options, SKUs with their prices, its categories and its images', async () => {
      const mug = await testApp.call('product', { params: { id: 'mug' } });
      expect(mug.category.categoryName).toBe('cups-and-mugs');
      expect(mug.category.parent?.categoryName).toBe('teaware');
      expect(mug.priceInfo).toEqual({ price: 3200, listPrice: null, currency: 'CAD', from: true });
      expect(mug.skus.find((sku) => sku.optionPairs === '#Colour:Rose')).toMatchObject({
        sku: 'MUG-ROSE',
        priceInfo: { price: 3400 },
      });
      const [colour] = mug.specification.options;
      expect(colour?.values.map((value) => value.value)).toEqual(['Oat', 'Sea', 'Rose']);
      // Images with the same content are one image.
      const urls = mug.mediaInfo.imageInfos.map((image) => image.imageURL);
      expect(new Set(urls).size).toBe(urls.length);
      expect(urls).toContain(colour?.values[1]?.image?.imageURL);
      expect(mug.mediaInfo.imageInfos.map(({ alt }) => alt)).toContain('Mug, Oat');
      expect(mug.inventory.quantity).toBeGreaterThan(0);
    });

    it('an option may override the base price', async () => {
      await sellProduct(testApp, 'TEA', {
        priceCents: 1500,
        options: [
          {
            name: { en: 'Weight', zh: '净含量' },
            values: [plainValue('50 g'), plainValue('100 g', { overridePriceCents: 2700 })],
          },
        ],
        skus: ['50 g', '100 g'].map((weight) => ({
          sku: `TEA-${parseInt(weight, 10)}`,
          options: { Weight: weight },
          stock: {},
        })),
        details: { materials: { en: 'Black tea', zh: '红茶' } },
      });
      const tea = await testApp.call('product', { params: { id: 'tea' }, lang: 'zh' });
      expect(tea.skus.map(({ sku, priceInfo }) => [sku, priceInfo.price])).toEqual([
        ['TEA-50', 1500],
        ['TEA-100', 2700],
      ]);
      expect(tea.specification.options[0]?.nameContent.zh).toBe('净含量');
      expect(tea.specification.attributes.map((attribute) => attribute.name)).toContain('材质');
    });
  });
});
