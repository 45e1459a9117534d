import { beforeAll, describe, expect, it } from 'vitest';
import { mintPermit } from '#server/platform/permits.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { approveAgent, lines, shipped } from '#tests/agents.ts';
import { sellProduct } from '#tests/products.ts';
import {
  add,
  address,
  cartWith,
  choosePickup,
  contact,
  deliver,
  pay,
  reserve,
  visit,
} from '#tests/shop-actions.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const queenWest = 'toronto-queen-west';
const hour = 3_600_000;
/** 14:00 in Toronto on the day of the test. */
const two = testNow + 4 * hour;

onBothEngines((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug);
    await testApp.services.stock.count([{ sku: mug, place: queenWest, units: 500 }]);
    const { checkoutConfig } = await testApp.services.settings.all();
    await testApp.services.settings.update({ checkoutConfig: { ...checkoutConfig, requireMobile: true } });
  });

  const withCart = (sku = mug) => cartWith(testApp, sku);
  const pickupDate = (session: Shopper, at: number) => choosePickup(testApp, session, at);

  describe('the checkout configuration', () => {
    it('the checkout configuration comes from the settings and the stores', async () => {
      expect(await testApp.call('checkoutConfig')).toEqual({
        partyCharge: expect.objectContaining({ fromPartySize: 6, stores: ['ottawa-byward'] }),
        enabledGuestOrders: true,
        enablePickup: true,
        domesticShippingEnabled: true,
        inStoreEnabled: true,
        requireMobile: true,
        requireEmail: true,
        emailOptionalAtTables: true,
        displayPickupLocations: true,
        displayPickupTime: true,
        localDelivery: true,
      });
      expect(await testApp.call('paymentConfig')).toEqual({
        payAtStoreEnabled: true,
        paymentOnline: true,
        payPalEnabled: false,
        defaultGateWayProviderName: '{host}',
      });
    });
  });

  describe('shipping', () => {
    it('a shipping address gets the cheapest method and the bill', async () => {
      const { status, body } = await deliver(testApp, await withCart());
      expect(status).toBe(200);
      expect(body).toMatchObject({
        method: 'shipping',
        pickUpAtStore: false,
        inStore: false,
        shippingMethod: 'ca-standard',
        orderContact: contact,
        shippingContact: contact,
        shippingAddress: { city: 'Waterloo', province: 'Ontario', country: 'Canada', countryISOCode: 'CA' },
        bill: {
          subtotal: 3200,
          shipping: 1200,
          taxLines: [{ label: 'HST 13%', amount: 572 }],
          tax: 572,
          total: 4972,
          final: true,
        },
      });
    });

    it('a shipping form names everything that is missing, by its field, in either language', async () => {
      const session = await withCart();
      const send = (lang: 'en' | 'zh') =>
        testApp.ask('orderDeliverInfo', {
          session,
          lang,
          body: { contact: {}, address: { addressDescription: 'x' } },
        });
      const { status, body } = await send('en');
      expect(status).toBe(400);
      expect(body.errorType).toBe('REQUEST_VALIDATION_ERROR');
      expect(body.errors).toEqual({
        'contact.firstName': 'Your first name is missing',
        'contact.lastName': 'Your last name is missing',
        'contact.phoneNumber': 'Your phone number is missing',
        'contact.email': 'Your email is missing',
        'address.streetNumberAndNameDetails': 'Your address is missing',
        'address.city': 'Your city is missing',
        'address.postCode': 'Your zipcode is missing',
        'address.countryISOCode': 'Your country is missing',
        'address.province': 'Your state/province is missing',
      });
      expect((await send('zh')).body.errors).toMatchObject({ 'contact.phoneNumber': '请填写电话号码' });
    });

    it('the receiver of a gift has a first and a last name', async () => {
      const session = await withCart();
      const body = { contact, shippingContact: { firstName: 'Mei' }, address };
      const { errors } = (await testApp.ask('orderDeliverInfo', { session, body })).body;
      expect(errors).toEqual({ 'shippingContact.lastName': 'Your last name is missing' });
    });

    it('a province is known by name in either language or by code, if the shop ships there', async () => {
      const session = await withCart();
      for (const province of ['Quebec', '魁北克省', 'qc']) {
        const { body } = await deliver(testApp, session, {
          address: { ...address, province, postCode: 'H2X 1Y4' },
        });
        expect([body.shippingAddress?.province, body.bill.taxLines.map(({ label }) => label)]).toEqual([
          'Quebec',
          ['GST 5%', 'QST 9.975%'],
        ]);
      }
      const wrong = async (change: object) =>
        (await deliver(testApp, session, { address: { ...address, ...change } })).body.errors;
      expect(await wrong({ province: 'Atlantis' })).toEqual({
        'address.province': 'Please choose a state/province from the list',
      });
      expect(
        await wrong({ countryISOCode: 'US', province: 'Puerto Rico', postCode: '00907' }),
      ).toBeUndefined();
      expect(await wrong({ countryISOCode: 'FR', province: 'Paris' })).toEqual({
        'address.countryISOCode': 'We don’t ship to this country',
      });
    });

    it('a chosen shipping method is used if it is offered for the address', async () => {
      const session = await withCart();
      const { body } = await deliver(testApp, session, { shippingMethod: 'ca-express' });
      expect([body.shippingMethod, body.bill.shipping]).toEqual(['ca-express', 2200]);
      const wrong = await deliver(testApp, session, { shippingMethod: 'us-standard' });
      expect(wrong.body.errors).toEqual({ shippingMethod: 'Please choose a shipping method from the list' });
      expect(
        await testApp.call('shippingMethods', { session, query: { country: 'CA', province: 'Ontario' } }),
      ).toMatchObject([
        { id: 'ca-standard', price: 1200 },
        { id: 'ca-express', price: 2200 },
      ]);
      expect(
        await testApp.call('shippingMethods', { session, query: { country: 'CA', province: 'Nunavut' } }),
      ).toMatchObject([{ id: 'ca-north' }]);
      expect(await testApp.call('shippingMethods', { session, query: { country: 'FR' } })).toEqual([]);
    });

    it('the promised delivery costs what the bill charges, and has the dates of its method', async () => {
      const session = await withCart();
      const promise = await testApp.call('deliveryPromise', { session });
      const bill = await testApp.call('billEstimate', {
        session,
        query: { methodName: 'shipping', country: 'CA', province: 'Ontario' },
      });
      expect(promise).toMatchObject({ price: bill.shipping, freeOver: 9500 });
      expect(promise?.earliest.localeCompare(promise.latest)).toBe(-1);
      const { settings } = testApp.services;
      const { checkoutConfig } = await settings.all();
      await settings.update({ checkoutConfig: { ...checkoutConfig, domesticShippingEnabled: false } });
      expect(await testApp.call('deliveryPromise', { session })).toBeNull();
      await settings.update({ checkoutConfig });
    });

    it('an order that is shipped has the days of its arrival until it ends', async () => {
      const session = await withCart();
      const promise = await testApp.call('deliveryPromise', { session });
      await deliver(testApp, session);
      const { body } = await pay(testApp, session);
      const placed = () => testApp.call('order', { session, params: { id: body.orderID ?? '' } });
      const { orderNumber, arrival } = await placed();
      expect(arrival).toEqual({ earliest: promise?.earliest, latest: promise?.latest });
      await testApp.services.fulfilment.move(orderNumber ?? '', 'shipped');
      expect((await placed()).arrival).toEqual(arrival);
      await testApp.services.fulfilment.move(orderNumber ?? '', 'completed');
      expect((await placed()).arrival).toBeUndefined();
      const pickup = await withCart();
      expect((await visit(testApp, pickup)).body.arrival).toBeUndefined();
    });

    it('the days that an order was promised stay when the shop packs slower afterwards, and through a change of the order', async () => {
      const session = await withCart();
      await deliver(testApp, session);
      const [offered] = await testApp.call('shippingMethods', {
        session,
        query: { country: 'CA', province: 'Ontario' },
      });
      const { body } = await pay(testApp, session);
      const placed = () => testApp.call('order', { session, params: { id: body.orderID ?? '' } });
      const { orderNumber, lineItems, bill } = await placed();
      expect(bill).not.toHaveProperty('promise');
      const { settings, officeOrders, orderChanges } = testApp.services;
      const { packing } = await settings.all();
      const id = body.orderID ?? '';
      const permit = mintPermit('orders.read', { kind: 'terminal' }, null);
      const promised = async () => ({
        shop: (await placed()).arrival,
        staff: (await officeOrders.sheet(permit, orderNumber ?? '', 'en')).delivery?.arrival,
      });
      const before = await promised();
      expect(before).toEqual({ shop: offered?.arrival, staff: offered?.arrival });
      await settings.update({ packing: { ...packing, packingDays: packing.packingDays + 3 } });
      expect(await promised()).toEqual(before);
      const [next] = await testApp.call('shippingMethods', {
        session,
        query: { country: 'CA', province: 'Ontario' },
      });
      expect(next?.arrival).not.toEqual(offered?.arrival);
      const lines = [{ line: lineItems[0]?.id ?? '', quantity: 3 }];
      const { version } = await orderChanges.plan(id, lines, 'en');
      await orderChanges.book(id, { lines, version, mayGiveBack: true }, 'en');
      expect((await placed()).bill.total).toBeGreaterThan(bill.total);
      expect(await promised()).toEqual(before);
      await settings.update({ packing });
    });

    it('a shop that packs slower in the middle of a checkout promises the same days in every place', async () => {
      const session = await withCart();
      await deliver(testApp, session, { shippingMethod: 'ca-standard' });
      const agent = await approveAgent(testApp);
      const { body: opened } = await agent.ask('POST', '/checkout-sessions', {
        ...lines([mug, 1]),
        ...shipped,
      });
      const dayOf = (time = '') => wallClock(Date.parse(time), 'America/Toronto').date;
      const promises = async () => {
        const { earliest, latest } = (await testApp.call('deliveryPromise', { session })) ?? {};
        const methods = await testApp.call('shippingMethods', {
          session,
          query: { country: 'CA', province: 'Ontario' },
        });
        const { body } = await agent.ask('GET', `/checkout-sessions/${opened.id}`);
        const options = body.fulfillment.methods[0]?.groups[0]?.options;
        const option = options?.find(({ id }) => id === 'ca-standard');
        return {
          product: { earliest, latest },
          checkout: methods.find(({ id }) => id === 'ca-standard')?.arrival,
          agent: {
            earliest: dayOf(option?.earliest_fulfillment_time),
            latest: dayOf(option?.latest_fulfillment_time),
          },
        };
      };
      const sameDays = (arrival: unknown) => ({ product: arrival, checkout: arrival, agent: arrival });
      const before = await promises();
      expect(before).toEqual(sameDays(before.checkout));
      const { settings } = testApp.services;
      const { packing } = await settings.all();
      await settings.update({ packing: { ...packing, packingDays: packing.packingDays + 3 } });
      const after = await promises();
      expect(after.checkout).not.toEqual(before.checkout);
      expect(after).toEqual(sameDays(after.checkout));
      const { body } = await pay(testApp, session);
      const placed = await testApp.call('order', { session, params: { id: body.orderID ?? '' } });
      expect(placed.arrival).toEqual(after.checkout);
      await settings.update({ packing });
    });

    it('an estimated bill is the bill that the order then has', async () => {
      const session = await withCart();
      const estimate = (query: Record<string, string>) => testApp.call('billEstimate', { session, query });
      const toQuebec = await estimate({
        methodName: 'shipping',
        country: 'CA',
        province: 'Quebec',
        shippingMethod: 'ca-express',
      });
      const { body } = await deliver(testApp, session, {
        address: { ...address, province: 'Quebec', postCode: 'H2X 1Y4' },
        shippingMethod: 'ca-express',
      });
      const { billVersion: _, ...estimated } = toQuebec;
      expect(body.bill).toMatchObject(estimated);
      expect(toQuebec).toMatchObject({ final: true, shipping: 2200 });
      const pickup = await estimate({ methodName: 'pickup', localStoreName: 'toronto-queen-west' });
      expect([pickup.shipping, pickup.final, pickup.taxLines.map(({ label }) => label)]).toEqual([
        0,
        true,
        ['HST 13%'],
      ]);
      expect((await estimate({ methodName: 'shipping' })).final).toBe(false);
      expect((await testApp.call('myCart', { session })).bill).toEqual(body.bill);
    });

    it('an empty cart cannot be shipped', async () => {
      const { status, body } = await deliver(testApp, testApp.shopper());
      expect([status, body.errorType, body.message]).toEqual([409, 'CONFLICT', 'Your cart is empty']);
    });
  });

  describe('pickup and dine-in', () => {
    it('a change of method sets what belongs to the new one and clears the rest', async () => {
      const session = await withCart();
      await deliver(testApp, session);
      expect((await visit(testApp, session)).body).toMatchObject({
        method: 'pickup',
        pickUpAtStore: true,
        inStore: false,
        localStoreName: queenWest,
        shippingAddress: null,
        shippingMethod: null,
        bill: { shipping: 0, taxLines: [{ label: 'HST 13%', amount: 416 }] },
      });
      await pickupDate(session, two);
      const table = await visit(testApp, session, {
        methodName: 'instore',
        localStoreName: 'markham-unionville',
        tableNumber: ' 07 ',
      });
      expect(table.body).toMatchObject({
        pickUpAtStore: false,
        inStore: true,
        tableNumber: '7',
        pickupDate: null,
      });
      expect((await deliver(testApp, session)).body).toMatchObject({
        pickUpAtStore: false,
        inStore: false,
        tableNumber: null,
        localStoreName: null,
      });
    });

    it.each([
      [{ methodName: undefined }, { methodName: 'Checkout method is missing' }],
      [{ methodName: '' }, { methodName: 'Checkout method is missing' }],
      [{ localStoreName: undefined }, { localStoreName: 'Please select a store location for pickup' }],
      [{ localStoreName: 'waterloo-uptown' }, { localStoreName: 'Pickup is not available' }],
      [{ methodName: 'instore' }, { tableNumber: 'Table number is missing' }],
      [
        { methodName: 'instore', tableNumber: '99' },
        { tableNumber: 'Please enter a table number from 1 to 14' },
      ],
      [
        { methodName: 'instore', tableNumber: '7', localStoreName: undefined },
        { localStoreName: 'Please select the store you are in' },
      ],
    ])('the pickup or dine-in choice %j is rejected', async (query, errors) => {
      const { status, body } = await visit(testApp, await withCart(), query);
      expect([status, body.errors]).toEqual([400, errors]);
    });

    it('the pickup times of a day have reasons, and available ones can be chosen', async () => {
      const day = await testApp.call('pickupSlots', {
        query: { localStoreName: queenWest, date: '2026-05-16' },
      });
      expect(day).toMatchObject({ timeZone: 'America/Toronto', hours: { open: '10:00', close: '21:00' } });
      expect(day.slots).toHaveLength(288);
      const at = (hourOfDay: number, minute = 0) =>
        day.slots.find((slot) => slot.hour === hourOfDay && slot.minute === minute);
      expect(at(9, 55)).toMatchObject({ available: false, reason: 'past' });
      expect(at(10, 5)).toMatchObject({ available: false, reason: 'tooSoon' });
      expect(at(21)).toMatchObject({ available: false, reason: 'closed' });
      expect(at(14)).toEqual({ at: two, hour: 14, minute: 0, available: true, reason: null });
      const session = await withCart();
      expect((await pickupDate(session, two)).body.errors).toEqual({
        methodName: 'Checkout method is missing',
      });
      await visit(testApp, session);
      expect((await pickupDate(session, two)).body.pickupDate).toBe(two);
      expect((await pickupDate(session, two + 60_000)).body.errors).toEqual({
        pickupDate: 'The store is closed at that time',
      });
      expect((await pickupDate(session, testNow - hour)).body.errors).toEqual({
        pickupDate: 'The pickup time 09:00 has passed. Please choose another.',
      });
      expect((await pickupDate(session, 0)).status).toBe(400);
      // The store needs an hour; an offered time is still available ten minutes later.
      expect([at(11, 5)?.reason, at(11, 10)?.reason]).toEqual(['tooSoon', null]);
      expect((await pickupDate(session, testNow + hour)).status).toBe(200);
      expect((await pickupDate(session, two)).status).toBe(200);
      expect((await visit(testApp, session)).body.pickupDate).toBe(two);
      expect((await visit(testApp, session, { localStoreName: 'ottawa-byward' })).body.pickupDate).toBeNull();
      expect(
        (
          await testApp.ask('pickupSlots', {
            query: { localStoreName: 'waterloo-uptown', date: '2026-05-16' },
          })
        ).status,
      ).toBe(404);
      expect(
        (await testApp.ask('pickupSlots', { query: { localStoreName: queenWest, date: '2026-02-30' } }))
          .status,
      ).toBe(400);
    });
  });

  describe('switched-off features', () => {
    let other: TestApp;
    beforeAll(async () => {
      other = await createTestApp({ engine, demo: true });
      await sellProduct(other, mug);
    });
    const configure = async (change: object) => {
      const { checkoutConfig } = await other.services.settings.all();
      await other.services.settings.update({ checkoutConfig: { ...checkoutConfig, ...change } });
    };
    const filled = async () => {
      const session = other.shopper();
      await add(other, session, mug);
      return session;
    };

    it('guests are sent to sign in where guest orders are off', async () => {
      await configure({ enabledGuestOrders: false });
      const session = await filled();
      const calls = [
        deliver(other, session),
        visit(other, session),
        pay(other, session),
        reserve(other, session),
      ];
      for (const { status, body } of await Promise.all(calls)) {
        expect([status, body.errorType, body.errorKey]).toEqual([
          401,
          'AUTHORIZATION_ERROR',
          'rule.loginNeeded',
        ]);
      }
      await configure({ enabledGuestOrders: true });
    });

    it('methods that are switched off are reported as not available', async () => {
      await configure({ enablePickup: false, domesticShippingEnabled: false });
      const session = await filled();
      expect((await visit(other, session)).body.errors).toEqual({ methodName: 'Pickup is not available' });
      expect((await deliver(other, session)).body.errors).toEqual({
        methodName: 'Shipping is not available',
      });
      // Only dine-in is left, so there is nothing to choose.
      expect((await visit(other, session, { methodName: undefined, tableNumber: '3' })).body.method).toBe(
        'instore',
      );
    });

    it('contact fields that are not required may be left out', async () => {
      await configure({ enablePickup: true, requireMobile: false, requireEmail: false });
      const session = await filled();
      const { status } = await other.ask('orderContactInfo', {
        session,
        query: { methodName: 'pickup', localStoreName: queenWest },
        body: { contact: {} },
      });
      expect(status).toBe(200);
    });

    it('a guest at a table leaves an email only where the shop requires it there too', async () => {
      const atTable = async () => {
        const query = { methodName: 'instore', localStoreName: queenWest, tableNumber: '3' };
        return other.ask('orderContactInfo', {
          session: await filled(),
          query,
          body: { contact: { phoneNumber: '416 555 0199' } },
        });
      };
      await configure({ requireMobile: true, requireEmail: true, emailOptionalAtTables: undefined });
      expect(await atTable()).toMatchObject({
        status: 400,
        body: { errors: { 'contact.email': 'Your email is missing' } },
      });
      await configure({ emailOptionalAtTables: true });
      expect((await atTable()).status).toBe(200);
    });

    it('a shop without payment methods says so', async () => {
      const { paymentConfig } = await other.services.settings.all();
      await other.services.settings.update({
        paymentConfig: { ...paymentConfig, payAtStoreEnabled: false, paymentOnline: false },
      });
      const session = await filled();
      await visit(other, session);
      const message = { paymentMethod: 'Payment methods have not been setup. Please visit us again later' };
      expect((await reserve(other, session)).body.errors).toEqual(message);
      expect((await pay(other, session)).body.errors).toEqual(message);
    });
  });
});
