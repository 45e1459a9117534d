/** The emails that tell a store's staff of each new order. */
import { beforeEach, describe, expect, it } from 'vitest';
import { mailsFor, type ReadMail, subjectOf } from '#tests/accounts.ts';
import { enter, issueCoupon } from '#tests/coupons.ts';
import { crashDuringPayment } from '#tests/payment-actions.ts';
import { sellProduct } from '#tests/products.ts';
import { add, cards, pay, reserve, shopperWithCart, visit } from '#tests/shop-actions.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
/** Sold at the warehouse and at Queen West. */
const cup = 'CUP';
const main = 'toronto@maple-and-clay.example';
const ottawa = 'ottawa-byward';
const hour = 3_600_000;

onOneEngine((engine) => {
  let testApp: TestApp;
  beforeEach(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug, { name: { en: 'Oat Mug', zh: '燕麦色杯' } });
    await sellProduct(testApp, cup);
    for (const [sku, place] of [
      [mug, 'toronto-queen-west'],
      [mug, ottawa],
      [cup, ottawa],
    ] as const)
      await testApp.services.stock.count([{ sku, place, units: 20 }]);
  });

  /** All emails about new orders, with their recipients. */
  const rows = () =>
    testApp.db.read
      .selectFrom('deliveries')
      .selectAll()
      .where('kind', '=', 'newOrder')
      .orderBy('recipient')
      .execute();
  const recipients = async () => (await rows()).map(({ recipient }) => recipient);
  const numberOf = async (session: Shopper, id: string) =>
    (await testApp.call('order', { session, params: { id } })).orderNumber ?? '';

  async function onlyMail(address: string): Promise<ReadMail> {
    const mails = await mailsFor(testApp, address, 'newOrder');
    expect(mails).toHaveLength(1);
    return mails[0] as ReadMail;
  }

  async function newOrderEmails(change: object): Promise<void> {
    const { newOrderEmails: now } = await testApp.services.settings.all();
    await testApp.services.settings.update({ newOrderEmails: { ...now, ...change } });
  }

  async function reservation(query: object = {}): Promise<string> {
    const session = testApp.shopper();
    await add(testApp, session, mug, 2);
    await visit(testApp, session, query);
    return numberOf(session, (await reserve(testApp, session)).body.orderID);
  }

  describe('the email about a new order', () => {
    it('the main store is told of an order to ship, with its items, amounts, address and payment', async () => {
      const session = await shopperWithCart(testApp, mug, 2);
      const number = await numberOf(session, (await pay(testApp, session)).body.orderID);
      const mail = await onlyMail(main);
      expect(subjectOf(mail)).toBe(`Order ${number} placed – Maple & Clay`);
      for (const line of [
        `New order ${number}`,
        'Delivery method: Shipping',
        'Shipping method: Standard, Canada',
        'Paid $85.88 by card.',
        '100 Demonstration Road, Unit 5',
        '+1 519-555-0104',
        '2 × Oat Mug: $64.00',
        'Total: $85.88',
      ])
        expect.soft(mail.text).toContain(line);
      expect(await recipients()).toEqual([main]);
    });

    it('the store of a pickup order is told, with the time, the note and the open amount', async () => {
      const session = testApp.shopper();
      await add(testApp, session, mug);
      await testApp.call('updateCustomerComment', { session, body: { value: '<b>No</b> lid, please' } });
      await visit(testApp, session, { localStoreName: ottawa });
      await testApp.call('orderPickupDate', { session, body: { pickupDate: testNow + 4 * hour } });
      expect((await reserve(testApp, session)).status).toBe(200);
      const mail = await onlyMail('ottawa@maple-and-clay.example');
      for (const line of [
        'Delivery method: Pickup',
        'Pickup time: Saturday, May 16 at 14:00',
        'Not paid yet. The customer pays $36.16 in store.',
        '<b>No</b> lid, please',
      ])
        expect.soft(mail.text).toContain(line);
      expect(mail.html).toContain('&lt;b&gt;No&lt;/b&gt; lid, please');
      expect(await recipients()).toEqual(['ottawa@maple-and-clay.example']);
    });

    it('the store of a dine-in order is told the table', async () => {
      await reservation({ methodName: 'instore', tableNumber: '4' });
      const { text } = await onlyMail(main);
      expect(text).toContain('Delivery method: Dine in');
      expect(text).toContain('Table number: 4');
    });

    it('an order that costs nothing is announced as such', async () => {
      await issueCoupon(testApp, { code: 'GIFT', kind: 'percent', percent: 100_000 });
      const session = testApp.shopper();
      await add(testApp, session, mug);
      await visit(testApp, session);
      await enter(testApp, session, 'GIFT');
      expect((await reserve(testApp, session)).status).toBe(200);
      expect((await onlyMail(main)).text).toContain('Nothing to pay. A discount covers the full amount.');
    });

    it('an order that was cancelled before its email could be sent says so', async () => {
      const number = await reservation();
      await testApp.services.orderRefunds.cancelOrder(number, '');
      expect((await onlyMail(main)).text).toContain(
        'Don’t prepare this order. It has been cancelled or has expired.',
      );
    });
  });

  describe('when a new order is announced', () => {
    it('a payment that fails is not announced, and the one that succeeds is announced once', async () => {
      const session = await shopperWithCart(testApp, cup);
      expect((await pay(testApp, session, cards.decline)).status).toBe(402);
      await testApp.services.payments.reconcile();
      expect(await recipients()).toEqual([]);
      await pay(testApp, session);
      await pay(testApp, session);
      expect(await recipients()).toEqual([main]);
    });

    it('an order that the sweep places is announced once, whoever reports its payment again', async () => {
      const session = await shopperWithCart(testApp, cup);
      await crashDuringPayment(testApp, session, true);
      expect(await recipients()).toEqual([]);
      await testApp.services.payments.reconcile();
      expect(await recipients()).toEqual([main]);
      const payment = await testApp.db.read.selectFrom('payments').selectAll().executeTakeFirstOrThrow();
      const report = { provider: payment.provider, reference: payment.provider_reference };
      await Promise.all([1, 2].map(() => testApp.services.payables.paid(report)));
      await testApp.services.payments.reconcile();
      expect(await recipients()).toEqual([main]);
    });
  });

  describe('the recipients of new orders', () => {
    it('a store’s list of addresses replaces its own, and each address gets one email', async () => {
      await newOrderEmails({
        addresses: { [ottawa]: ['kitchen@shop.example', 'desk@shop.example', 'desk@shop.example'] },
      });
      await reservation({ localStoreName: ottawa });
      expect(await recipients()).toEqual(['desk@shop.example', 'kitchen@shop.example']);
      await reservation();
      expect(await recipients()).toEqual(['desk@shop.example', 'kitchen@shop.example', main]);
    });

    it('a store without an email has its orders sent to the shop’s contact address', async () => {
      const stores = await testApp.services.stores.all();
      await testApp.services.stores.upsert(stores.map((store) => ({ ...store, email: '' })));
      await reservation({ localStoreName: ottawa });
      expect(await recipients()).toEqual(['hello@maple-and-clay.example']);
    });

    it('the emails can be switched off for one store, and for the shop', async () => {
      await newOrderEmails({ addresses: { [ottawa]: [] } });
      await reservation({ localStoreName: ottawa });
      expect(await recipients()).toEqual([]);
      await newOrderEmails({ enabled: false });
      await reservation();
      expect(await recipients()).toEqual([]);
    });

    it('the email is in the language of the staff, and so are its product names', async () => {
      await testApp.services.settings.update({ staffLanguage: 'zh' });
      const number = await reservation();
      const mail = await onlyMail(main);
      expect(subjectOf(mail)).toBe(`【枫土】新订单 ${number}`);
      expect(mail.text).toContain('燕麦色杯');
    });
  });
});
