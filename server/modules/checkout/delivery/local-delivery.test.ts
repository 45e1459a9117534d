/** Delivery by a store itself: who is in a zone, what it costs, where its stock comes from, and when it is not offered. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryZone } from '#server/modules/stores/index.ts';
import { mailsFor } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, cartWith, deliver, finish, setUnits, unitsOf } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const store = 'toronto-queen-west';
const near = {
  ...address,
  streetNumberAndNameDetails: '25 Niagara Street',
  city: 'Toronto',
  postCode: 'm6j-1k2',
};
const far = { ...near, postCode: 'M1B 2K9' };
const method = `${store}.core`;
const zone: DeliveryZone = {
  id: 'core',
  name: { en: 'By bike', zh: '骑行配送' },
  polygon: [
    { lat: 43.64, lng: -79.42 },
    { lat: 43.66, lng: -79.42 },
    { lat: 43.66, lng: -79.39 },
    { lat: 43.64, lng: -79.39 },
  ],
  postalCodes: ['M6J', 'M5V'],
  feeCents: 500,
  minimumCents: 2000,
  freeFromCents: 5000,
  minutes: 40,
};

forEachEngine((engine) => {
  let testApp: TestApp;
  const zones = async (...deliveryZones: DeliveryZone[]) => {
    const stores = await testApp.services.stores.all();
    await testApp.services.stores.upsert(
      stores.map((each) => ({ ...each, deliveryZones: each.id === store ? deliveryZones : [] })),
    );
  };
  const ask = (session: Shopper, to: object = near, lang: 'en' | 'zh' = 'en') =>
    testApp.call('localDelivery', { session, lang, body: { address: to } });
  const choose = (session: Shopper, to: object = near) =>
    deliver(testApp, session, { address: to, shippingMethod: method });

  describe('delivery by postal code', () => {
    beforeAll(async () => {
      testApp = await createTestApp({ engine, demo: true });
      await sellProduct(testApp, 'TEA', { priceCents: 2500, inStoreOnly: true, taxClass: 'heated-food' });
    });
    beforeEach(async () => {
      testApp.clock.set(testNow);
      await zones(zone);
      await setUnits(testApp, 'TEA', 20, store);
    });

    it('an address in a zone is delivered to by its store, from its stock, with its fee and the tax of the address', async () => {
      const session = await cartWith(testApp, 'TEA');
      expect((await testApp.call('myCart', { session })).methods).toContain('shipping');
      expect(await ask(session)).toEqual({
        method: {
          id: method,
          nameContent: zone.name,
          description: '',
          price: 500,
          minBusinessDays: 0,
          maxBusinessDays: 0,
          minutes: 40,
        },
        message: '',
      });
      const query = {
        methodName: 'shipping',
        country: 'CA',
        province: 'Ontario',
        shippingMethod: method,
      } as const;
      const { status, body } = await choose(session);
      expect([status, body.shippingMethod, body.localStoreName, body.deliveryMinutes]).toEqual([
        200,
        method,
        store,
        40,
      ]);
      expect(body.bill).toMatchObject({
        subtotal: 2500,
        shipping: 500,
        tax: 325 + 65,
        total: 3390,
        final: true,
      });
      expect(body.lineItems[0]).toMatchObject({ inventoryProcessingStatus: 'available', obtainable: 20 });
      expect((await testApp.call('billEstimate', { session, query })).total).toBe(3390);

      const { id } = await finish(testApp, session, { how: 'pay', lang: 'en' });
      expect(await unitsOf(testApp.db.read, 'TEA')).toMatchObject({ stock: 19, sold: 1 });
      await zones();
      const placed = await testApp.call('order', { session, params: { id } });
      expect(placed).toMatchObject({ deliveryMinutes: 40, bill: { total: 3390 } });
      expect(placed).not.toHaveProperty('arrival');
      expect(placed.bill).not.toHaveProperty('deliveryMinutes');
      const [toStore] = await mailsFor(testApp, 'toronto@maple-and-clay.example', 'newOrder');
      expect(toStore?.text).toContain('25 Niagara Street');
    });

    it('the fee falls away from its amount on', async () => {
      const session = await cartWith(testApp, 'TEA');
      await add(testApp, session, 'TEA', 1);
      expect((await ask(session)).method?.price).toBe(0);
      expect((await choose(session)).body.bill).toMatchObject({ subtotal: 5000, shipping: 0 });
    });

    it('an address outside all zones is told so and offered pickup, in either language', async () => {
      const session = await cartWith(testApp, 'TEA');
      expect(await ask(session, far)).toEqual({
        method: null,
        message: 'We don’t deliver to this address ourselves. You can pick up your order in a store instead.',
      });
      expect((await ask(session, far, 'zh')).message).toBe('该地址不在门店配送范围内，您可以改为到店自提。');
      const { status, body } = await choose(session, far);
      expect([status, body.errors]).toEqual([
        400,
        {
          shippingMethod:
            'We don’t deliver to this address ourselves. You can pick up your order in a store instead.',
        },
      ]);
      expect(
        (await ask(session, { ...near, countryISOCode: 'US', province: 'NY', postCode: '10001' })).method,
      ).toBeNull();
    });

    it('an order below the minimum is told what is missing, and is not placed', async () => {
      await zones({ ...zone, minimumCents: 6000 });
      const session = await cartWith(testApp, 'TEA');
      const sentence =
        'Toronto – Queen West delivers orders of $60.00 or more to this address. Add $35.00 more.';
      expect(await ask(session)).toEqual({ method: null, message: sentence });
      expect((await choose(session)).body.errors).toEqual({ shippingMethod: sentence });
    });

    it('a closed store delivers nothing and says when it opens, at checkout and at payment', async () => {
      const session = await cartWith(testApp, 'TEA');
      expect((await choose(session)).status).toBe(200);
      testApp.clock.set(testNow + 13 * 3_600_000);
      const sentence =
        /^Toronto – Queen West delivers to this address, but not now\. Opens \w+ at \d\d:\d\d\.$/;
      expect((await ask(session)).message).toMatch(sentence);
      expect((await choose(session)).body.errors).toEqual({
        shippingMethod: expect.stringMatching(sentence),
      });
      await expect(finish(testApp, session, { how: 'pay', lang: 'en' })).rejects.toThrow('but not now');
    });

    it('a store that lacks a line delivers nothing, and the warehouse has no part in it', async () => {
      await setUnits(testApp, 'TEA', 1, store);
      const session = await cartWith(testApp, 'TEA');
      await add(testApp, session, 'TEA', 1);
      expect((await ask(session)).message).toBe(
        'Toronto – Queen West delivers to this address, but doesn’t have enough of: tea',
      );
    });

    it('the store is chosen again when the order is shipped as a parcel, and when its zone is gone', async () => {
      await sellProduct(testApp, 'POT', { priceCents: 3000 });
      const session = await cartWith(testApp, 'POT');
      expect((await choose(session)).body.localStoreName).toBe(store);
      const parcel = await deliver(testApp, session, { address: near });
      expect([parcel.body.localStoreName, parcel.body.shippingMethod, parcel.body.bill.shipping]).toEqual([
        null,
        'ca-standard',
        1200,
      ]);
      expect(parcel.body).not.toHaveProperty('deliveryMinutes');
      await choose(session);
      await zones();
      expect((await testApp.call('myCart', { session })).bill.final).toBe(false);
      await expect(finish(testApp, session, { how: 'pay', lang: 'en' })).rejects.toThrow(
        'We don’t deliver to this address',
      );
    });

    it('a shop without zones offers nothing of it', async () => {
      await zones();
      const session = await cartWith(testApp, 'TEA');
      expect(await ask(session)).toEqual({ method: null, message: '' });
      expect(await testApp.call('checkoutConfig')).not.toHaveProperty('localDelivery');
      expect(
        (await testApp.call('pickupLocations')).find(({ localStoreName }) => localStoreName === store),
      ).not.toHaveProperty('delivers');
      expect((await testApp.call('myCart', { session })).methods).not.toContain('shipping');
      expect((await deliver(testApp, session, { address: near, shippingMethod: method })).status).toBe(400);
    });
  });

  describe('delivery by a geocoder', () => {
    let geocoder: Server;
    let asked: string[] = [];
    let answer: unknown = [];
    beforeAll(async () => {
      geocoder = createServer((request, response) => {
        asked.push(request.url ?? '');
        response.setHeader('content-type', 'application/json; charset=utf-8').end(JSON.stringify(answer));
      });
      await new Promise<void>((resolve) => geocoder.listen(0, '127.0.0.1', resolve));
      const { port } = geocoder.address() as AddressInfo;
      testApp = await createTestApp({
        engine,
        demo: true,
        env: { GEOCODER_URL: `http://127.0.0.1:${port}/search` },
      });
      await sellProduct(testApp, 'TEA', { priceCents: 2500, inStoreOnly: true });
      await zones(zone);
    });
    beforeEach(() => {
      testApp.clock.set(testNow);
      asked = [];
    });
    afterAll(() => {
      geocoder.closeAllConnections();
      geocoder.close();
    });
    const house = (lat: number, lng: number, rank = 30) => [
      { lat: String(lat), lon: String(lng), place_rank: rank },
    ];
    const street = (n: number) => ({ ...near, streetNumberAndNameDetails: `${n} Niagara Street` });

    it('a house in the polygon is delivered to whatever its postal code, and one outside is not', async () => {
      const session = await cartWith(testApp, 'TEA');
      answer = house(43.65, -79.4);
      expect((await ask(session, { ...street(1), postCode: far.postCode })).method?.id).toBe(method);
      answer = house(43.7, -79.4);
      expect((await ask(session, street(2))).method).toBeNull();
      expect(asked[0]).toContain('street=1+niagara+street');
      expect(asked[0]).not.toContain('Lin');
    });

    it('an address is asked about once until the answer expires, and nothing readable is stored of it', async () => {
      const session = await cartWith(testApp, 'TEA');
      answer = house(43.65, -79.4);
      await ask(session, street(3));
      await ask(session, { ...street(3), streetNumberAndNameDetails: ' 3  NIAGARA Street ' });
      expect((await choose(session, street(3))).status).toBe(200);
      expect(asked).toHaveLength(1);
      const rows = await testApp.db.read.selectFrom('geocoded_addresses').selectAll().execute();
      expect(JSON.stringify(rows).toLowerCase()).not.toContain('niagara');
      testApp.clock.set(testNow + 31 * 24 * 3_600_000);
      await testApp.container.runMaintenance();
      expect(await testApp.db.read.selectFrom('geocoded_addresses').selectAll().execute()).toEqual([]);
    });

    it('postal codes decide where the geocoder knows the street only, answers nonsense or asks too much', async () => {
      const session = await cartWith(testApp, 'TEA');
      for (const [n, given] of [
        house(43.7, -79.4, 26),
        [],
        { error: 'no' },
        [{ lat: 'x', lon: 'y', place_rank: 30 }],
      ].entries()) {
        answer = given;
        expect((await ask(session, street(10 + n))).method?.id, JSON.stringify(given)).toBe(method);
      }
      answer = house(43.7, -79.4);
      const others = testApp.shopper('198.18.0.9');
      await add(testApp, others, 'TEA');
      for (let n = 100; n < 160; n += 1) expect((await ask(others, street(n))).method).toBeNull();
      expect((await ask(others, street(200))).method?.id).toBe(method);
      expect(asked.filter((url) => url.includes('street=200'))).toEqual([]);
    });
  });
});
