/** The page of a product as the server renders it, without scripts. */
import { beforeAll, describe, expect, test } from 'vitest';
import { sellProduct } from './products.ts';
import { renderedPage, renderFromSources } from './rendered.ts';
import { createTestApp, type TestApp } from './test-app.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await createTestApp({ engine: 'sqlite', demo: true, app: { web: renderFromSources } });
});

const page = async (path: string) => (await renderedPage(testApp.app, path)).html;

describe('the line about returns on a product page', () => {
  test.each([
    ['', 'If a pot drips, bring it back', '/shipping-and-returns'],
    ['/zh', '壶要是滴水，拿回来换', '/zh/shipping-and-returns'],
  ])('a page (%s) links the sentence of the settings', async (language, sentence, link) => {
    expect(await page(`${language}/product/celadon-teapot`)).toMatch(
      new RegExp(`<a href="${link}"[^>]*>${sentence}</a>`),
    );
  });

  test('a line of some categories is not shown beside the products of others', async () => {
    const returnsOf = async (id: string) => (await testApp.call('product', { params: { id } })).returns;
    expect(await returnsOf('mushroom-lamp')).toBeNull();
    const { returnsLine } = await testApp.services.settings.all();
    if (!returnsLine) throw new Error('The demo has a line about returns');
    const { text, link } = returnsLine;
    await testApp.services.settings.update({ returnsLine: { text, link, categories: ['home'] } });
    expect(await returnsOf('mushroom-lamp')).toEqual({ textContent: text, link });
    await testApp.services.settings.update({ returnsLine: { text, link } });
    expect(await returnsOf('tieguanyin')).toEqual({ textContent: text, link });
    await testApp.services.settings.update({ returnsLine });
  });

  test('a product served in the store has no line about returns', async () => {
    expect(await testApp.call('product', { params: { id: 'matcha-latte' } })).toMatchObject({
      returns: null,
    });
  });
});

describe('the details of a product page', () => {
  test('the description and the specifications are folds, of which the first is open', async () => {
    const html = await page('/product/celadon-teapot');
    const folds = [...html.matchAll(/<details([^>]*)><summary[^>]*><span>(.*?)<\/span>/g)].map(
      ([, open, name]) => [name, open],
    );
    expect(folds).toEqual(
      expect.arrayContaining([
        ['Details', expect.stringContaining('open')],
        ['Specifications', expect.not.stringContaining('open')],
      ]),
    );
  });
});

describe('the images of a product page', () => {
  test('a product without images has no zoom', async () => {
    await sellProduct(testApp, 'BARE-1', { details: { dimensions: { diameterCm: 20, heightCm: 4 } } });
    const zoom = 'aria-label="Look closer"';
    expect(await page('/product/celadon-teapot')).toContain(zoom);
    expect(await page('/product/bare-1')).not.toContain(zoom);
  });

  test.each([
    ['', 'Celadon Round Teapot', 'Celadon teapot on a walnut tray, with two cups of tea in morning light'],
    ['/zh', '青瓷圆壶', '胡桃木茶盘上的青瓷圆壶，旁边两杯茶，晨光斜照'],
  ])(
    'a page (%s) describes each image by its text, and one without a text by the name of the product',
    async (language, name, text) => {
      const described = [
        ...(await page(`${language}/product/celadon-teapot`)).matchAll(/<img [^>]*alt="([^"]+)"/g),
      ].map(([, alt]) => alt);
      expect(described.slice(0, 2)).toEqual([name, text]);
    },
  );
});

describe('what a merchant enters for a product page', () => {
  test.each([
    [{ scene: 'elsewhere.jpg' }, ['scene']],
    [{ imageTexts: { 'elsewhere.jpg': { en: 'A cup' } } }, ['imageTexts', 'elsewhere.jpg']],
  ])('the details %j are rejected with their place', async (details, path) => {
    await expect(sellProduct(testApp, 'BAD-1', { details })).rejects.toMatchObject({
      problems: [
        {
          path: expect.arrayContaining(['details', ...path]),
          key: 'problem.image.own',
          values: { found: '"elsewhere.jpg"' },
        },
      ],
    });
  });
});

describe('the set of a product', () => {
  test('a pot goes with things of other categories that are in stock, each with its SKU', async () => {
    const { pieces } = await testApp.call('productSet', { params: { productid: 'celadon-teapot' } });
    expect(pieces).toHaveLength(2);
    const categories = await Promise.all(
      pieces.map(async ({ id }) => (await testApp.call('product', { params: { id } })).category.categoryName),
    );
    expect(new Set(['teapots', ...categories]).size).toBe(3);
    for (const { id, sku } of pieces) {
      const { skus } = await testApp.call('product', { params: { id } });
      expect(skus.find((each) => each.sku === sku)?.inStock).toBe(true);
    }
  });

  test('a product that is served in the store has no set', async () => {
    expect(await testApp.call('productSet', { params: { productid: 'matcha-latte' } })).toEqual({
      pieces: [],
    });
  });
});
