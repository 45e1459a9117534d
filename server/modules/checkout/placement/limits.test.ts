/** Limits that prevent orders other than their contents: rate limits, and the merchant's settings. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { createRateLimitsService, rateLimits } from '#server/platform/rate-limits/rate-limits.service.ts';
import { sellProduct } from '#tests/products.ts';
import { add, cards, contact, pay, reserve, shopperWithCart, visit } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const queenWest = 'toronto-queen-west';
const hour = 3_600_000;

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug);
    await testApp.services.stock.count([{ sku: mug, place: queenWest, units: 100 }]);
  });
  let days = 0;
  // Resets the counts.
  beforeEach(() => {
    days += 1;
    testApp.clock.set(testNow + days * 24 * hour);
  });

  it('reservations cannot be used to email strangers or to empty the shelves', async () => {
    const { record: note } = createRateLimitsService({ db: testApp.db, now: testApp.clock.now });
    const name = 'Dear winner,\n\nclaim at\r\nhttps://evil.example';
    const by = async (email: string) => {
      const session = await shopperWithCart(testApp, mug);
      const body = { contact: { ...contact, firstName: name, email } };
      await testApp.call('orderContactInfo', {
        session,
        query: { methodName: 'pickup', localStoreName: queenWest },
        body,
      });
      return { session, answer: await reserve(testApp, session) };
    };
    const one = await by('somebody@example.com');
    expect(one.answer.status).toBe(200);
    const order = await testApp.call('order', {
      session: one.session,
      params: { id: one.answer.body.orderID },
    });
    expect(order.orderContact?.firstName).toBe('Dear winner, claim at https://evil.example');

    for (let n = 1; n < rateLimits.reserveEmail.free; n++)
      await note([['reserveEmail', 'somebody@example.com']]);
    const same = await by(' Somebody@Example.com');
    expect([same.answer.status, same.answer.body.errorType]).toEqual([429, 'RATE_LIMITED']);
    expect((await testApp.call('myCart', { session: same.session })).state).toBe('cart');
    expect((await by('another@example.com')).answer.status).toBe(200);

    for (let n = 0; n < rateLimits.reserveAddress.free; n++) await note([['reserveAddress', '127.0.0.1']]);
    expect((await by('third@example.com')).answer.status).toBe(429);
    testApp.clock.advance(hour);
    expect((await by('third@example.com')).answer.status).toBe(200);
  });

  it('a session with many declined cards is stopped from trying more for a while', async () => {
    const { record: note } = createRateLimitsService({ db: testApp.db, now: testApp.clock.now });
    for (let n = 2; n < rateLimits.declinedAddress.free; n++) await note([['declinedAddress', '127.0.0.1']]);
    const session = await shopperWithCart(testApp, mug);
    for (const status of [402, 402, 429])
      expect((await pay(testApp, session, cards.decline)).status).toBe(status);
    expect((await pay(testApp, session)).status).toBe(429);
    expect((await testApp.call('myCart', { session })).state).toBe('cart');
    testApp.clock.advance(60 * 60_000);
    expect((await pay(testApp, session)).status).toBe(200);
  });

  it('no order is placed while the tax of its province is not set up', async () => {
    const { taxRates } = await testApp.services.settings.all();
    await testApp.services.settings.update({
      taxRates: taxRates.filter(({ provinceCode }) => provinceCode !== 'ON'),
    });
    const session = testApp.shopper();
    await add(testApp, session, mug);
    await visit(testApp, session);
    for (const { status, body } of [await reserve(testApp, session), await pay(testApp, session)])
      expect([status, body.errorKey]).toEqual([409, 'rule.taxUnknown']);
    expect((await testApp.call('myCart', { session })).state).toBe('cart');
    await testApp.services.settings.update({ taxRates });
    expect((await reserve(testApp, session)).body).toMatchObject({ errorKey: 'billChanged' });
    await testApp.call('getBilling', { session, params: { gatewayName: '{host}' } });
    expect((await reserve(testApp, session)).status).toBe(200);
  });
});
