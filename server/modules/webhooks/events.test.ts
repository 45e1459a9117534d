/** Which events orders and stock cause, what they carry, and how often. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { createContainer } from '#server/container.ts';
import { asMerchant } from '#tests/as-merchant.ts';
import { plainValue, sellProduct } from '#tests/products.ts';
import { add, address, cards, contact, deliver, pay, reserve, visit } from '#tests/shop-actions.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';
import type { WebhookEvent } from '#tests/webhook-receiver.ts';
import { type WebhookEventType, webhookEventTypes } from './event-types.ts';

const mug = 'MUG-OAT';
const store = 'toronto-queen-west';
const hour = 60 * 60_000;

onBothEngines((engine) => {
  describe('webhook events', () => {
    let testApp: TestApp;
    beforeAll(async () => {
      testApp = await createTestApp({ engine, demo: true });
      await sellProduct(testApp, mug, {
        options: [{ name: { en: 'Glaze' }, values: [plainValue('Oat')] }],
        skus: [{ sku: mug, options: { Glaze: 'Oat' }, stock: {} }],
      });
    });
    beforeEach(async () => {
      for (const { id } of await testApp.services.webhooks.list()) await testApp.services.webhooks.remove(id);
      await testApp.services.stock.count([{ sku: mug, place: 'warehouse', units: 1000 }]);
      await testApp.services.stock.count([{ sku: mug, place: store, units: 1000 }]);
    });

    const subscribe = (...types: WebhookEventType[]) =>
      testApp.services.webhooks.add(
        `https://receiver.example/${types.join()}`,
        types.length > 0 ? types : webhookEventTypes,
      );
    async function events(): Promise<WebhookEvent[]> {
      const rows = await testApp.db.read
        .selectFrom('deliveries')
        .selectAll()
        .where('endpoint_id', 'is not', null)
        .orderBy('created_at')
        .execute();
      return rows.map(({ body }) => JSON.parse(body));
    }
    const types = async () => (await events()).map(({ type }) => type).sort();
    const orderIn = (event: WebhookEvent | undefined) => event?.data.order as Record<string, unknown>;
    const numberOf = async (session: Shopper, id: string) =>
      (await testApp.call('order', { session, params: { id } })).orderNumber ?? '';

    async function paid(): Promise<{ id: string; number: string }> {
      const session = testApp.shopper();
      await add(testApp, session, mug, 2);
      await testApp.call('updateCustomerComment', { session, body: { value: 'Please ring twice' } });
      await deliver(testApp, session);
      const { orderID } = (await pay(testApp, session)).body;
      return { id: orderID, number: await numberOf(session, orderID) };
    }
    async function reserved(): Promise<string> {
      const session = testApp.shopper();
      await add(testApp, session, mug);
      await visit(testApp, session);
      await testApp.call('orderPickupDate', {
        session,
        body: { pickupDate: testApp.clock.now() + 4 * hour },
      });
      const { orderID } = (await reserve(testApp, session)).body;
      return await numberOf(session, orderID ?? '');
    }

    it('an endpoint that another process has added receives the next order', async () => {
      // The shop remembers that it has no endpoint.
      await paid();
      expect(await types()).toEqual([]);
      const { dataDir, env, clock } = testApp;
      const theirs = await openDatabase({ dataDir, databaseUrl: env.databaseUrl, durable: false });
      const { webhooks } = asMerchant(createContainer({ db: theirs, env, now: clock.now }));
      await webhooks.add('https://other.example/', ['order.placed']);
      await theirs.close();
      await paid();
      expect(await types()).toEqual(['order.placed']);
    });

    it('a paid order is placed and paid once each, with its amounts and without anything about a person', async () => {
      await subscribe();
      const { id, number } = await paid();
      const [payment] = await testApp.db.read
        .selectFrom('payments')
        .selectAll()
        .where('order_id', '=', id)
        .execute();
      const again = { provider: payment?.provider ?? '', reference: payment?.provider_reference ?? '' };
      expect(await testApp.services.payables.paid(again)).toMatchObject({ orderID: id });
      expect(await types()).toEqual(['order.paid', 'order.placed']);
      const event = (await events()).find(({ type }) => type === 'order.paid');
      expect(Object.keys(event ?? {})).toEqual(['id', 'type', 'createdAt', 'data']);
      expect(event).toMatchObject({
        id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        createdAt: testApp.clock.now(),
      });
      expect(orderIn(event)).toEqual({
        id,
        number,
        state: 'placed',
        method: 'shipping',
        storeId: null,
        pickupAt: null,
        shippingMethod: expect.any(String),
        shipments: [],
        destination: { country: 'CA', province: 'ON' },
        language: 'en',
        placedAt: testApp.clock.now(),
        lines: [
          {
            id: expect.any(String),
            sku: mug,
            productId: 'mug-oat',
            name: expect.any(String),
            options: expect.stringMatching(/^#/),
            modifiers: [],
            quantity: 2,
            unitPrice: 3200,
            total: 6400,
          },
        ],
        currency: 'CAD',
        amounts: {
          subtotal: 6400,
          discount: 0,
          shipping: 1200,
          serviceCharge: 0,
          taxLines: [{ label: expect.any(String), amount: 988 }],
          tax: 988,
          tip: 0,
          total: 8588,
        },
        couponCode: null,
        payment: { method: 'house', paid: true, refunded: 0, due: 0 },
      });
      const sent = JSON.stringify(await events());
      const { streetNumberAndNameDetails: street, city, postCode } = address;
      const { firstName, lastName, phoneNumber, email } = contact;
      for (const personal of [
        firstName,
        `${lastName} `,
        phoneNumber,
        email,
        street,
        city,
        postCode,
        'ring twice',
      ])
        expect(sent).not.toContain(personal);
    });

    it('a failed payment is no event', async () => {
      await subscribe();
      const session = testApp.shopper();
      await add(testApp, session, mug);
      await deliver(testApp, session);
      expect((await pay(testApp, session, cards.decline)).status).not.toBe(200);
      expect(await types()).toEqual([]);
    });

    it('each step of fulfilment is an event, and a reserved order is paid when it is picked up', async () => {
      await subscribe();
      const { fulfilment } = testApp.services;
      const number = await reserved();
      expect(await types()).toEqual(['order.placed']);
      expect(orderIn((await events())[0])).toMatchObject({
        number,
        state: 'reserved',
        method: 'pickup',
        storeId: store,
        destination: null,
        payment: { method: 'payAtStore', paid: false },
      });
      await fulfilment.move(number, 'ready');
      expect(await types()).toEqual(['order.placed', 'order.ready']);
      await expect(fulfilment.move(number, 'ready')).rejects.toThrow('cannot become ready');
      await fulfilment.move(number, 'completed');
      expect(await types()).toEqual(['order.paid', 'order.placed', 'order.ready']);
      const shipped = await paid();
      await fulfilment.move(shipped.number, 'shipped');
      await fulfilment.move(shipped.number, 'completed');
      expect(await types()).toEqual([
        'order.paid',
        'order.paid',
        'order.placed',
        'order.placed',
        'order.ready',
        'order.shipped',
      ]);
    });

    it('a cancelled order and each refund that was sent are events', async () => {
      await subscribe('order.cancelled', 'order.refunded');
      const { number } = await paid();
      await testApp.services.orderRefunds.refund(number, { reason: 'chipped by Jordan Lin', amount: 500 });
      await testApp.services.orderRefunds.cancelOrder(number, 'sold out');
      await testApp.services.payments.reconcile();
      expect(await types()).toEqual(['order.cancelled', 'order.refunded', 'order.refunded']);
      const refunds = (await events())
        .filter(({ type }) => type === 'order.refunded')
        .map(({ data }) => data.refund);
      expect(refunds).toContainEqual({ id: expect.any(String), amount: 500, tip: 0 });
      expect(refunds).toContainEqual({ id: expect.any(String), amount: 8088, tip: 0 });
      const last = (await events()).filter(({ type }) => type === 'order.refunded').map(orderIn);
      expect(last).toContainEqual(
        expect.objectContaining({ payment: { method: 'house', paid: true, refunded: 500, due: 0 } }),
      );
      expect(JSON.stringify(await events())).not.toContain('chipped');
    });

    it('a reservation that is not picked up in time is cancelled', async () => {
      await subscribe('order.cancelled');
      const before = testApp.clock.now();
      const number = await reserved();
      testApp.clock.advance(40 * 24 * hour);
      await testApp.services.payments.reconcile();
      testApp.clock.set(before);
      expect((await events()).map(({ type, data }) => [type, data.order])).toEqual([
        ['order.cancelled', expect.objectContaining({ number, state: 'lapsed' })],
      ]);
    });

    it('low stock is an event when units fall to the threshold, and again after they were above it, once an hour at most', async () => {
      await subscribe('stock.low');
      testApp.clock.advance(hour / 2);
      const { stock } = testApp.services;
      await stock.count([{ sku: mug, place: 'warehouse', units: 7 }]);
      expect(await types()).toEqual([]);
      await paid();
      const low = { sku: mug, store: 'warehouse', left: 5, threshold: 5 };
      expect((await events()).map(({ data }) => data)).toEqual([low]);
      await paid();
      expect(await events()).toHaveLength(1);
      await stock.count([{ sku: mug, place: 'warehouse', units: 6 }]);
      expect(await events()).toHaveLength(1);
      testApp.clock.advance(hour - 1);
      await stock.count([{ sku: mug, place: 'warehouse', units: 4 }]);
      await stock.count([{ sku: mug, place: 'warehouse', units: 6 }]);
      expect(await events()).toHaveLength(1);
      testApp.clock.advance(1);
      await stock.count([{ sku: mug, place: 'warehouse', units: 2 }]);
      expect((await events()).map(({ data }) => data.left).sort()).toEqual([2, 5]);
      await testApp.services.settings.update({ lowStockThreshold: 0 });
      await stock.count([{ sku: mug, place: store, units: 1 }]);
      expect(await events()).toHaveLength(2);
      await stock.count([{ sku: mug, place: store, units: 0 }]);
      expect((await events()).map(({ data }) => data)).toContainEqual({
        sku: mug,
        store,
        left: 0,
        threshold: 0,
      });
      await testApp.services.settings.update({ lowStockThreshold: 5 });
    });

    it('payments that are begun and given up are no low stock, and units that stay held for minutes are', async () => {
      await subscribe('stock.low');
      testApp.clock.advance(2 * hour);
      const { services, clock } = testApp;
      await services.stock.count([{ sku: mug, place: 'warehouse', units: 8 }]);
      const session = testApp.shopper();
      await add(testApp, session, mug, 4);
      await deliver(testApp, session);
      for (let n = 0; n < 3; n++) {
        expect((await pay(testApp, session, cards.challenge)).status).toBe(200);
        await services.runMaintenance();
        await testApp.call('cancelPayment', { session, body: {} });
      }
      expect(await events()).toEqual([]);
      await pay(testApp, session, cards.challenge);
      clock.advance(5 * 60_000 - 1);
      await services.runMaintenance();
      expect(await events()).toEqual([]);
      clock.advance(1);
      await services.runMaintenance();
      await services.runMaintenance();
      expect((await events()).map(({ data }) => data)).toEqual([
        { sku: mug, store: 'warehouse', left: 4, threshold: 5 },
      ]);
    });

    it('an event is written with its cause or not at all, and only for endpoints that receive its type', async () => {
      await paid();
      expect(await events()).toEqual([]);
      const shipping = await subscribe('order.shipped');
      const all = await subscribe();
      const { webhookEvents } = testApp.services;
      const record = (cause: string, rollBack: boolean) =>
        testApp.db.transaction(async (trx) => {
          const data = () => ({ sku: mug, store, left: 1, threshold: 5 });
          await webhookEvents.record(trx, { type: 'stock.low', cause, data });
          if (rollBack) throw new Error('rolled back');
        });
      await expect(record('one', true)).rejects.toThrow('rolled back');
      expect(await events()).toEqual([]);
      await Promise.all([record('one', false), record('one', false), record('two', false)]);
      expect(await events()).toHaveLength(2);
      expect(
        (await testApp.services.webhooks.deliveries({ most: 9 })).map(({ endpointId }) => endpointId),
      ).toEqual([all.id, all.id]);
      expect(shipping.id).not.toBe(all.id);
    });
  });
});
