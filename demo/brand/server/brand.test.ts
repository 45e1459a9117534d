/** What the brand adds to pages, emails and imports. */
import { beforeAll, describe, expect, test } from 'vitest';
import products from '#demo/data/products.json' with { type: 'json' };
import type { ShopSettings } from '#server/modules/settings/index.ts';
import { instantAt } from '#server/platform/time-zone.ts';
import { mailsFor } from '#tests/accounts.ts';
import { placeLinkedOrder } from '#tests/order-links.ts';
import { sellProduct } from '#tests/products.ts';
import { renderedPage, renderFromSources, unescapeHtml } from '#tests/rendered.ts';
import { createTestApp, type TestApp, testNow } from '#tests/test-app.ts';
import { brewWays } from '../shared/messages.ts';
import type { BrewGuide } from '../shared/schemas.ts';

interface Tea {
  slug: string;
  description: { en: string[] };
  brew: BrewGuide;
}

let testApp: TestApp;

beforeAll(async () => {
  testApp = await createTestApp({ engine: 'sqlite', demo: true, app: { web: renderFromSources } });
});

const page = async (path: string) => (await renderedPage(testApp.app, path)).html;
const drawingsIn = (html: string) => [...html.matchAll(/<svg role="img" aria-label="([^"]*)".*?<\/svg>/gs)];
const set = (changes: object) => testApp.services.settings.update(changes);

describe('the facts of a tea', () => {
  test.each([
    [
      '',
      [
        'Qiantang, Zhejiang · Picked March 2026',
        'Toasted chestnut · Fresh bean · Lasting sweetness',
        'Strength 2 of 5',
        'About 16 pots from 50 g',
      ],
      'Brew 3 g in 200 ml at 80 °C for 2 min',
    ],
    [
      '/zh',
      ['浙江钱塘 · 2026 年 3 月采', '板栗香 · 豆香 · 回甘绵长', '浓度 2/5', '50 克约可泡 16 壶'],
      '3 克茶叶，80 °C 水 200 毫升，首泡 2 分钟',
    ],
  ])(
    'a page (%s) says origin, taste, strength, brewing and pots before its button',
    async (language, words, brewing) => {
      const html = unescapeHtml(await page(`${language}/product/dragon-well`));
      const button = html.indexOf('type="submit"', html.indexOf('product-buy'));
      for (const word of [...words, brewing]) {
        const at = html.indexOf(word);
        expect(at, word).toBeGreaterThan(0);
        expect(at, word).toBeLessThan(button);
      }
    },
  );

  test('a tea that is brewed in a gaiwan alone counts sessions, and one of which nothing is said has no facts', async () => {
    const html = unescapeHtml(await page('/product/da-hong-pao'));
    for (const line of ['Brew 8 g in 120 ml at 100 °C for 10 s', 'About 6 sessions from 50 g'])
      expect(html).toContain(line);
    expect(await page('/product/tea-sampler')).not.toContain('of 5"');
  });

  test('a pack that is not enough for one pot counts none', async () => {
    const brew = { pot: { grams: 3, waterMl: 200, celsius: 80, infusionSeconds: [120] } };
    const tea = { taste: [{ en: 'Fresh', zh: '鲜' }], strength: 1, packGrams: 2 };
    await sellProduct(testApp, 'CRUMB-1', { details: { brew, tea } as object });
    expect(await testApp.call('product', { params: { id: 'crumb-1' } })).toMatchObject({
      extras: {
        tea: {
          from: null,
          taste: { en: 'Fresh', zh: '鲜' },
          brewing: { en: 'Brew 3 g in 200 ml at 80 °C for 2 min' },
          makes: null,
        },
      },
    });
  });
});

