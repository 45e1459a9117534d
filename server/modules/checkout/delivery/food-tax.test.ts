/** Tax on food by how it is sold: at a table, picked up or shipped; and what the bill says of each line. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { sellProduct } from '#tests/products.ts';
import { add, address, contact, deliver, finish, pay, visit } from '#tests/shop-actions.ts';
import { createTestApp, onOneEngine, type TestApp } from '#tests/test-app.ts';

const store = 'toronto-queen-west';

onOneEngine((engine) => {
  let testApp: TestApp;
  const update = (eatingEstablishments: string[], atTables: 'taxed' | 'asSold' = 'asSold') =>
    testApp.services.settings.update({ eatingEstablishments, tableFood: { [store]: atTables } });

  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    const sell = (sku: string, taxClass: string, more: object = {}) =>
      sellProduct(testApp, sku, { taxClass, priceCents: 500, ...more });
    await sell('MUFFIN', 'sweetened-baked-goods');
    await sell('BAGEL', 'bread-product');
    await sell('APPLE', 'ready-to-eat-grocery');
    await sell('TIN', 'basic-grocery');
    await sell('HOT', 'heated-food');
    const stock = { warehouse: 50, [store]: 50 };
    await sell('BOX', 'sweetened-baked-goods', {
      skus: [{ sku: 'BOX', options: {}, singleServings: 4, stock }],
    });
  });
  beforeEach(() => update([]));

  /** The bill of an order of these SKUs: at a table, picked up, or shipped within Ontario. */
  async function bill(skus: Record<string, number>, how: 'instore' | 'pickup' | 'shipping') {
    const session = testApp.shopper();
    for (const [sku, quantity] of Object.entries(skus)) await add(testApp, session, sku, quantity);
    if (how === 'shipping') await deliver(testApp, session);
    else
      await visit(testApp, session, { methodName: how, ...(how === 'instore' ? { tableNumber: '4' } : {}) });
    return (await testApp.call('myCart', { session })).bill;
  }

  it('five muffins are taxed and six are not, and the bill says so line by line', async () => {
    const five = await bill({ MUFFIN: 5, HOT: 1, TIN: 1 }, 'pickup');
    expect(five).toMatchObject({
      subtotal: 3500,
      tax: 325 + 65,
      taxLines: [{ label: 'HST 13%', amount: 390 }],
    });
    expect(five.lineTaxes).toMatchObject([
      { sku: 'MUFFIN', taxes: [{ label: 'HST 13%', amount: 325 }] },
      { sku: 'HOT', taxes: [{ label: 'HST 13%', amount: 65 }] },
      { sku: 'TIN', taxes: [] },
    ]);
    const six = await bill({ MUFFIN: 6, HOT: 1, TIN: 1 }, 'pickup');
    expect(six).toMatchObject({ subtotal: 4000, tax: 65 });
    expect(six.lineTaxes?.[0]).toMatchObject({ sku: 'MUFFIN', taxes: [] });
  });

  it('a box counts as many single servings as it holds', async () => {
    expect((await bill({ BOX: 1 }, 'pickup')).tax).toBe(65);
    expect((await bill({ BOX: 1, MUFFIN: 2 }, 'pickup')).tax).toBe(0);
  });

  it('eating in at an eating establishment taxes all food, and taking out what is ready to eat', async () => {
    const order = { MUFFIN: 6, APPLE: 1, TIN: 1 };
    expect((await bill(order, 'instore')).tax).toBe(0);
    await update([store]);
    expect((await bill(order, 'instore')).tax).toBe(390 + 65 + 65);
    expect((await bill(order, 'pickup')).tax).toBe(65);
    expect((await bill({ BAGEL: 2 }, 'pickup')).tax).toBe(130);
    expect((await bill({ BAGEL: 3, MUFFIN: 3 }, 'pickup')).tax).toBe(0);
  });

  it('the tables of a store that is no eating establishment are one, unless their owner says otherwise', async () => {
    const order = { MUFFIN: 6, APPLE: 1, TIN: 1 };
    await update([], 'taxed');
    expect((await bill(order, 'instore')).tax).toBe(390 + 65 + 65);
    expect((await bill(order, 'pickup')).tax).toBe(0);
    await testApp.services.settings.update({ tableFood: {} });
    expect((await bill(order, 'instore')).tax).toBe(390 + 65 + 65);
  });

  it('food that is shipped follows the warehouse, and its shipping is taxed as the food is', async () => {
    await update([store]);
    const plain = await bill({ APPLE: 1 }, 'shipping');
    expect(plain.lineTaxes).toEqual([{ sku: 'APPLE', line: expect.any(String), taxes: [] }]);
    await update(['warehouse']);
    const taxed = await bill({ APPLE: 1 }, 'shipping');
    expect(taxed.lineTaxes).toMatchObject([
      { sku: 'APPLE', taxes: [{ label: 'HST 13%', amount: 65 }] },
      { sku: null, line: null, taxes: [{ label: 'HST 13%', amount: taxed.tax - 65 }] },
    ]);
  });

  it('an order keeps its tax when some of it is refunded, and when products and settings change', async () => {
    const session = testApp.shopper();
    await add(testApp, session, 'MUFFIN', 6);
    await testApp.call('orderContactInfo', {
      session,
      query: { methodName: 'instore', localStoreName: store, tableNumber: '4' },
      body: { contact },
    });
    const { id, number } = await finish(testApp, session, {
      how: 'pay',
      lang: 'en',
      billingAddress: address,
    });
    const before = await testApp.call('order', { session, params: { id } });
    expect(before.bill).toMatchObject({ tax: 0, total: 3000, lineTaxes: [{ sku: 'MUFFIN', taxes: [] }] });

    await testApp.services.orderRefunds.refund(number, { reason: 'one was dropped', amount: 500 });
    await update([store]);
    const after = await testApp.call('order', { session, params: { id } });
    expect(after.refunds).toMatchObject([{ amount: 500 }]);
    expect(after.bill).toEqual(before.bill);
  });

  it('nobody pays a tax that changed after the bill was shown', async () => {
    const session = testApp.shopper();
    await add(testApp, session, 'APPLE');
    await visit(testApp, session);
    const { billVersion } = (await testApp.call('myCart', { session })).bill;
    await update([store]);
    expect((await pay(testApp, session, undefined, { billVersion })).status).toBe(409);
  });
});
