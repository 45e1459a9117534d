/** The page of a product as the server renders it, without scripts. */
import { beforeAll, describe, expect, test } from 'vitest';
import { brewWays } from '#contract/limits.ts';
import type { BrewGuide } from '#contract/schemas/brewing.ts';
import products from '#demo/data/products.json' with { type: 'json' };
import { sellProduct } from './products.ts';
import { renderedPage, renderFromSources, unescapeHtml } from './rendered.ts';
import { createTestApp, type TestApp } from './test-app.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await createTestApp({ engine: 'sqlite', demo: true, app: { web: renderFromSources } });
});

const page = async (path: string) => (await renderedPage(testApp.app, path)).html;
const drawingsIn = (html: string) => [...html.matchAll(/<svg role="img" aria-label="([^"]*)".*?<\/svg>/gs)];

describe('the scale drawing of a product page', () => {
  test.each([
    ['', ['Next to our 340 ml mug', 'Celadon Round Teapot: 17 cm wide, 13 cm high. our 340 ml mug: 12 cm wide, 9.5 cm high.']],
    ['/zh', ['与我们的 340 毫升马克杯对比', '青瓷圆壶：宽 17 厘米，高 13 厘米。']],
  ])('a page (%s) draws the product beside the reference, in words and in at most 1,600 characters', async (language, words) => {
    const html = await page(`${language}/product/celadon-teapot`);
    const text = unescapeHtml(html);
    for (const word of words) expect(text).toContain(word);
    const drawings = drawingsIn(html);
    expect(drawings).toHaveLength(1);
    for (const [drawing] of drawings) expect(drawing.length).toBeLessThanOrEqual(1600);
  });

  test('a product without a height has no drawing, and one without an outline is a box', async () => {
    await sellProduct(testApp, 'FLAT-1', { details: { dimensions: { lengthCm: 20 } } });
    await sellProduct(testApp, 'BOX-1', { details: { dimensions: { diameterCm: 20, heightCm: 4 } } });
    expect(drawingsIn(await page('/product/flat-1'))).toHaveLength(0);
    expect(await testApp.call('product', { params: { id: 'box-1' } })).toMatchObject({
      size: { outline: 'box', widthCm: 20, heightCm: 4, reference: { outline: 'mug' } },
    });
  });

  test('a product without images has no zoom', async () => {
    await sellProduct(testApp, 'BARE-1', { details: { dimensions: { diameterCm: 20, heightCm: 4 } } });
    const zoom = 'aria-label="Look closer"';
    expect(await page('/product/celadon-teapot')).toContain(zoom);
    expect(await page('/product/bare-1')).not.toContain(zoom);
  });

  test('a shop without a reference draws its products alone', async () => {
    const { sizeReference } = await testApp.services.settings.all();
    await testApp.services.settings.update({ sizeReference: null });
    const html = await page('/product/celadon-teapot');
    expect(html).not.toContain('340 ml mug');
    expect(drawingsIn(html)).toHaveLength(1);
    await testApp.services.settings.update({ sizeReference });
  });
});

describe('the line about returns on a product page', () => {
  test.each([
    ['', 'If a pot drips, bring it back', '/shipping-and-returns'],
    ['/zh', '壶要是滴水，拿回来换', '/zh/shipping-and-returns'],
  ])('a page (%s) links the sentence of the settings', async (language, sentence, link) => {
    expect(await page(`${language}/product/celadon-teapot`)).toMatch(new RegExp(`<a href="${link}"[^>]*>${sentence}</a>`));
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
    expect(await testApp.call('product', { params: { id: 'matcha-latte' } })).toMatchObject({ returns: null });
  });
});

describe('the details of a product page', () => {
  test('the description and the specifications are folds, of which the first is open', async () => {
    const html = await page('/product/celadon-teapot');
    const folds = [...html.matchAll(/<details([^>]*)><summary[^>]*><span>(.*?)<\/span>/g)].map(([, open, name]) => [name, open]);
    expect(folds).toEqual(
      expect.arrayContaining([
        ['Details', expect.stringContaining('open')],
        ['Specifications', expect.not.stringContaining('open')],
      ]),
    );
  });
});

describe('the images of a product page', () => {
  test.each([
    ['', 'Celadon Round Teapot', 'Celadon teapot on a walnut tray, with two cups of tea in morning light'],
    ['/zh', '青瓷圆壶', '胡桃木茶盘上的青瓷圆壶，旁边两杯茶，晨光斜照'],
  ])(
    'a page (%s) describes each image by its text, and one without a text by the name of the product',
    async (language, name, text) => {
      const described = [...(await page(`${language}/product/celadon-teapot`)).matchAll(/<img [^>]*alt="([^"]+)"/g)].map(
        ([, alt]) => alt,
      );
      expect(described.slice(0, 2)).toEqual([name, text]);
    },
  );
});

describe('what a merchant enters for a product page', () => {
  test.each([
    [{ outline: 'spaceship' as never }, /outline/],
    [{ scene: 'elsewhere.jpg' }, /details\.scene is "elsewhere\.jpg", allowed: none/],
    [{ imageTexts: { 'elsewhere.jpg': { en: 'A cup' } } }, /details\.imageTexts names "elsewhere\.jpg", allowed: none/],
  ])('the details %j are rejected with their place', async (details, problem) => {
    await expect(sellProduct(testApp, 'BAD-1', { details })).rejects.toMatchObject({
      problems: [expect.stringMatching(problem)],
    });
  });
});

describe('the brew card of a tea', () => {
  test.each([
    ['', ['How to brew', '>Gaiwan<', '>7 g<', '110 ml', '95 °C', '15 s · 20 s · 25 s', '>3 min<', '>8 h<']],
    ['/zh', ['冲泡方法', '>盖碗<', '>7 克<', '110 毫升', '15 秒 · 20 秒', '>3 分钟<', '>8 小时<']],
  ])('a page (%s) has every way to brew without scripts', async (language, words) => {
    // A figure stays in one line with its unit.
    const html = unescapeHtml(await page(`${language}/product/tieguanyin`)).replaceAll('\u00a0', ' ');
    for (const word of words) expect(html).toContain(word);
    expect(html.match(/<input type="radio" [^>]*name="brew"/g)).toHaveLength(3);
  });

  test('a product that is no tea has no card', async () => {
    expect(await page('/product/celadon-teapot')).not.toContain('name="brew"');
  });

  test('the demo’s cards agree with the texts of their teas', () => {
    const teas = products.filter((product) => 'brew' in product);
    expect(teas.length).toBeGreaterThanOrEqual(10);
    for (const { slug, description, brew } of teas as unknown as Tea[]) {
      const ratios = brewWays.flatMap((way) => (brew[way] ? `${brew[way].grams} g to ${brew[way].waterMl} ml` : []));
      for (const [ratio] of description.en.join(' ').matchAll(/\d+ g to \d+ ml/g)) expect(ratios, slug).toContain(ratio);
    }
  });
});

interface Tea {
  slug: string;
  description: { en: string[] };
  brew: BrewGuide;
}

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
    expect(await testApp.call('productSet', { params: { productid: 'matcha-latte' } })).toEqual({ pieces: [] });
  });
});
