/** Checkout calls for stores that do not exist, and with several errors at once. */
import { beforeAll, expect, it } from 'vitest';
import { sellProduct } from '#tests/products.ts';
import { address, cartWith, contact } from '#tests/shop-actions.ts';
import { createTestApp, onOneEngine, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-OAT';

onOneEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug);
    const { checkoutConfig } = await testApp.services.settings.all();
    await testApp.services.settings.update({ checkoutConfig: { ...checkoutConfig, requireMobile: true } });
  });
  const withCart = () => cartWith(testApp, mug);

  it('shipping with the name of a store that does not exist answers 404', async () => {
    const session = await withCart();
    const send = (localStoreName: string) =>
      testApp.ask('orderDeliverInfo', { session, query: { localStoreName }, body: { contact, address } });
    expect((await send('atlantis')).status).toBe(404);
    expect((await testApp.call('myCart', { session })).method).toBeNull();
    expect((await send('toronto-queen-west')).status).toBe(200);
  });

  it('orderContactInfo names every missing field of contact, store and table at once', async () => {
    const session = await withCart();
    const wrong = async (query: Record<string, unknown>) =>
      (await testApp.ask('orderContactInfo', { session, query, body: { contact: {} } })).body.errors;
    const missing = {
      'contact.phoneNumber': 'Your phone number is missing',
      'contact.email': 'Your email is missing',
    };
    expect(await wrong({ methodName: 'pickup' })).toEqual({
      ...missing,
      localStoreName: 'Please select a store location for pickup',
    });
    // The order is brought to the table: no email is needed.
    expect(await wrong({ methodName: 'instore', localStoreName: 'toronto-queen-west' })).toEqual({
      'contact.phoneNumber': 'Your phone number is missing',
      tableNumber: 'Table number is missing',
    });
    expect(await wrong({ methodName: 'shipping' })).toEqual({
      ...missing,
      'contact.firstName': 'Your first name is missing',
      'contact.lastName': 'Your last name is missing',
      methodName: 'Checkout method is missing',
    });
  });
});
