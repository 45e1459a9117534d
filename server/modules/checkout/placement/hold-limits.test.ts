/** A network, or a customer, that takes stock off sale without paying for it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { houseChallengeCode } from '#payment-providers/house/values.ts';
import { createRateLimitsService, rateLimits } from '#server/platform/rate-limits/rate-limits.service.ts';
import { enter, issueCoupon } from '#tests/coupons.ts';
import { sellProduct } from '#tests/products.ts';
import {
  add,
  address,
  cards,
  contact,
  pay,
  reserve,
  setUnits,
  shopperWithCart,
  unitsOf,
  visit,
} from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';
import { mostOfBuyer, mostOfNetwork, mostUnits } from './hold-limits.ts';

const mug = 'MUG-OAT';
const attacker = '203.0.113.9';

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeEach(async () => {
    testApp = await createTestApp({ engine, demo: true, connections: 10 });
    await sellProduct(testApp, mug);
    await setUnits(testApp, mug, 500);
  });
  afterEach(() => testApp.close());

  const shoppers = (count: number, home: string): Promise<Shopper[]> =>
    Promise.all(Array.from({ length: count }, () => shopperWithCart(testApp, mug, 2, home)));

  it('one network holds at most forty unpaid orders, however many arrive at once', async () => {
    const sessions = await shoppers(mostOfNetwork + 20, attacker);
    const answers = await Promise.all(sessions.map((session) => pay(testApp, session, cards.challenge)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(mostOfNetwork);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expect((await unitsOf(testApp.db.read, mug)).held).toBe(2 * mostOfNetwork);

    // Refused customers keep their carts, and other networks are served.
    const refused = sessions[statuses.indexOf(429)];
    expect((await testApp.call('myCart', { session: refused ?? testApp.shopper() })).state).toBe('cart');
    const [other] = await shoppers(1, '198.51.100.7');
    expect((await pay(testApp, other ?? testApp.shopper())).status).toBe(200);

    // A customer who cancels or pays makes room for the next.
    const first = sessions[statuses.indexOf(200)];
    await testApp.call('cancelPayment', { session: first ?? testApp.shopper(), body: {} });
    expect((await pay(testApp, refused ?? testApp.shopper())).status).toBe(200);
    expect((await pay(testApp, first ?? testApp.shopper())).status).toBe(200);
  });

  it('the networks of one IPv6 /56 hold at most four times the unpaid orders of one network', async () => {
    let held = 0;
    for (let n = 0; held < 4 * mostOfNetwork + 1 && n < 9; n++) {
      const sessions = await shoppers(20, `2001:db8:1:${n.toString(16)}::1`);
      const answers = await Promise.all(sessions.map((session) => pay(testApp, session, cards.challenge)));
      held += answers.filter(({ status }) => status === 200).length;
    }
    expect(held).toBe(4 * mostOfNetwork);
    const [neighbour] = await shoppers(1, '2001:db8:1:100::1');
    expect((await pay(testApp, neighbour ?? testApp.shopper(), cards.challenge)).status).toBe(200);
  });

  it.runIf(engine === 'sqlite')('paid orders do not count towards the limit of a network', async () => {
    for (const session of await shoppers(mostOfNetwork + 5, attacker))
      expect((await pay(testApp, session)).status).toBe(200);
    const rows = await testApp.db.read
      .selectFrom('orders')
      .select('id')
      .where('held_from', 'is not', null)
      .execute();
    expect(rows).toEqual([]);
  });

  it('one shopper holds at most ten unpaid orders, reservations for pickup included', async () => {
    await testApp.services.stock.count([{ sku: mug, place: 'toronto-queen-west', units: 100 }]);
    const session = testApp.shopper('198.51.100.8');
    const statuses: number[] = [];
    for (let n = 0; n <= mostOfBuyer; n++) {
      await add(testApp, session, mug);
      await visit(testApp, session);
      statuses.push((await reserve(testApp, session)).status);
    }
    expect(statuses).toEqual([...Array(mostOfBuyer).fill(200), 429]);
    expect((await pay(testApp, session)).status).toBe(429);
  });

  describe('many units', () => {
    const held = async () => (await unitsOf(testApp.db.read, mug)).held;
    const begin = async (quantity: number, home: string) => {
      const session = await shopperWithCart(testApp, mug, quantity, home);
      expect((await pay(testApp, session, cards.challenge)).status).toBe(200);
      return session;
    };
    const confirmAtBank = async (session: Shopper) => {
      const rows = await testApp.db.read
        .selectFrom('house_charges')
        .select('reference')
        .where('state', '=', 'waiting')
        .execute();
      for (const { reference } of rows)
        await testApp.call('houseChallenge', {
          session,
          body: { token: reference, code: houseChallengeCode },
        });
      return testApp.ask('resumePayment', { session, body: { provider: 'house' } });
    };

    it('a payment of more units than a shopper may hold takes its stock with the charge', async () => {
      const session = await begin(mostUnits.ofBuyer + 1, attacker);
      expect(await held()).toBe(0);
      const { status } = await confirmAtBank(session);
      expect([status, await unitsOf(testApp.db.read, mug)]).toMatchObject([
        200,
        { stock: 469, held: 0, sold: 31 },
      ]);
    });

    it('a payment whose stock is gone at the charge is refunded', async () => {
      const session = await begin(60, attacker);
      await setUnits(testApp, mug, 59);
      const { status, body } = await confirmAtBank(session);
      expect([status, (body as unknown as { errorKey: string }).errorKey]).toEqual([
        402,
        'payment.lateRefunded',
      ]);
      expect(await unitsOf(testApp.db.read, mug)).toMatchObject({ stock: 59, held: 0 });
      expect((await testApp.call('myCart', { session })).state).toBe('cart');
    });

    it('the shoppers of one network together hold at most eighty units and half of a SKU', async () => {
      for (const quantity of [30, 30, 20]) await begin(quantity, attacker);
      expect(await held()).toBe(80);
      await begin(1, attacker);
      expect(await held()).toBe(80);
      await begin(1, '198.51.100.7');
      expect(await held()).toBe(81);
      await setUnits(testApp, mug, 12);
      await begin(7, '198.51.100.8');
      expect(await held()).toBe(81);
      await begin(5, '198.51.100.8');
      await begin(1, '198.51.100.8');
      await begin(1, '198.51.100.8');
      expect(await held()).toBe(87);
    });

    it('a reservation of more than unpaid orders may hold is refused, and the cart stays', async () => {
      const any = { totalCents: null, units: null, lines: null };
      await testApp.services.settings.update({ payAtStoreLimits: { customers: any, guests: any } });
      await testApp.services.stock.count([{ sku: mug, place: 'toronto-queen-west', units: 10 }]);
      const session = testApp.shopper(attacker);
      await add(testApp, session, mug, 6);
      await visit(testApp, session);
      const { status, body } = await reserve(testApp, session);
      const errors = { paymentMethod: expect.stringContaining('Please pay online') };
      expect([status, body]).toMatchObject([400, { errors }]);
      expect(await held()).toBe(0);
      await testApp.call('updateCartItem', { session, params: { itemName: mug }, body: { quantity: 5 } });
      expect((await reserve(testApp, session)).status).toBe(200);
    });
  });

  it('free orders are limited like reservations, by whichever call they are placed', async () => {
    const code = await issueCoupon(testApp, { percent: 100_000 });
    const freeCart = async (home: string) => {
      const session = testApp.shopper(home);
      await testApp.call('addToCart', { session, params: { itemName: mug }, body: { quantity: 1 } });
      await testApp.call('orderContactInfo', {
        session,
        query: { methodName: 'pickup', localStoreName: 'toronto-queen-west' },
        body: { contact },
      });
      await enter(testApp, session, code);
      return session;
    };
    await testApp.services.stock.count([{ sku: mug, place: 'toronto-queen-west', units: 100 }]);
    const { record: note } = createRateLimitsService({ db: testApp.db, now: testApp.clock.now });
    for (let n = 1; n < rateLimits.reserveAddress.free; n++) await note([['reserveAddress', attacker]]);
    const [first, second] = [await freeCart(attacker), await freeCart(attacker)];
    expect((await pay(testApp, first, cards.approve, { billingAddress: address })).status).toBe(200);
    const refused = await pay(testApp, second);
    expect([refused.status, refused.body.errorType]).toEqual([429, 'RATE_LIMITED']);
    expect((await testApp.call('myCart', { session: second })).state).toBe('cart');
    expect((await reserve(testApp, second)).status).toBe(429);
    expect((await pay(testApp, await freeCart('198.51.100.9'))).status).toBe(200);
  });
});
