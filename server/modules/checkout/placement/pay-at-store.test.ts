/** What limits orders that are paid at the store: their size, the unpaid orders of a table, and the cards on the tables. */
import { beforeEach, describe, expect, it } from 'vitest';
import { mailsFor, register } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add, pay, reserve, unitsOf, visit } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const queenWest = 'toronto-queen-west';
const hour = 60 * 60_000;

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeEach(async () => {
    testApp = await createTestApp({ engine, demo: true, connections: 10 });
    await sellProduct(testApp, mug, { units: 500, priceCents: 1000 });
    await testApp.services.settings.update({ reservationHours: 200 });
  });

  const set = async (change: object) => {
    const { settings } = testApp.services;
    await settings.update({ tables: { ...(await settings.all()).tables, ...change } });
  };
  const cart = async (quantity: number, query: object = {}, session = testApp.shopper()) => {
    await add(testApp, session, mug, quantity);
    const { status, body } = await visit(testApp, session, query);
    return { session, status, errors: (body as unknown as { errors?: object }).errors };
  };
  const change = (session: Shopper, quantity: number) =>
    testApp.call('updateCartItem', { session, params: { itemName: mug }, body: { quantity } });
  const bill = (session: Shopper, lang: 'en' | 'zh' = 'en') =>
    testApp.call('getBilling', { session, lang, params: { gatewayName: '{host}' } });
  const refusal = async (session: Shopper) => {
    const { status, body } = await reserve(testApp, session);
    return status === 200 ? null : (body as unknown as { errors: Record<string, string> }).errors;
  };

  describe('the largest order that is paid at the store', () => {
    it('a guest’s larger order is paid online, and the bill says why in the guest’s language', async () => {
      const { session } = await cart(11);
      const words = 'You can pay in store for orders of up to 10 items. Please pay for this order online.';
      expect(await refusal(session)).toEqual({ paymentMethod: words });
      expect((await bill(session)).payAtStoreProblem).toBe(words);
      expect((await bill(session, 'zh')).payAtStoreProblem).toBe(
        '到店付款的订单上限为 10 件商品，此订单请在线支付。',
      );
      expect((await testApp.call('myCart', { session })).state).toBe('cart');
      expect((await pay(testApp, session)).status).toBe(200);
      const { session: other } = await cart(10);
      expect((await bill(other)).payAtStoreProblem).toBeUndefined();
      expect((await reserve(testApp, other)).status).toBe(200);
    });

    it('signed-in customers have higher limits than guests, by value and by lines too', async () => {
      const { session } = await register(testApp);
      await cart(21, {}, session);
      expect(await refusal(session)).toEqual({ paymentMethod: expect.stringContaining('up to 20 items') });
      await change(session, 20);
      const limits = { totalCents: 22_599, units: null, lines: 1 };
      await testApp.services.settings.update({ payAtStoreLimits: { customers: limits, guests: limits } });
      expect(await refusal(session)).toEqual({ paymentMethod: expect.stringContaining('up to $225.99') });
      await sellProduct(testApp, 'POT');
      await change(session, 1);
      await add(testApp, session, 'POT');
      expect(await refusal(session)).toEqual({
        paymentMethod: expect.stringContaining('up to 1 different item.'),
      });
      await testApp.call('deleteCartItem', { session, body: { itemName: 'POT' } });
      expect(await refusal(session)).toBeNull();
    });
  });

  describe('orders at tables', () => {
    const table = (number: string, more: object = {}) => ({
      methodName: 'instore',
      tableNumber: number,
      ...more,
    });

    it('a table has at most the set number of unpaid orders, however many arrive at once, and others go on', async () => {
      await set({ unpaidOrders: 3 });
      const carts = await Promise.all(Array.from({ length: 6 }, () => cart(1, table('7'))));
      const answers = await Promise.all(carts.map(({ session }) => reserve(testApp, session)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409]);
      const { session } =
        carts[answers.findIndex(({ status }) => status === 409)] ?? (await cart(1, table('7')));
      expect(await refusal(session)).toEqual({
        paymentMethod: expect.stringContaining('This table has many unpaid orders'),
      });
      expect((await reserve(testApp, (await cart(1, table('8'))).session)).status).toBe(200);
      const paid = answers.find(({ status }) => status === 200)?.body.orderID ?? '';
      const order = await testApp.db.read
        .selectFrom('orders')
        .select('order_number')
        .where('id', '=', paid)
        .executeTakeFirst();
      await testApp.services.fulfilment.move(order?.order_number ?? '', 'completed');
      expect(await refusal(session)).toBeNull();
      const { session: later } = await cart(1, table('7'));
      expect(await refusal(later)).not.toBeNull();
      testApp.clock.advance(6 * hour);
      expect(await refusal(later)).toBeNull();
    });

    it('an unpaid order of a table stays unpaid for as long as it takes, its stock stays used, and nobody is told that it lapsed', async () => {
      const { session } = await cart(1, table('9'));
      const { orderID = '' } = (await reserve(testApp, session)).body;
      const { order_number: number } = await testApp.db.read
        .selectFrom('orders')
        .select('order_number')
        .where('id', '=', orderID ?? '')
        .executeTakeFirstOrThrow();
      const before = await unitsOf(testApp.db.read, mug);
      for (const days of [1, 2, 30]) {
        testApp.clock.advance(days * 24 * hour);
        await testApp.services.holds.expireHolds();
      }
      expect(await unitsOf(testApp.db.read, mug)).toEqual(before);
      const desk = await testApp.services.fulfilment.show(number ?? '');
      expect([desk.state, desk.due]).toEqual(['reserved', desk.bill.total]);
      expect(await mailsFor(testApp, '', 'reservationLapsed')).toEqual([]);
    });

    it('a table’s hold that was given an end by an older version of the shop loses it', async () => {
      const { session } = await cart(1, table('10'));
      const { orderID } = (await reserve(testApp, session)).body;
      const holds = testApp.db.read
        .selectFrom('holds')
        .select('expires_at')
        .where('order_id', '=', orderID ?? '');
      await testApp.db.transaction((trx) =>
        trx
          .updateTable('holds')
          .set({ expires_at: testApp.clock.now() + hour })
          .where('order_id', '=', orderID ?? '')
          .execute(),
      );
      testApp.clock.advance(2 * hour);
      await testApp.services.holds.expireHolds();
      expect(await holds.execute()).toEqual([{ expires_at: null }]);
    });

    it('a table whose orders are paid online takes no unpaid order', async () => {
      await set({ payOnline: true });
      const { session } = await cart(1, table('7'));
      const words = 'Orders at tables are paid online';
      expect(await testApp.call('paymentConfig', {})).toMatchObject({ payOnlineAtTables: true });
      expect((await bill(session)).payAtStoreProblem).toBe(words);
      expect(await refusal(session)).toEqual({ paymentMethod: words });
      expect((await pay(testApp, session)).status).toBe(200);
    });

    it('a card’s token is valid for its table until the merchant renews the cards', async () => {
      const [, , third = ''] = await testApp.services.checkout.tableCardTokens(queenWest, { tables: 14 });
      const asked = { tableNumber: 'This table card is no longer valid. Please ask our staff for help.' };
      expect((await cart(1, table('4', { tableCard: third }))).errors).toEqual(asked);
      expect((await cart(1, table('3', { tableCard: 'x'.repeat(16) }))).errors).toEqual(asked);
      const { session, status } = await cart(1, table('03', { tableCard: third }));
      expect(status).toBe(200);
      expect((await testApp.services.checkout.tableCardTokens(queenWest, { tables: 14 }))[2]).toBe(third);
      const [, , renewed = ''] = await testApp.services.checkout.tableCardTokens(queenWest, {
        tables: 14,
        renew: true,
      });
      expect(await refusal(session)).toEqual(asked);
      expect((await cart(1, table('3', { tableCard: third }))).errors).toEqual(asked);
      expect(await refusal((await cart(1, table('3', { tableCard: renewed }))).session)).toBeNull();
    });

    it('a typed table number is enough unless the shop requires the card', async () => {
      const { session } = await cart(1, table('3'));
      await set({ cardRequired: true });
      const asked = { tableNumber: 'Please scan the code on your table’s card to order' };
      expect(await refusal(session)).toEqual(asked);
      expect((await pay(testApp, session)).body.errors).toEqual(asked);
      expect((await cart(1, table('3'))).errors).toEqual(asked);
      const [first = ''] = await testApp.services.checkout.tableCardTokens(queenWest, { tables: 14 });
      const { session: guest } = await cart(1, table('1', { tableCard: first }));
      expect(await refusal(guest)).toBeNull();
    });
  });
});
