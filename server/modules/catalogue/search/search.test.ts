import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainProduct } from '#tests/products.ts';
import { createTestApp, onBothEngines } from '#tests/test-app.ts';
import { createQueryPlanner } from './plan-query.ts';

onBothEngines((engine) => {
  describe('search in the demo shop', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    const find = async (nameLike: string, query: Record<string, unknown> = {}, lang: 'en' | 'zh' = 'en') => {
      const { products, correctedTo, partial } = await testApp.call('productSearch', {
        params: { nameLike },
        query,
        lang,
      });
      return { ids: products.map((product) => product.id), correctedTo, partial };
    };
    const count = async (nameLike: string) =>
      (await testApp.call('productSearchCount', { params: { nameLike } })).count;

    it('a search finds words of the name, singular or plural, in any case', async () => {
      for (const text of ['speckled mug', 'Speckled MUGS', 'mug speckled'])
        expect((await find(text)).ids[0]).toBe('speckled-mug');
      expect((await find('gaiwan')).ids.slice(0, 3).toSorted()).toEqual([
        'ash-gaiwan',
        'blue-stripe-gaiwan',
        'porcelain-gaiwan',
      ]);
    });

    it('a search finds amounts with and without a space', async () => {
      for (const [together, apart] of [
        ['100g', '100 g'],
        ['350ml', '350 ml'],
      ] as const) {
        const { ids } = await find(apart);
        expect(ids.length).toBeGreaterThan(0);
        expect((await find(together)).ids).toEqual(ids);
      }
    });

    it('a search finds amounts that a text writes as one word, by one word', async () => {
      const other = await createTestApp({ engine });
      const { editor } = other.services;
      await editor.upsertBrands([{ id: 'b', name: { en: 'Brand' }, story: { en: '' }, image: null }]);
      await editor.upsertCategories([
        { id: 'c', parent: null, name: { en: 'Teas' }, description: { en: '' }, image: null },
      ]);
      await editor.upsertProducts([
        plainProduct('oolong', {
          name: { en: 'Oolong 100g green', zh: '乌龙350ml' },
          brand: 'b',
          category: 'c',
        }),
      ]);
      for (const nameLike of ['100g', 'oolong 100g', '350ml', '乌龙350ml'])
        expect(
          (await other.call('productSearch', { params: { nameLike } })).products.map(({ id }) => id),
        ).toEqual(['oolong']);
    });

    it('a correction that would find nothing is not offered', async () => {
      expect(await find('mc-cm-0')).toEqual({ ids: [], correctedTo: null, partial: false });
    });

    it('a search finds products while the last word is still being typed', async () => {
      for (const text of ['cel', 'cela', 'celado', 'celadon te'])
        expect((await find(text)).ids).toContain('celadon-teapot');
      // A word in the middle is complete, so it is not corrected.
      expect((await find('cel')).correctedTo).toBeNull();
    });

    it('a search ranks whole words before beginnings, and names before descriptions', async () => {
      const { ids } = await find('tea', { numberToLoad: 48 });
      expect(ids.indexOf('brown-sugar-milk-tea')).toBeLessThan(ids.indexOf('celadon-teapot'));
      expect(ids.indexOf('celadon-teapot')).toBeLessThan(
        ids.indexOf('acacia-salad-bowl') === -1 ? 99 : ids.indexOf('acacia-salad-bowl'),
      );
    });

    it('a search whose first group of matches is not empty looks for no other', async () => {
      const asked: unknown[] = [];
      const finds = async (groups: unknown) => asked.push(groups) > 0;
      const { rankGroups } = await createQueryPlanner({ db: testApp.db, finds }).plan('青瓷');
      expect(rankGroups.length).toBe(3);
      expect(asked).toEqual(rankGroups.slice(0, 1));
    });

    it('a search finds products by brand, category, option, material and SKU', async () => {
      expect((await find('hanlu')).ids).toContain('tieguanyin');
      expect((await find('teapots')).ids).toContain('kyusu-side-handle');
      expect((await find('tenmoku')).ids).toContain('rice-bowl');
      for (const sku of [
        'MC-CM-01-OAT',
        'mc-cm-01-oat',
        'MCCM01OAT',
        'MC-CM-01',
        'cm-01',
        'cm 01',
        'CM01OAT',
      ])
        expect((await find(sku)).ids).toEqual(['speckled-mug']);
    });

    it('a search for a modifier finds the products that can have it, in both languages', async () => {
      const withMilk = [
        'brown-sugar-milk-tea',
        'hojicha-latte',
        'matcha-latte',
        'oolong-milk-tea',
        'tea-and-cake',
      ];
      expect((await find('oat milk')).ids.toSorted()).toEqual(withMilk);
      expect((await find('燕麦奶', {}, 'zh')).ids.toSorted()).toEqual(withMilk);
      expect((await find('grass jelly')).ids.toSorted()).toEqual([
        'brown-sugar-milk-tea',
        'iced-oolong',
        'oolong-milk-tea',
        'tea-and-cake',
      ]);
    });

    it('a search finds Chinese words inside names, and the same characters in another order', async () => {
      expect((await find('茶壶', {}, 'zh')).ids).toContain('glass-teapot');
      expect((await find('马克杯')).ids).toContain('speckled-mug');
      expect((await find('青瓷壶')).ids).toEqual(['celadon-teapot']);
      expect((await find('壶')).ids.length).toBeGreaterThanOrEqual(5);
    });

    it('a misspelt search is corrected, and the result names the correction', async () => {
      expect(await find('celedon')).toMatchObject({ correctedTo: 'celadon' });
      expect((await find('celedon taepot')).ids[0]).toBe('celadon-teapot');
      expect((await find('celedon taepot')).correctedTo).toBe('celadon teapot');
      expect((await find('gaiwna')).ids).toContain('porcelain-gaiwan');
      expect(await find('speckled')).toMatchObject({ correctedTo: null });
      expect((await find('celedon-teapt')).ids).toEqual(['celadon-teapot']);
    });

    it('a search of which nothing has all words shows what has most of them, and says so', async () => {
      const glass = await find('double walled glass');
      expect([glass.ids[0], glass.partial]).toEqual(['double-wall-glass', true]);
      expect(await find('celedon unicorn')).toMatchObject({ correctedTo: 'celadon unicorn', partial: true });
      expect((await find('白色的茶壶 xyzzyq')).partial).toBe(true);
      expect((await find('有没有茶壶', {}, 'zh')).ids).toContain('glass-teapot');
      expect((await find('celadon teapot')).partial).toBe(false);
      const { partial, products } = await testApp.call('productSuggestions', {
        params: { nameLike: 'double walled glass' },
      });
      expect([partial, products[0]?.id]).toEqual([true, 'double-wall-glass']);
      const all = await find('double walled glass', { numberToLoad: 48 });
      expect(all.ids.length).toBe(await count('double walled glass'));
      const { products: filtered } = await testApp.call('products', {
        query: { nameLike: 'double walled glass', brandName: 'lakelight', sortby: 'price' },
      });
      expect(filtered.length).toBeGreaterThan(0);
      for (const { brand } of filtered) expect(brand.name).toBe('lakelight');
    });

    it('a search of the office is what is written: it shows nothing that has only some of the words', async () => {
      const { rankGroups, someOf } = await testApp.services.catalogue.planText('double walled glass');
      expect([rankGroups, someOf?.length]).toEqual([[], 3]);
    });

    it('a search finds words that the shop writes as one or as several, and says nothing of it', async () => {
      for (const [text, id] of [
        ['moonjar', 'moon-jar'],
        ['tie guan yin', 'tieguanyin'],
        ['chop sticks', 'chopstick-set'],
      ] as const)
        expect(await find(text)).toMatchObject({
          ids: expect.arrayContaining([id]),
          correctedTo: null,
          partial: false,
        });
      expect((await find('dahongpao')).ids).toEqual((await find('da hong pao')).ids);
      expect((await find('tea pot')).ids).toEqual(
        expect.arrayContaining((await find('teapot')).ids.slice(0, 3)),
      );
      expect((await find('pu-erh')).ids[0]).toBe('puer-cake');
    });

    it('a search in the traditional script finds what is written in the simplified one', async () => {
      for (const [traditional, simplified] of [
        ['茶壺', '茶壶'],
        ['龍井', '龙井'],
        ['青瓷圓壺', '青瓷圆壶'],
      ] as const) {
        const { ids } = await find(simplified, {}, 'zh');
        expect(ids.length).toBeGreaterThan(0);
        expect((await find(traditional, {}, 'zh')).ids).toEqual(ids);
      }
      const { categories } = await testApp.call('productSuggestions', {
        params: { nameLike: '茶壺' },
        lang: 'zh',
      });
      expect(categories.map((category) => category.name)).toEqual(['teapots']);
    });

    it('a word with an accent or an apostrophe is not taken for another one', async () => {
      expect(await find('café')).toMatchObject({ correctedTo: null });
      expect(await find('don’t')).toMatchObject({ correctedTo: null });
    });

    it('a search for nonsense finds nothing', async () => {
      expect(await find('qqqqzzzz')).toEqual({ ids: [], correctedTo: null, partial: false });
      expect(await count('qqqqzzzz')).toBe(0);
    });

    it('a search pages through all it counts, each product once', async () => {
      for (const text of ['tea', '茶', 'cup']) {
        const seen: string[] = [];
        for (let startingPosition = 0; ; startingPosition += 12) {
          const { ids } = await find(text, { startingPosition });
          if (ids.length === 0) break;
          seen.push(...ids);
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.length).toBe(await count(text));
      }
    });

    it('a search is filtered and sorted like any list', async () => {
      const { products } = await testApp.call('products', {
        query: { nameLike: 'tea', brandName: 'hanlu-tea', sortby: 'price' },
      });
      expect(products.length).toBeGreaterThan(1);
      for (const product of products) expect(product.brand.name).toBe('hanlu-tea');
      const prices = products.map((product) => product.priceInfo.price);
      expect(prices).toEqual(prices.toSorted((a, b) => a - b));
      expect(
        await testApp.call('productCount', { query: { nameLike: 'tea', brandName: 'hanlu-tea' } }),
      ).toEqual({
        count: products.length,
      });

      const names = (
        await testApp.call('products', { query: { nameLike: 'cup', sortby: 'name' } })
      ).products.map((product) => product.productName);
      expect(names).toEqual(names.toSorted(new Intl.Collator('en-CA').compare));
    });

    it('a search runs within a condition', async () => {
      const within = async (condition: string) =>
        (
          await testApp.ask('productsByNameAndCondition', { params: { nameLike: 'teapot', condition } })
        ).body.products?.map((product) => product.id);
      expect(await within('all')).toEqual((await find('teapot')).ids);
      expect(await within('clearance')).toEqual(['cast-iron-teapot']);
      expect(await within('onSale')).toEqual(expect.arrayContaining(['cast-iron-teapot', 'glass-teapot']));
      expect(await within('teapots')).toHaveLength(5);
      expect(
        (await testApp.ask('productsByNameAndCondition', { params: { nameLike: 'x', condition: 'nothing' } }))
          .status,
      ).toBe(404);
      expect(
        (
          await testApp.ask('productsByNameAndCondition', {
            params: { nameLike: 'x', condition: 'constructor' },
          })
        ).status,
      ).toBe(404);
    });

    it('a search suggests products with image and price, categories and brands', async () => {
      const suggestions = await testApp.call('productSuggestions', { params: { nameLike: 'tea' } });
      expect(suggestions.products).toHaveLength(6);
      expect(suggestions.products[0]?.image?.imageURL).toMatch(/^\/media\/1000\//);
      expect(suggestions.categories.map((category) => category.name)).toEqual(
        expect.arrayContaining(['teaware', 'tea', 'teapots']),
      );
      expect(suggestions.brands.map((brand) => brand.name)).toContain('hanlu-tea');
      const chinese = await testApp.call('productSuggestions', { params: { nameLike: '茶壶' }, lang: 'zh' });
      expect(chinese.categories.map((category) => category.name)).toEqual(['teapots']);
      expect(chinese.products[0]?.productName).toMatch(/壶/);
    });

    it.each([
      '"',
      "'",
      '* OR -tea',
      'tea NOT cup',
      'NEAR(tea cup)',
      '(((',
      'a:b',
      '\\',
      '%',
      '_',
      '😀',
      '&|!<->',
      '^tea',
      '+',
      '的',
      'the',
      '{names}:x',
      "it's",
      'x'.repeat(200),
    ])('a search treats %j as text', async (text) => {
      expect((await testApp.ask('productSearch', { params: { nameLike: text } })).status).toBe(200);
      expect((await testApp.ask('productSuggestions', { params: { nameLike: text } })).status).toBe(200);
    });

    it('no search text causes an error', async () => {
      const text = fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc
          .array(fc.constantFrom('tea', 'OR', '"', '茶壶', 'MC-01', '*', '\0', ' ', 'celedno', '的', ')'), {
            maxLength: 12,
          })
          .map((parts) => parts.join('')),
      );
      await fc.assert(
        fc.asyncProperty(text, fc.constantFrom('default', 'price', 'name'), async (nameLike, sortby) => {
          const { cards } = await testApp.services.catalogue.page(
            { nameLike },
            { sortby: sortby as 'default' },
            'zh',
          );
          expect(cards.length).toBeLessThanOrEqual(await testApp.services.catalogue.count({ nameLike }));
          await testApp.services.search.suggest(nameLike, 'en');
        }),
        { numRuns: 150 },
      );
    });
  });
});
