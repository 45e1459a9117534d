/** Fulfilment of placed orders, and expiry of reserved ones. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailsFor, subjectOf } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add, contact, deliver, finish, setUnits, unitsOf } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const store = 'toronto-queen-west';
const hour = 60 * 60_000;
const fetchedAt = testNow + 4 * hour;
/** The store has been open for 24 hours after `fetchedAt`, and closes: Tuesday at 19:00 in Toronto. */
const lastClosing = Date.UTC(2026, 4, 19, 23);

forEachEngine((engine) => {
  let testApp: TestApp;
  let asked = 0;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug);
  });
  beforeEach(async () => {
    // Clears reservations of the previous test.
    testApp.clock.set(fetchedAt + 100 * 24 * hour);
    await testApp.services.payments.reconcile();
    testApp.clock.set(testNow);
    await setUnits(testApp, mug, 20, store);
  });

  interface Placed {
    session: Shopper;
    id: string;
    number: string;
    email: string;
  }

  /** A cart ready to be paid for. */
  async function filled(
    how: 'pickup' | 'ship',
    pickupDate: number | null = fetchedAt,
  ): Promise<{ session: Shopper; email: string }> {
    asked += 1;
    const email = `desk.${asked}@example.com`;
    const session = testApp.shopper();
    const who = { ...contact, email };
    if (how === 'ship') await testApp.services.stock.count([{ sku: mug, place: 'warehouse', units: 20 }]);
    await add(testApp, session, mug, 2);
    if (how === 'ship') await deliver(testApp, session, { contact: who });
    else {
      const query = { methodName: 'pickup', localStoreName: store };
      await testApp.call('orderContactInfo', { session, query, body: { contact: who } });
      if (pickupDate !== null) await testApp.call('orderPickupDate', { session, body: { pickupDate } });
    }
    return { session, email };
  }

  async function placed(
    how: 'reserve' | 'pay' | 'ship',
    lang: 'en' | 'zh' = 'en',
    at: number | null = fetchedAt,
  ): Promise<Placed> {
    const { session, email } = await filled(how === 'ship' ? 'ship' : 'pickup', at);
    return {
      session,
      ...(await finish(testApp, session, { how: how === 'reserve' ? how : 'pay', lang })),
      email,
    };
  }

  const fulfilment = () => testApp.services.fulfilment;
  const orderOf = ({ session, id }: Placed) => testApp.call('order', { session, params: { id } });
  const subjects = async (email: string) => (await mailsFor(testApp, email)).map(subjectOf).sort();
  const taken = async () =>
    (
      await testApp.db.read
        .selectFrom('pickup_slots')
        .select('taken')
        .where('slot_at', '=', fetchedAt)
        .executeTakeFirst()
    )?.taken ?? 0;

  it('the list of orders has the open ones, and an order is found by its number', async () => {
    const order = await placed('reserve');
    const { orders } = await fulfilment().page({ states: ['placed', 'reserved'] }, { size: 50 });
    expect(orders.map(({ number }) => number)).toContain(order.number);
    const reserved = await fulfilment().page({ states: ['reserved'] }, { size: 50 });
    expect(new Set(reserved.orders.map(({ state }) => state))).toEqual(new Set(['reserved']));
    expect(await fulfilment().show(` ${order.number.toLowerCase()} `)).toMatchObject({
      orderNumber: order.number,
      state: 'reserved',
    });
    await expect(fulfilment().find('MC-1')).rejects.toThrow('There is no order MC-1');
  });

  it('a reserved order is made ready with an email, and sold when it is picked up', async () => {
    const order = await placed('reserve', 'zh');
    const before = await unitsOf(testApp.db.read, mug);
    await fulfilment().move(order.number, 'ready');
    await fulfilment().move(order.number, 'completed');
    expect(await orderOf(order)).toMatchObject({
      state: 'completed',
      payment: { method: 'payAtStore', paid: true },
      timeline: [{ state: 'reserved' }, { state: 'ready' }, { state: 'completed' }],
    });
    expect(await unitsOf(testApp.db.read, mug)).toEqual({
      ...before,
      held: before.held - 2,
      sold: before.sold + 2,
    });
    expect(await subjects(order.email)).toEqual([
      expect.stringContaining('已收到'),
      expect.stringContaining('可以取货了'),
      expect.stringContaining('已确认'),
    ]);
  });

  it('an order moves only where its state allows, and no step is taken twice', async () => {
    const [shipped, collected] = [await placed('ship'), await placed('pay')];
    await expect(fulfilment().move(shipped.number, 'ready')).rejects.toThrow(
      'is placed (shipping) and cannot become ready',
    );
    await expect(fulfilment().move(collected.number, 'shipped')).rejects.toThrow('cannot become shipped');
    const twice = await Promise.allSettled([
      fulfilment().move(shipped.number, 'shipped'),
      fulfilment().move(shipped.number, 'shipped'),
    ]);
    expect(twice.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await subjects(shipped.email)).toHaveLength(2);
    await expect(testApp.services.orderRefunds.cancelOrder(shipped.number, '')).rejects.toThrow(
      'cannot become cancelled',
    );
  });

  describe('cancellation', () => {
    it('a cancelled paid order releases its stock and its pickup time and refunds the payment, with an email', async () => {
      const before = { units: await unitsOf(testApp.db.read, mug), taken: await taken() };
      const order = await placed('pay');
      expect(await taken()).toBe(before.taken + 1);
      const { refund } = await testApp.services.orderRefunds.cancelOrder(order.number, 'out of clay');
      const { state, bill, payment } = await orderOf(order);
      expect([state, payment?.refunded, refund?.given]).toEqual(['cancelled', bill.total, true]);
      expect(await unitsOf(testApp.db.read, mug)).toEqual(before.units);
      expect(await taken()).toBe(before.taken);
      expect(await subjects(order.email)).toEqual([
        expect.stringMatching(/^Order .* has been cancelled – Maple & Clay$/),
        expect.stringMatching(/^Order .* is confirmed – Maple & Clay$/),
        expect.stringMatching(/^Refund for order/),
      ]);
      await expect(testApp.services.orderRefunds.cancelOrder(order.number, '')).rejects.toThrow(
        'is cancelled',
      );
    });

    it('a cancelled order refunds only what was not refunded before', async () => {
      const order = await placed('pay');
      await testApp.services.orderRefunds.refund(order.number, { amount: 1000, reason: '' });
      const { refund } = await testApp.services.orderRefunds.cancelOrder(order.number, '');
      const { bill, payment } = await orderOf(order);
      expect([refund?.refund.amount, payment?.refunded]).toEqual([bill.total - 1000, bill.total]);
    });

    it('a cancelled reservation releases its stock and refunds nothing', async () => {
      const before = await unitsOf(testApp.db.read, mug);
      const order = await placed('reserve');
      const { refund } = await testApp.services.orderRefunds.cancelOrder(order.number, '');
      expect(refund).toBeNull();
      expect(await unitsOf(testApp.db.read, mug)).toEqual(before);
      expect(await subjects(order.email)).toHaveLength(2);
    });

    it('a cancellation by two at once happens once', async () => {
      const before = await unitsOf(testApp.db.read, mug);
      const order = await placed('pay');
      const both = await Promise.allSettled(
        [1, 2].map(() => testApp.services.orderRefunds.cancelOrder(order.number, '')),
      );
      expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await unitsOf(testApp.db.read, mug)).toEqual(before);
    });
  });

  describe('expiry of reservations', () => {
    it('a reservation is held until its store has been open for the promised hours, then its stock is on sale again, with an email', async () => {
      const before = { units: await unitsOf(testApp.db.read, mug), taken: await taken() };
      const order = await placed('reserve', 'zh');
      testApp.clock.set(lastClosing - 1);
      await testApp.services.payments.reconcile();
      expect((await orderOf(order)).state).toBe('reserved');
      testApp.clock.advance(1);
      expect((await testApp.services.payments.reconcile()).lapsed).toBe(1);
      expect(await orderOf(order)).toMatchObject({ state: 'lapsed', payment: { paid: false } });
      expect(await unitsOf(testApp.db.read, mug)).toEqual(before.units);
      expect(await taken()).toBe(before.taken);
      expect(await subjects(order.email)).toContainEqual(expect.stringContaining('已过期'));
      expect((await testApp.call('myCart', { session: order.session })).lineItems).toEqual([]);
      await expect(fulfilment().move(order.number, 'completed')).rejects.toThrow('is lapsed');
    });

    it.each([
      ['en', /hold your items until Tuesday, May 19 at 19:00/],
      ['zh', /为您保留到5月19日周二 19:00/],
    ] as const)(
      'a reservation shows until when it is held, by the clock of its store, on the order and in emails, in %s',
      async (lang, words) => {
        const order = await placed('reserve', lang);
        expect((await orderOf(order)).reservedUntil).toBe(lastClosing);
        await fulfilment().move(order.number, 'ready');
        expect((await orderOf(order)).reservedUntil).toBe(lastClosing);
        const mails = await mailsFor(testApp, order.email);
        expect(mails).toHaveLength(2);
        for (const mail of mails)
          expect([mail.text, mail.html]).toEqual([
            expect.stringMatching(words),
            expect.stringMatching(words),
          ]);
        await fulfilment().cancel(order.number, 'the test is over');
        expect(await orderOf(order)).not.toHaveProperty('reservedUntil');
      },
    );

    it('a bill for payment in store says until when the items would be held, and a shipped order’s does not', async () => {
      const bill = async (session: Shopper) =>
        testApp.call('getBilling', {
          session,
          params: { gatewayName: '{host}' },
          query: { pickUpAandPayAtStore: true },
        });
      const { session } = await filled('pickup');
      expect((await bill(session)).reservedUntil).toBe(lastClosing);
      expect(await bill((await filled('ship')).session)).not.toHaveProperty('reservedUntil');
    });

    it('a reservation that is ready expires too, and one that was picked up does not', async () => {
      await testApp.services.settings.update({ reservationHours: 2 });
      const [waiting, collected] = [await placed('reserve'), await placed('reserve')];
      await fulfilment().move(waiting.number, 'ready');
      await fulfilment().move(collected.number, 'completed');
      // The store closes on that Saturday at 21:00.
      testApp.clock.set(Date.UTC(2026, 4, 17, 1));
      await testApp.services.payments.reconcile();
      expect([(await orderOf(waiting)).state, (await orderOf(collected)).state]).toEqual([
        'lapsed',
        'completed',
      ]);
      await testApp.services.settings.update({ reservationHours: 24 });
    });

    it('a reservation of Saturday night does not expire on Monday at a store that is closed on Sunday and Monday', async () => {
      const stores = await testApp.services.stores.all();
      const queenWest = stores.find(({ id }) => id === store);
      if (!queenWest) throw new Error('The store is not there');
      const openingHours = { ...queenWest.openingHours, sunday: null, monday: null };
      const specialHours = [{ date: '2026-05-19', hours: null }];
      await testApp.services.stores.upsert([{ ...queenWest, openingHours }]);
      const { checkoutConfig } = await testApp.services.settings.all();
      await testApp.services.settings.update({
        reservationHours: 8,
        checkoutConfig: { ...checkoutConfig, displayPickupTime: false },
      });
      // Saturday at 22:00 in Toronto.
      testApp.clock.set(Date.UTC(2026, 4, 17, 2));
      const order = await placed('reserve', 'en', null);
      const tuesday = Date.UTC(2026, 4, 19, 23);
      expect((await orderOf(order)).reservedUntil).toBe(tuesday);
      testApp.clock.set(tuesday - 4 * hour);
      await testApp.services.payments.reconcile();
      expect((await orderOf(order)).state).toBe('reserved');
      // The store closes for that Tuesday as well, after the reservation was made.
      await testApp.services.stores.upsert([{ ...queenWest, openingHours, specialHours }]);
      expect((await orderOf(order)).reservedUntil).toBe(tuesday + 24 * hour);
      testApp.clock.set(tuesday);
      expect((await testApp.services.payments.reconcile()).lapsed).toBe(0);
      expect((await orderOf(order)).state).toBe('reserved');
      testApp.clock.set(tuesday + 24 * hour);
      expect((await testApp.services.payments.reconcile()).lapsed).toBe(1);
      expect((await orderOf(order)).state).toBe('lapsed');
      await testApp.services.stores.upsert([queenWest]);
      await testApp.services.settings.update({ reservationHours: 24, checkoutConfig });
    });

    it('an expired reservation’s stock goes to the next shopper at once', async () => {
      await setUnits(testApp, mug, 2, store);
      await placed('reserve');
      testApp.clock.set(fetchedAt + 90 * 24 * hour);
      expect((await add(testApp, testApp.shopper(), mug)).status).toBe(200);
    });
  });
});
