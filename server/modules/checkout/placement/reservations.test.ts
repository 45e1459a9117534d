/** Orders that are paid at the store, and what a placed order keeps. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sellProduct } from '#tests/products.ts';
import {
  cartWith,
  choosePickup,
  deliver,
  everything,
  pay,
  reserve,
  setUnits,
  shopperWithCart,
  unitsOf,
  visit,
} from '#tests/shop-actions.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const pot = 'TEAPOT';
const gaiwan = 'GAIWAN';
const latte = 'LATTE';
const queenWest = 'toronto-queen-west';
const hour = 3_600_000;
/** 14:00 in Toronto on the day of the test. */
const two = testNow + 4 * hour;

onBothEngines((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, connections: 10 });
    await sellProduct(testApp, mug, { units: 500 });
    await sellProduct(testApp, pot);
    await sellProduct(testApp, gaiwan, { name: { en: 'Gaiwan' } });
    await sellProduct(testApp, latte, { inStoreOnly: true });
  });

  const withCart = (sku = mug) => cartWith(testApp, sku);
  const pickupDate = (session: Shopper, at: number) => choosePickup(testApp, session, at);

  describe('reservations', () => {
    it('a reservation places the order to be paid at the store and holds its items and its time', async () => {
      const session = await withCart(pot);
      await visit(testApp, session);
      await pickupDate(session, two + hour);
      const before = await unitsOf(testApp.db.read, pot);
      const { status, body } = await reserve(testApp, session);
      expect(status).toBe(200);
      const order = await testApp.call('order', { session, params: { id: body.orderID } });
      expect(order).toMatchObject({
        state: 'reserved',
        orderReserved: true,
        pickUpAtStore: true,
        localStoreName: queenWest,
        pickupDate: two + hour,
        placedAt: testNow,
        payment: { method: 'payAtStore', paid: false },
        lineItems: [{ sku: pot, inventoryProcessingStatus: 'processed' }],
      });
      expect(order.orderNumber).toMatch(/^MC-2026-\d{6}$/);
      expect(await unitsOf(testApp.db.read, pot)).toEqual({
        ...before,
        stock: before.stock - 1,
        held: before.held + 1,
      });
      expect((await testApp.call('myCart', { session })).lineItems).toEqual([]);
    });

    it('a repeated reservation gives the same order', async () => {
      const session = await withCart();
      const { body: order } = await visit(testApp, session);
      const body = { billVersion: order.bill.billVersion };
      const answers = await Promise.all([
        reserve(testApp, session, body),
        reserve(testApp, session, body),
        reserve(testApp, session),
      ]);
      answers.push(await reserve(testApp, session, body));
      expect(new Set(answers.map((answer) => answer.body.orderID)).size).toBe(1);
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    });

    it('a reservation takes a body or none', async () => {
      const session = await withCart();
      await visit(testApp, session);
      expect((await testApp.ask('reserve', { session })).status).toBe(200);
    });

    it('a dine-in reservation is for a table', async () => {
      const session = await withCart(latte);
      await visit(testApp, session, { methodName: 'instore', tableNumber: '7' });
      const { body } = await reserve(testApp, session);
      expect(await testApp.call('order', { session, params: { id: body.orderID } })).toMatchObject({
        state: 'reserved',
        inStore: true,
        tableNumber: '7',
      });
    });

    it('a reservation needs a method with payment at the store', async () => {
      const session = await withCart();
      expect((await reserve(testApp, session)).body.errors).toEqual({
        methodName: 'Checkout method is missing',
      });
      await deliver(testApp, session);
      expect((await reserve(testApp, session)).body.errors).toEqual({
        paymentMethod: 'Payment method has not been setup',
      });
      expect((await reserve(testApp, testApp.shopper())).status).toBe(409);
    });

    it('a reservation for a time that has filled up is rejected and leaves the cart as it was', async () => {
      const at = two + 2 * hour;
      const shoppers = await Promise.all(Array.from({ length: 6 }, () => withCart()));
      for (const session of shoppers) {
        await visit(testApp, session);
        await pickupDate(session, at);
      }
      const answers = await Promise.all(shoppers.map((session) => reserve(testApp, session)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 400, 400]);
      const refused = answers.findIndex(({ status }) => status === 400);
      expect(answers[refused]?.body.errors).toEqual({
        pickupDate: 'That time is fully booked. 16:05 is the next free time.',
      });
      expect(
        (await testApp.call('myCart', { session: shoppers[refused] as Shopper })).lineItems,
      ).toHaveLength(1);
      const day = await testApp.call('pickupSlots', {
        query: { localStoreName: queenWest, date: '2026-05-16' },
      });
      expect(day.slots.find((slot) => slot.at === at)).toMatchObject({ available: false, reason: 'full' });
    });

    it('a reservation names the lines that have sold out meanwhile', async () => {
      const session = await withCart(gaiwan);
      await visit(testApp, session);
      await setUnits(testApp, gaiwan, 5);
      const before = await everything(testApp.db.read);
      const { status, body } = await reserve(testApp, session);
      expect([status, body.errors]).toEqual([409, { [`lineItems.${gaiwan}`]: 'Gaiwan is out of stock' }]);
      expect(await everything(testApp.db.read)).toEqual(before);
      expect((await testApp.call('myCart', { session })).lineItems[0]).toMatchObject({
        inventoryProcessingStatus: 'notAvailable',
        obtainable: 0,
      });
    });
  });

  describe('placed orders', () => {
    it('a placed order is visible to the session that placed it and to nobody else', async () => {
      const session = await withCart();
      const { body: cart } = await visit(testApp, session);
      const cartId = cart.orderID ?? '';
      expect((await testApp.ask('order', { session, params: { id: cartId } })).status).toBe(404);
      const { body } = await reserve(testApp, session);
      expect(body.orderID).toBe(cartId);
      expect((await testApp.ask('order', { session, params: { id: cartId } })).status).toBe(200);
      const stranger = await withCart();
      for (const other of [stranger, testApp.shopper()]) {
        expect((await testApp.ask('order', { session: other, params: { id: cartId } })).body).toMatchObject({
          errorType: 'NOT_FOUND',
        });
      }
    });

    it('a placed order stays as agreed when the catalogue changes', async () => {
      const session = await shopperWithCart(testApp, mug, 2);
      const { body } = await pay(testApp, session);
      const before = await testApp.call('order', { session, params: { id: body.orderID } });
      await testApp.db.transaction(async (trx) => {
        await trx
          .updateTable('products')
          .set({ name: '{"en":"Other"}' })
          .where('id', '=', 'mug-oat')
          .execute();
        await trx.updateTable('skus').set({ price_cents: 1 }).where('id', '=', mug).execute();
      });
      expect(await testApp.call('order', { session, params: { id: body.orderID } })).toEqual(before);
    });
  });
});
