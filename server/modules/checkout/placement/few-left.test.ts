/** What a shopper is told when fewer units are there than they want: the same at the payment as in the cart. */
import { beforeAll, expect, it } from 'vitest';
import { sellProduct } from '#tests/products.ts';
import { pay, setUnits, shopperWithCart } from '#tests/shop-actions.ts';
import { createTestApp, onOneEngine, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-FEW';

onOneEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug);
  });

  it.each([
    [2, { errorKey: 'rule.outOfStockFew', message: expect.stringContaining('Only 2 left') }],
    [0, { errorKey: 'rule.outOfStockLine', message: expect.stringContaining('is out of stock') }],
  ])('a payment for 5 units of which %i are left says so, as the cart does', async (left, body) => {
    await setUnits(testApp, mug, 5);
    const session = await shopperWithCart(testApp, mug, 5);
    await setUnits(testApp, mug, left);
    const { lineItems } = await testApp.call('myCart', { session });
    expect(lineItems[0]?.obtainable).toBe(left);
    expect(await pay(testApp, session)).toMatchObject({ status: 409, body });
  });
});
