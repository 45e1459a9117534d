/** Compares the structured data of products with what their pages show, and with the settings of the shop. */
import { beforeAll, describe, expect, test } from 'vitest';
import { localeCodes, localizePath } from '#contract/locales.ts';
import products from '#demo/data/products.json' with { type: 'json' };
import type { ShopSettings } from '#server/modules/settings/index.ts';
import { plainValue, sellProduct } from './products.ts';
import { jsonLdOf, renderedPage, renderFromSources, unescapeHtml } from './rendered.ts';
import { createTestApp, type TestApp } from './test-app.ts';

type Thing = Record<string, unknown>;
const origin = 'https://shop.example';
let testApp: TestApp;

beforeAll(async () => {
  testApp = await createTestApp({
    engine: 'sqlite',
    demo: true,
    env: { PUBLIC_URL: origin },
    app: { web: renderFromSources },
  });
});

const pageOf = async (path: string) => (await renderedPage(testApp.app, path)).html;

/** The structured data of a page, by type. */
async function thingsOf(path: string): Promise<Map<string, Thing[]>> {
  return Map.groupBy(jsonLdOf(await pageOf(path)), (thing) => String(thing['@type']));
}

/** The offers of a product's page: its own, or those of its variants. */
function offersOf(things: Map<string, Thing[]>): Thing[] {
  const [product] = things.get('Product') ?? [];
  const [group] = things.get('ProductGroup') ?? [];
  return ((group?.hasVariant ?? [product]) as Thing[]).map(({ offers }) => offers as Thing);
}

/** The price beside the product's name. */
function shownPrice(html: string): string | undefined {
  const text = unescapeHtml(html.slice(html.indexOf('</h1>')).replaceAll(/<[^>]*>/g, ' '));
  return /\d[\d,]*\.\d{2}/.exec(text)?.[0].replaceAll(',', '');
}

async function settingsAre(changes: Partial<ShopSettings>): Promise<void> {
  await testApp.services.settings.update(changes);
}

