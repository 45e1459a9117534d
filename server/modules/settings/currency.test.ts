import { expect, it } from 'vitest';
import { createTestApp, onOneEngine, type TestApp } from '#tests/test-app.ts';

/** Every currency in which customers see prices. */
async function shownCurrencies(testApp: TestApp): Promise<string[]> {
  const list = await testApp.call('products', { query: { numberToLoad: 48 } });
  const [first] = list.products;
  const id = first?.id ?? '';
  const [related, product, found, info] = await Promise.all([
    testApp.call('relatedProducts', { params: { productid: id } }),
    testApp.call('product', { params: { id } }),
    testApp.call('productSearch', { params: { nameLike: 'mug' } }),
    testApp.call('appInfoInit'),
  ]);
  const cards = [...list.products, ...related.products, ...found.products, product, ...product.skus];
  const cart = await testApp.call('myCart', { session: testApp.shopper() });
  return [
    ...new Set([
      ...cards.map(({ priceInfo }) => priceInfo.currency),
      info.appContent.currency,
      cart.bill.currency,
    ]),
  ];
}

onOneEngine((engine) => {
  it('a currency changed through the settings service alone is on every card, list, product page and cart', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    expect(await shownCurrencies(testApp)).toEqual(['CAD']);
    await testApp.services.settings.update({ currency: 'EUR' });
    expect(await shownCurrencies(testApp)).toEqual(['EUR']);
  });
});
