/** The page of a product as the server renders it, without scripts. */
import { beforeAll, describe, expect, test } from 'vitest';
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
    [
      '',
      [
        'Size',
        'Next to our 340 ml mug',
        'Celadon Round Teapot: 17 cm wide, 13 cm high. our 340 ml mug: 12 cm wide, 9.5 cm high.',
      ],
    ],
    ['/zh', ['尺寸', '与我们的 340 毫升马克杯对比', '青瓷圆壶：宽 17 厘米，高 13 厘米。']],
  ])('a page (%s) draws the product beside the reference, in words and at most 1.2 KB', async (language, words) => {
    const html = await page(`${language}/product/celadon-teapot`);
    const text = unescapeHtml(html);
    for (const word of words) expect(text).toContain(word);
    const drawings = drawingsIn(html);
    // One is in the gallery, one in the page.
    expect(drawings).toHaveLength(2);
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

  test('a shop without a reference draws its products alone', async () => {
    const { sizeReference } = await testApp.services.settings.all();
    await testApp.services.settings.update({ sizeReference: null });
    const html = await page('/product/celadon-teapot');
    expect(html).not.toContain('340 ml mug');
    expect(drawingsIn(html)).toHaveLength(2);
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

  test('a product served in the store has no line about returns', async () => {
    expect(await page('/product/matcha-latte')).not.toContain('bring it back');
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

describe('what a merchant enters for a product page', () => {
  test.each([
    [{ outline: 'spaceship' as never }, /outline/],
    [{ scene: 'elsewhere.jpg' }, /details\.scene is "elsewhere\.jpg", allowed: none/],
  ])('the details %j are rejected with their place', async (details, problem) => {
    await expect(sellProduct(testApp, 'BAD-1', { details })).rejects.toMatchObject({
      problems: [expect.stringMatching(problem)],
    });
  });
});
