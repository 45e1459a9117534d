/** Guest sessions: how many one network can start, and how long they last. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sellProduct } from '#tests/products.ts';
import { add } from '#tests/shop-actions.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';
import { createRateLimitsService, rateLimits } from '../rate-limits/rate-limits.service.ts';
import { firstVisitMs, sessionMs } from './sessions.service.ts';

const mug = 'MUG-OAT';
const attacker = '203.0.113.9';
const hour = 3_600_000;

onBothEngines((engine) => {
  let testApp: TestApp;
  beforeEach(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug);
  });
  afterEach(() => testApp.close());

  const carts = async () =>
    (await testApp.db.read.selectFrom('orders').select('id').where('state', '=', 'cart').execute()).length;
  const unitsInCart = async (session: Shopper) =>
    (await testApp.call('myCart', { session })).lineItems[0]?.quantity ?? 0;

  it('one network starts a limited number of guest carts an hour, exactly counted', async () => {
    const { record: note } = createRateLimitsService({ db: testApp.db, now: testApp.clock.now });
    for (let n = 5; n < rateLimits.guestAddress.free; n++) await note([['guestAddress', attacker]]);
    const known = testApp.shopper(attacker);
    expect((await add(testApp, known, mug)).status).toBe(200);
    const before = await carts();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => add(testApp, testApp.shopper(attacker), mug)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(answers.filter(({ body }) => body.errorType === 'RATE_LIMITED')).toHaveLength(16);
    expect((await carts()) - before).toBe(4);

    // Clients with a cart continue shopping, other networks are served, and the next hour starts a new count.
    expect((await add(testApp, known, mug)).status).toBe(200);
    expect((await add(testApp, testApp.shopper('198.51.100.7'), mug)).status).toBe(200);
    testApp.clock.advance(hour);
    expect((await add(testApp, testApp.shopper(attacker), mug)).status).toBe(200);
  });

  it('a guest’s cart whose cookie never comes back is deleted after two days', async () => {
    const before = await carts();
    await add(testApp, testApp.shopper(), mug);
    testApp.clock.advance(firstVisitMs - 1);
    await testApp.services.runMaintenance();
    expect(await carts()).toBe(before + 1);
    testApp.clock.advance(1);
    await testApp.services.runMaintenance();
    expect(await carts()).toBe(before);
    expect(await testApp.db.read.selectFrom('sessions').select('id_hash').execute()).toEqual([]);
  });

  it.each([
    ['looks at a page', (session: Shopper) => testApp.call('userInfo2', { session })],
    ['adds something', (session: Shopper) => add(testApp, session, mug)],
    [
      'changes a quantity',
      (session: Shopper) =>
        testApp.call('updateCartItem', { session, params: { itemName: mug }, body: { quantity: 2 } }),
    ],
  ] as const)('a guest who %s again keeps the cart for sixty days', async (_what, comeBack) => {
    const session = testApp.shopper();
    await add(testApp, session, mug);
    await comeBack(session);
    const [row] = await testApp.db.read.selectFrom('sessions').selectAll().execute();
    expect((row?.expires_at ?? 0) - testApp.clock.now()).toBe(sessionMs);
    testApp.clock.advance(sessionMs - 1);
    expect(await unitsInCart(session)).toBeGreaterThan(0);
    testApp.clock.advance(1);
    expect(await unitsInCart(session)).toBe(0);
  });
});