describe('structured data of products', () => {
  test.each(localeCodes)(
    'every price of structured data is the price that its page shows, in the language %s',
    async (locale) => {
      const different: string[] = [];
      let compared = 0;
      for (const { slug } of products)
        for (const { url, price } of offersOf(await thingsOf(localizePath(`/product/${slug}`, locale)))) {
          const shown = shownPrice(await pageOf(String(url).slice(origin.length)));
          if (shown !== price) different.push(`${url} shows ${shown} and says ${price}`);
          compared += 1;
        }
      expect(different).toEqual([]);
      expect(compared).toBeGreaterThan(products.length);
    },
    120_000,
  );

  test('a product with options is a group whose variants have the options, images and prices', async () => {
    const [mugs] = (await thingsOf('/zh/product/speckled-mug')).get('ProductGroup') ?? [];
    expect(mugs).toMatchObject({
      '@id': `${origin}/zh/product/speckled-mug#product`,
      productGroupID: 'speckled-mug',
      variesBy: ['https://schema.org/color'],
    });
    const variants = (mugs?.hasVariant ?? []) as Thing[];
    expect(variants.map(({ sku, color }) => [sku, color])).toEqual([
      ['MC-CM-01-OAT', '燕麦'],
      ['MC-CM-01-SEA', '海蓝'],
      ['MC-CM-01-CHA', '炭黑'],
      ['MC-CM-01-ROS', '玫瑰'],
    ]);
    expect(variants[3]).toMatchObject({
      name: expect.stringMatching(/ – 玫瑰$/),
      image: expect.stringContaining('speckled-mug--rose'),
      offers: {
        url: `${origin}/zh/product/speckled-mug?Colour=Rose`,
        price: '34.00',
        availability: 'https://schema.org/OutOfStock',
      },
    });
  });

  test('an option that no standard knows is a property of the variants', async () => {
    const values = [plainValue('Mild'), plainValue('Hot')];
    await sellProduct(testApp, 'GINGER', {
      options: [{ name: { en: 'Heat' }, values }],
      skus: ['Mild', 'Hot'].map((heat) => ({ sku: `GINGER-${heat}`, options: { Heat: heat }, stock: {} })),
    });
    const [ginger] = (await thingsOf('/product/ginger')).get('ProductGroup') ?? [];
    expect(ginger?.variesBy).toEqual(['Heat']);
    const variants = (ginger?.hasVariant ?? []) as Thing[];
    expect(variants[0]?.additionalProperty).toEqual([
      { '@type': 'PropertyValue', name: 'Heat', value: 'Mild' },
    ]);
  });

  test('an offer has the price with the defaults, and each modifier that costs something as an add-on at the price of its size', async () => {
    const [latte] = (await thingsOf('/zh/product/matcha-latte')).get('ProductGroup') ?? [];
    const [regular, large] = ((latte?.hasVariant ?? []) as Thing[]).map(({ offers }) => offers);
    const addOn = (name: string, price: string) => ({ '@type': 'Offer', name, price, priceCurrency: 'CAD' });
    expect(regular).toMatchObject({ price: '7.50', addOn: [addOn('燕麦奶', '0.80'), addOn('豆奶', '0.60')] });
    expect(large).toMatchObject({ price: '8.50', addOn: [addOn('燕麦奶', '1.00'), addOn('豆奶', '0.80')] });
    const [mug] = offersOf(await thingsOf('/product/celadon-teapot'));
    expect(mug).not.toHaveProperty('addOn');
  });

  test('each offer names its shipping rates, which are free for an item that costs enough', async () => {
    const things = await thingsOf('/product/celadon-teapot');
    const [offer] = offersOf(things);
    const ids = ['ca-standard', 'ca-express', 'ca-north', 'us-standard', 'cn-standard'].map(
      (id) => `#shipping-${id}`,
    );
    expect(offer?.shippingDetails).toEqual(ids.map((id) => ({ '@id': id })));
    const rates = things.get('OfferShippingDetails') ?? [];
    expect(rates.map((rate) => rate['@id'])).toEqual(ids);
    const range = { '@type': 'QuantitativeValue', unitCode: 'DAY' };
    expect(rates[0]).toMatchObject({
      shippingRate: { value: '12.00', currency: 'CAD' },
      shippingDestination: [{ addressCountry: 'CA', addressRegion: expect.arrayContaining(['ON', 'QC']) }],
      deliveryTime: { transitTime: { ...range, minValue: 3, maxValue: 7 } },
    });
    const dear = products.find(
      ({ priceCents, options, inStoreOnly }) => priceCents >= 9500 && !inStoreOnly && options.length === 0,
    );
    const free = (await thingsOf(`/product/${dear?.slug}`)).get('OfferShippingDetails')?.[0];
    expect(free).toMatchObject({ '@id': '#shipping-ca-standard-free', shippingRate: { value: '0.00' } });
  });

  test('an item that costs exactly as much as makes shipping free has it free, and a cent less has not', async () => {
    const rateAt = async (priceCents: number) => {
      await sellProduct(testApp, 'EDGE', { priceCents });
      return (await thingsOf('/product/edge')).get('OfferShippingDetails')?.[0];
    };
    expect(await rateAt(9500)).toMatchObject({ '@id': '#shipping-ca-standard-free' });
    expect(await rateAt(9499)).toMatchObject({ '@id': '#shipping-ca-standard' });
  });

  test('a product that is sold beyond its stock is on backorder, and one that is there is in stock', async () => {
    const availabilityOf = async (id: string, units: number) => {
      const sku = { sku: id, options: {}, oversell: true, stock: { warehouse: units } };
      await sellProduct(testApp, id, { skus: [sku] });
      return offersOf(await thingsOf(`/product/${id}`)).map(({ availability }) => availability);
    };
    expect(await availabilityOf('later', 0)).toEqual(['https://schema.org/BackOrder']);
    expect(await availabilityOf('sooner', 3)).toEqual(['https://schema.org/InStock']);
  });

  test('each offer names the rule for returns, and clearance is final', async () => {
    const [policy] = (await thingsOf('/product/celadon-teapot')).get('MerchantReturnPolicy') ?? [];
    expect(policy).toEqual({
      '@type': 'MerchantReturnPolicy',
      '@id': '#returns',
      applicableCountry: ['CA', 'US', 'CN'],
      returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
      merchantReturnDays: 30,
      returnMethod: ['https://schema.org/ReturnByMail'],
      returnFees: 'https://schema.org/ReturnFeesCustomerResponsibility',
    });
    const cleared = products.find(({ clearance }) => clearance);
    const [final] = (await thingsOf(`/product/${cleared?.slug}`)).get('MerchantReturnPolicy') ?? [];
    expect(final?.returnPolicyCategory).toBe('https://schema.org/MerchantReturnNotPermitted');
  });

  test('a product that is in store only has no shipping and no returns', async () => {
    const things = await thingsOf('/product/matcha-latte');
    expect([...things.keys()].sort()).toEqual(['BreadcrumbList', 'Organization', 'ProductGroup']);
    for (const offer of offersOf(things)) {
      expect(offer.availability).toBe('https://schema.org/InStoreOnly');
      expect(offer).not.toHaveProperty('shippingDetails');
    }
  });

  test('a shop that does not ship and has set no rule for returns says nothing of either', async () => {
    const { checkoutConfig, returnPolicy } = await testApp.services.settings.all();
    await settingsAre({
      checkoutConfig: { ...checkoutConfig, domesticShippingEnabled: false },
      returnPolicy: { ...returnPolicy, days: null },
    });
    expect([...(await thingsOf('/product/celadon-teapot')).keys()].sort()).toEqual([
      'BreadcrumbList',
      'Organization',
      'Product',
    ]);
    await settingsAre({
      checkoutConfig,
      returnPolicy: { ...returnPolicy, fees: 'fixed', feeCents: 650, inStore: true },
    });
    expect((await thingsOf('/product/celadon-teapot')).get('MerchantReturnPolicy')?.[0]).toMatchObject({
      returnMethod: ['https://schema.org/ReturnByMail', 'https://schema.org/ReturnInStore'],
      returnFees: 'https://schema.org/ReturnShippingFees',
      returnShippingFeesAmount: { value: '6.50', currency: 'CAD' },
    });
    await settingsAre({ returnPolicy });
  });

  test('the terms of offers are not part of the state that the browser gets', async () => {
    const [, state = ''] =
      /<script type="application\/json" id="state">(.*?)<\/script>/s.exec(
        await pageOf('/product/celadon-teapot'),
      ) ?? [];
    const { queries } = JSON.parse(state) as { queries: [string[], unknown][] };
    expect(queries.map(([[name]]) => name).sort()).toEqual(['product', 'shell']);
  });
});