describe('the scale drawing of a product page', () => {
  test.each([
    [
      '',
      [
        'Next to our 340 ml mug',
        'Celadon Round Teapot: 17 cm wide, 13 cm high. our 340 ml mug: 12 cm wide, 9.5 cm high.',
      ],
    ],
    ['/zh', ['与我们的 340 毫升马克杯对比', '青瓷圆壶：宽 17 厘米，高 13 厘米。']],
  ])(
    'a page (%s) draws the product beside the reference, in words and in at most 1,600 characters',
    async (language, words) => {
      const html = await page(`${language}/product/celadon-teapot`);
      const text = unescapeHtml(html);
      for (const word of words) expect(text).toContain(word);
      const drawings = drawingsIn(html);
      expect(drawings).toHaveLength(1);
      for (const [drawing] of drawings) expect(drawing.length).toBeLessThanOrEqual(1600);
    },
  );

  test('a product without a height has no drawing, and one without an outline is a box', async () => {
    await sellProduct(testApp, 'FLAT-1', { details: { dimensions: { lengthCm: 20 } } });
    await sellProduct(testApp, 'BOX-1', { details: { dimensions: { diameterCm: 20, heightCm: 4 } } });
    expect(drawingsIn(await page('/product/flat-1'))).toHaveLength(0);
    expect(await testApp.call('product', { params: { id: 'box-1' } })).toMatchObject({
      extras: { size: { outline: 'box', widthCm: 20, heightCm: 4, reference: { outline: 'mug' } } },
    });
  });

  test('a shop without a reference draws its products alone', async () => {
    const { sizeReference } = (await testApp.services.settings.all()) as ShopSettings & {
      sizeReference: unknown;
    };
    await set({ sizeReference: null });
    const html = await page('/product/celadon-teapot');
    expect(html).not.toContain('340 ml mug');
    expect(drawingsIn(html)).toHaveLength(1);
    await set({ sizeReference });
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
    const teas = products.filter((product) => 'brew' in product) as unknown as Tea[];
    expect(teas.length).toBeGreaterThanOrEqual(10);
    for (const { slug, description, brew } of teas) {
      const ratios = brewWays.flatMap((way) =>
        brew[way] ? `${brew[way].grams} g to ${brew[way].waterMl} ml` : [],
      );
      for (const [ratio] of description.en.join(' ').matchAll(/\d+ g to \d+ ml/g))
        expect(ratios, slug).toContain(ratio);
    }
  });
});

const appContent = async () => (await testApp.call('appInfoInit', {})).appContent;

test('a shop without lines for the solar terms shows none', async () => {
  testApp.clock.set(instantAt('2026-12-06', 60, 'America/Toronto') ?? 0);
  expect((await appContent()).seasonNote).toEqual({
    text: 'Major Snow · Ripe pu’er, all evening',
    link: '/product/puer-cake',
  });
  await set({ solarTermNotes: [] });
  expect((await appContent()).seasonNote).toBeNull();
  expect(await page('/products/tea')).not.toContain('Major Snow');
});

test('the seal of a shop has up to four Chinese characters of its name, whichever language has them', async () => {
  const sealOf = async (shopName: object) => {
    await set({ shopName });
    return (await appContent()).extras;
  };
  expect((await appContent()).extras).toEqual({ seal: '枫土' });
  expect(await sealOf({ en: 'River Cups' })).toEqual({ seal: '' });
  expect(await sealOf({ en: 'River', zh: '河边的杯子店' })).toEqual({ seal: '河边的杯' });
});

test('details of the brand are rejected with their place', async () => {
  const details = { outline: 'spaceship' } as object;
  await expect(sellProduct(testApp, 'BAD-1', { details })).rejects.toMatchObject({
    problems: [{ path: expect.arrayContaining(['details', 'outline']), key: 'problem.oneOf' }],
  });
});

const store = 'toronto-queen-west';
const brew = {
  gaiwan: { grams: 7, waterMl: 110, celsius: 95, infusionSeconds: [15, 20] },
  cold: { grams: 8, waterMl: 1000, celsius: 4, infusionSeconds: [28_800] },
};

test('the confirmation of an order tells how to brew its teas, and that of a mug does not', async () => {
  const mailing = await createTestApp({
    engine: 'sqlite',
    demo: true,
    env: { PUBLIC_URL: 'https://shop.example' },
  });
  const textFor = async (sku: string) => {
    const order = await placeLinkedOrder(mailing, {
      how: 'reserve',
      sku,
      store,
      pickupAt: testNow + 4 * 3_600_000,
    });
    const [mail] = await mailsFor(mailing, order.email, 'orderConfirmation');
    return mail?.text ?? '';
  };
  await sellProduct(mailing, 'TEA', { name: { en: 'Spring tea' }, details: { brew } as object });
  await sellProduct(mailing, 'MUG');
  const tea = await textFor('TEA');
  for (const part of ['Spring tea · Gaiwan', '95 °C · 15 s · 20 s', '7 g / 110 ml', '4 °C · 8 h'])
    expect(tea).toContain(part);
  expect(await textFor('MUG')).not.toContain('°C');
});
